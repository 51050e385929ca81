public import Foundation
import Synchronization

/// A program in the background, for tests that end it in the middle. Its input is a pipe that closes when this process
/// ends, however it ends; its output goes to a file.
public final class RunningProgram: Sendable {
    public struct Failed: Error, CustomStringConvertible {
        public let description: String
    }

    public let id: pid_t
    private let input: Int32
    /// waitpid's status, once it ended.
    private let ended = Mutex<Int32?>(nil)

    public init(_ program: String, _ arguments: [String], log: String) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failed(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, nil, words, environ)
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

    public func send(_ signal: Int32) {
        guard !hasEnded else { return }
        kill(id, signal)
    }

    public var hasEnded: Bool {
        ended.withLock { status in
            var now: Int32 = 0
            if status == nil, waitpid(id, &now, WNOHANG) == id { status = now }
            return status != nil
        }
    }

    /// - Returns: its exit code, 128 + the signal that ended it, or nil when it still runs after `limit`.
    public func wait(_ limit: Duration) async throws -> Int32? {
        let deadline = ContinuousClock.now + limit
        while !hasEnded {
            guard ContinuousClock.now < deadline else { return nil }
            try await Task.sleep(for: .milliseconds(20))
        }
        return ended.withLock { $0.map { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : 128 + ($0 & 0x7f) } }
    }
}
