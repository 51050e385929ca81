import Threads

/// A thread on which tasks compute one after the other, off Swift's few cooperative threads.
actor ComputingThread {
    private let executor = ThreadExecutor(name: "computing")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    deinit { executor.stop() }

    /// Runs `work`, which notices by `Task.isCancelled` that nobody waits for it any more.
    /// - Throws: the error of `work`.
    func run<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value { try work() }
}
