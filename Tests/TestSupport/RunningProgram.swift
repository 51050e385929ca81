package import Foundation
import Synchronization

/// The child closes this descriptor and all above it; glibc declares it only where _GNU_SOURCE is set.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32

/// A program in the background, for tests that end it in the middle. Its input closes when this process
/// ends, however it ends; its output goes to a file.
package final class RunningProgram: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    package let id: pid_t
    private let input: Int32
    /// waitpid's status, once it ended.
    private let ended = Mutex<Int32?>(nil)

    package init(_ program: String, _ arguments: [String], log: String) throws {
        var ends: [Int32] = [0, 0]
        // Closed in programs that are started meanwhile, from the first moment: they would keep this one's input open.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failed(description: "no socket pair") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A connection of another test that this program kept open would never end for its peer.
        _ = addCloseFrom(&actions, 3)
        // Threads of the pool block all signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, &attributes, words, environ)
        close(ends[0])
        guard code == 0 else {
            close(ends[1])
            throw Failed(description: "\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        (id, input) = (process, ends[1])
    }

    deinit {
        close(input)
        guard !hasEnded else { return }
        kill(id, SIGKILL)
        var status: Int32 = 0
        waitpid(id, &status, 0)
    }

    package func send(_ signal: Int32) {
        guard !hasEnded else { return }
        kill(id, signal)
    }

    package var hasEnded: Bool {
        ended.withLock { status in
            var now: Int32 = 0
            if status == nil, waitpid(id, &now, WNOHANG) == id { status = now }
            return status != nil
        }
    }

    /// Waits for its end, however long it takes.
    /// - Returns: its exit code, or 128 + the signal that ended it.
    package func wait() async throws -> Int32? {
        try await waitUntil { hasEnded }
        return ended.withLock { $0.map { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : 128 + ($0 & 0x7f) } }
    }
}
