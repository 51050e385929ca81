import Glibc

/// A state folder has one user at a time; the kernel lets go when the process ends, however it ends.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// - Throws: ``EmbeddedError`` with `state_in_use` when another process holds it.
    init(path: String, folder: String) throws(EmbeddedError) {
        // Assigned at the end: once all members have values, throwing runs `deinit` too, which would close a descriptor
        // a second time that may be another thread's by then.
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw EmbeddedError("\(path) cannot be opened", errno: errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(opened)
            guard number == EWOULDBLOCK else { throw EmbeddedError("\(path) cannot be locked", errno: number) }
            throw EmbeddedError(
                .stateInUse,
                "Another cutfarm uses the state folder \(folder); stop it, or give this one another --state folder."
            )
        }
        descriptor = opened
    }

    /// Another thread may just be starting a process, which has a copy of the descriptor until its program begins:
    /// closing ours would not let go before that.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
