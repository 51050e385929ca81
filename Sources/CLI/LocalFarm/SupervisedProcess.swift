import Foundation
import Subprocess
import Synchronization

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Another `cutfarm` process, restarted whenever it ends without being asked to.
final class SupervisedProcess: Sendable {
    private let name: String
    private let arguments: [String]
    private let restartArguments: @Sendable ([String]) -> [String]
    private let log: String
    private let lifeline: Lifeline
    private let gaveUp = Atomic<Bool>(false)

    /// The number of consecutive ends, none after a minute of life, after which the process is not restarted.
    private static let mostQuickEnds = 5

    /// Describes the process; ``supervise()`` starts it.
    /// - Parameters:
    ///   - name: the name for messages.
    ///   - restartArguments: makes the arguments of every later start from those of the first.
    ///   - log: the path of the file to which its output is appended.
    init(
        name: String,
        arguments: [String],
        restartArguments: @escaping @Sendable ([String]) -> [String],
        log: String,
        lifeline: Lifeline
    ) {
        self.name = name
        self.arguments = arguments
        self.restartArguments = restartArguments
        self.log = log
        self.lifeline = lifeline
    }

    /// Whether ``supervise()`` has ended, or is about to with an error.
    var hasGivenUp: Bool { gaveUp.load(ordering: .acquiring) }

    /// Runs the process until the task is cancelled: then it gets SIGTERM, and SIGKILL after eight seconds.
    /// - Throws: ``CommandFailure`` with its last words when it keeps ending; `CancellationError`.
    func supervise() async throws {
        defer { gaveUp.store(true, ordering: .releasing) }
        var quickEnds = 0
        var arguments = arguments
        while true {
            let began = ContinuousClock.now
            let status = try await runOnce(arguments)
            try Task.checkCancellation()
            // Usage errors and the like do not disappear by restarting.
            let isHopeless = if case .exited(let code) = status { code != 0 && code < 128 } else { false }
            quickEnds = began.duration(to: .now) > .seconds(60) ? 0 : quickEnds + 1
            if isHopeless || quickEnds > SupervisedProcess.mostQuickEnds {
                throw failure(after: status)
            }
            arguments = restartArguments(self.arguments)
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func runOnce(_ arguments: [String]) async throws -> TerminationStatus {
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(.noSpace, "\(log) cannot be written; is there space?") }
        defer { close(descriptor) }
        var options = PlatformOptions()
        // Control-C at the terminal ends only this process, which then stops the others in order.
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(8))]
        let ended = try await Subprocess.run(
            .path("/proc/self/exe"),
            arguments: Arguments(arguments),
            platformOptions: options,
            input: .fileDescriptor(FileDescriptor(rawValue: lifeline.readEnd), closeAfterSpawningProcess: false),
            output: .fileDescriptor(FileDescriptor(rawValue: descriptor), closeAfterSpawningProcess: false),
            error: .fileDescriptor(FileDescriptor(rawValue: descriptor), closeAfterSpawningProcess: false)
        )
        return ended.terminationStatus
    }

    /// The failure of a process that keeps ending: its last words, with its own exit status where that says more than
    /// that something is wrong. A full disk may have had no room for its words.
    private func failure(after status: TerminationStatus) -> CommandFailure {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n")
        guard status == .exited(ExitStatus.noSpace.rawValue) else {
            let words = lines.suffix(3).joined(separator: " | ")
            return CommandFailure(.internalError, "The \(name) ended (\(status)): \(words)")
        }
        let folder = (log as NSString).deletingLastPathComponent
        // Log records are JSON.
        let sentence = lines.last { !$0.hasPrefix("{") }.map(String.init)
        return CommandFailure(.noSpace, sentence ?? "There is no space left in \(folder).")
    }
}
