import Glibc

/// A state folder has one user at a time; the kernel lets go when the process ends, however it ends.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// - Throws: ``EmbeddedError`` with `state_in_use` when another process holds it.
    init(path: String, folder: String) throws(EmbeddedError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EmbeddedError("\(path) cannot be opened", errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else { throw EmbeddedError("\(path) cannot be locked", errno: number) }
            throw EmbeddedError(
                .stateInUse,
                "Another cutfarm uses the state folder \(folder); stop it, or give this one another --state folder."
            )
        }
    }

    deinit { close(descriptor) }
}
