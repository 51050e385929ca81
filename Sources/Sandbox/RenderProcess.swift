package import CompositionModel
import Foundation
import Subprocess
import Synchronization
import Timing
package import WireProtocol

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs `cutfarm-render`, the only program that opens media, for one request: in its sandbox, seeing the files it is
/// given and nothing else, watched until it ends.
package struct RenderProcess: Sendable {
    /// The path of the `cutfarm-render` executable.
    package var executable: String
    /// The most address space that the child may use, in MiB.
    package var memoryMiB: Int
    /// Whether the child runs also where the kernel has no Landlock; otherwise it refuses to work there.
    package var allowUnsandboxed: Bool
    /// The clock that measures how long a child runs, and ends its time.
    package var clock: any Clock<Duration>
    /// The limits that ``run(_:within:readable:writable:onNeed:onProgress:onStill:)`` sets; nil for none.
    var limits: RenderLimits?

    /// Describes how children are run; none is started.
    /// - Parameter executable: the path; by default `cutfarm-render` beside the running program.
    package init(
        executable: String? = nil,
        memoryMiB: Int = 16384,
        allowUnsandboxed: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.executable = executable ?? RenderProcess.besideThisProgram
        self.memoryMiB = memoryMiB
        self.allowUnsandboxed = allowUnsandboxed
        self.clock = clock
    }

    /// The path of `cutfarm-render` in the folder of the running executable.
    package static let besideThisProgram: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/usr/bin/cutfarm"
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("cutfarm-render").path
    }()

    /// The result of a child, and its cost.
    package struct Outcome: Sendable {
        /// The result that the child named.
        package let result: RenderResult
        /// The cost. `fetchedBytes` is left 0: only the caller knows it.
        package let statistics: TaskStatistics
    }

    /// Runs the child to its end. Cancelling the task kills it at once; one without a PID namespace that ignores SIGTERM,
    /// 2 s later.
    /// - Parameters:
    ///   - readable: files or folders it may read.
    ///   - writable: folders it may write in.
    ///   - onNeed: makes block `block` of source `source` present in the file, or says why it cannot. Called in turn.
    ///   - onProgress: 0 … 1000, each time more.
    ///   - onStill: for each still of a ``RenderRequest/stills(_:)``: its position, and why it cannot be had.
    ///   - onLine: takes each line that the child and its libraries write on standard error, without its end; it may hold
    ///     anything.
    /// - Throws: ``RenderFailed``: what the child said, or how it died; `CancellationError`.
    package func run(
        _ request: RenderRequest,
        readable: [String],
        writable: [String],
        onNeed: @escaping @Sendable (_ source: Int, _ block: Int64) async -> Failure? = { _, _ in nil },
        onProgress: @escaping @Sendable (_ permille: Int) -> Void = { _ in },
        onStill: @escaping @Sendable (_ position: Int, _ failure: Failure?) -> Void = { _, _ in },
        onLine: @escaping @Sendable (_ line: String) -> Void = { _ in }
    ) async throws -> Outcome {
        guard FileManager.default.isExecutableFile(atPath: executable) else { throw RenderFailed(.missing(executable)) }
        let stopwatch = Stopwatch(on: clock)
        let ends = try SocketPair()
        let dialogue = RenderDialogue(ends: ends, onNeed: onNeed, onProgress: onProgress, onStill: onStill)
        var options = PlatformOptions()
        // Control-C at a terminal goes to the whole foreground group. It shall end this process, which then ends its
        // children; one that ended by itself would count as crashed.
        options.processGroupID = 0
        // A child in a PID namespace has a supervisor, which on SIGTERM kills it and waits until it is gone. Without one
        // SIGTERM ends the child itself. What ignores the signal, or was stopped, is killed 2 s later; of a supervisor that
        // is killed the kernel kills the child, which may then be gone a moment later.
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(2))]
        let ended = try await Subprocess.run(
            .path(FilePath(executable)),
            arguments: Arguments(arguments(readable: readable, writable: writable)),
            environment: RenderEnvironment.environment(temporary: writable.first ?? "/tmp"),
            platformOptions: options,
            input: .fileDescriptor(FileDescriptor(rawValue: ends.takeChild()), closeAfterSpawningProcess: true),
            output: .discarded,
            error: .sequence
        ) { execution in
            async let lines = ChildLines.read(execution.standardError, onLine)
            let end = await dialogue.hold(request)
            return (end: end, lines: await lines)
        }
        try Task.checkCancellation()
        let said = ended.closureResult.lines
        let refused = RefusedCall.calls(in: said.refusals)
        switch ended.closureResult.end {
        case .finished(let result, let usage):
            var statistics = usage
            statistics.wallMilliseconds = stopwatch.elapsed.wholeMilliseconds
            if let warning = RefusedCall.warning(refused) { statistics.add(warning: warning) }
            return Outcome(result: result, statistics: statistics)
        case .failed(let failure):
            throw RenderFailed(RefusedCall.explaining(failure, refused))
        case .silent:
            let failure = Failure.died(ended.terminationStatus, said: said.last)
            throw RenderFailed(RefusedCall.explaining(failure, refused))
        }
    }

    private func arguments(readable: [String], writable: [String]) -> [String] {
        var list = ["--sandbox", "--memory", String(memoryMiB)] + (limits?.arguments ?? [])
        for path in readable { list += ["--ro", path] }
        for path in writable { list += ["--rw", path] }
        list += ["--", "run"]
        if allowUnsandboxed { list.append("--allow-unsandboxed") }
        return list
    }
}

/// The end of a render child without a result.
package struct RenderFailed: Error, Sendable, CustomStringConvertible {
    /// What the child said, or how it died.
    package let failure: Failure

    /// Makes the error from a failure.
    package init(_ failure: Failure) { self.failure = failure }

    /// The failure's sentence.
    package var description: String { failure.message }
}

extension Failure {
    static func missing(_ executable: String) -> Failure {
        Failure(
            code: "render_missing",
            message: "\(executable) is not there; install cutfarm-render beside cutfarm.",
            isPermanent: false
        )
    }

    static let tooSlow = Failure(
        code: "render_time_limit",
        message: "The render process did not end within its time and was stopped.",
        isPermanent: false
    )

    private static let tooLong = Failure(
        code: "render_cpu_limit",
        message: "The render process took more processor time than its task may and was stopped.",
        isPermanent: false
    )

    private static let tooLarge = Failure(
        code: "render_file_limit",
        message: "The render process wrote more than its task may and was stopped.",
        isPermanent: false
    )

    private static let outOfMemory = Failure(
        code: "render_out_of_memory",
        message: "The render process was killed with signal 9, most likely because the machine ran out of memory; give "
            + "it more, or run fewer workers on it.",
        isPermanent: false
    )

    static func died(_ status: TerminationStatus, said text: String) -> Failure {
        // The kernel's word that a limit was reached: setrlimit(2).
        if status == .signaled(SIGXCPU) { return tooLong }
        if status == .signaled(SIGXFSZ) { return tooLarge }
        // Nobody here sends it without having cancelled the task first: proc_pid_oom_score(5), the kernel's choice.
        if status == .signaled(SIGKILL) { return outOfMemory }
        let how =
            switch status {
            case .exited(let code): "exit status \(code)"
            case .signaled(let signal): "signal \(signal)"
            }
        let last = text.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
        return Failure(
            code: "render_crashed",
            message: "The render process ended with \(how) before it had a result\(last).",
            isPermanent: false
        )
    }
}

extension Duration {
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
