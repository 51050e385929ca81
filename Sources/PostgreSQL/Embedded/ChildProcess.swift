import CLibPQ
import Glibc

/// A process started by the calling thread and waited for by nobody else.
///
/// posix_spawn and not Subprocess: the parent-death signal follows the thread that made the child, so the starting
/// thread must be one that we keep.
struct ChildProcess: Sendable {
    let id: pid_t

    /// Starts `words[0]`, looked up in PATH, in `/`, in a process group of its own (a Ctrl-C on the terminal is for us,
    /// who then stop it in good order), with nothing open but the descriptors 0 (nothing), 1 and 2.
    ///
    /// - Parameter output: descriptor for what it prints.
    static func start(_ words: [String], output: Int32) throws(EmbeddedError) -> ChildProcess {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        prepare(&actions, output)
        prepare(&attributes)
        var id = pid_t()
        let code = withCStrings(words) { arguments in
            withCStrings(environment) { variables in
                // Neither array is written to; the C declaration only lacks the const.
                posix_spawnp(
                    &id,
                    words[0],
                    &actions,
                    &attributes,
                    UnsafeMutablePointer(mutating: arguments.withoutConst),
                    UnsafeMutablePointer(mutating: variables.withoutConst)
                )
            }
        }
        guard code == 0 else { throw EmbeddedError("\(words[0]) cannot be started", errno: code) }
        return ChildProcess(id: id)
    }

    private static func prepare(_ actions: inout posix_spawn_file_actions_t, _ output: Int32) {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, "/")
    }

    private static func prepare(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// Nothing of ours: no token, no `PG…` variable, the same locale everywhere.
    private static var environment: [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return ["PATH=\(path):/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"]
    }

    /// - Returns: nil while it runs; then its exit code, or 128 + the signal that ended it.
    func poll() -> Int32? {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) == id ? Self.code(status) : nil
    }

    /// Blocks until it ends.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1 && errno == EINTR {}
        return Self.code(status)
    }

    private static func code(_ status: Int32) -> Int32 {
        status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// Runs `words` to its end.
    ///
    /// - Returns: at most 4 KiB of what it printed; nil when it failed.
    static func output(of words: [String]) throws(EmbeddedError) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw EmbeddedError("A pipe cannot be made", errno: errno) }
        defer { close(ends[0]) }
        let child: ChildProcess
        do {
            defer { close(ends[1]) }
            child = try start(words, output: ends[1])
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        return child.wait() == 0 ? String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) : nil
    }
}

extension UnsafePointer where Pointee == UnsafePointer<CChar>? {
    fileprivate var withoutConst: UnsafePointer<UnsafeMutablePointer<CChar>?> {
        UnsafeRawPointer(self).assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    }
}
