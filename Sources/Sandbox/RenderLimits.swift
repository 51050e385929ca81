public import Shared

/// How much of a machine one render child may take before it is stopped, whatever its input makes it do.
public struct RenderLimits: Sendable, Hashable {
    /// From start to end.
    public var wall: Duration
    /// Processor time, in whole seconds.
    public var cpuSeconds: Int
    /// Of each file it writes.
    public var fileMiB: Int

    public init(wall: Duration, cpuSeconds: Int, fileMiB: Int) {
        self.wall = wall
        self.cpuSeconds = cpuSeconds
        self.fileMiB = fileMiB
    }

    var arguments: [String] { ["--cpu", String(max(1, cpuSeconds)), "--file-size", String(max(1, fileMiB))] }
}

extension RenderProcess {
    /// Runs the child within `limits`, else as ``run(_:readable:writable:onNeed:onProgress:)``.
    /// - Throws: ``RenderFailed`` with `render_time_limit` or `render_file_limit` as well; the child is gone then.
    public func run(
        _ request: RenderRequest,
        within limits: RenderLimits,
        readable: [String],
        writable: [String]
    ) async throws -> Outcome {
        var process = self
        process.limits = limits
        return try await withThrowingTaskGroup(of: Outcome?.self) { [process] group in
            group.addTask { try await process.run(request, readable: readable, writable: writable) }
            group.addTask {
                try await Task.sleep(for: limits.wall)
                return nil
            }
            // Leaving the group cancels what still runs, which kills the child, and waits for it.
            defer { group.cancelAll() }
            guard let outcome = try await group.next()?.flatMap(\.self) else { throw RenderFailed(.tooSlow) }
            return outcome
        }
    }
}
