import Foundation

/// One thread that runs an actor's jobs in order: blocking calls belong here, never on the cooperative pool.
///
/// The thread lives until ``stop(after:)``; what it starts with a parent-death signal lives no longer than it
/// (prctl(2): "the parent" is the thread that made the child).
package final class ThreadExecutor: SerialExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isStopping = false
    private var lastWork: (@Sendable () -> Void)?

    /// Starts the thread.
    /// - Parameter name: the name of the thread in debuggers.
    package init(name: String) {
        let thread = Thread { [self] in loop() }
        thread.name = name
        thread.start()
    }

    /// Adds a job behind those that wait. Swift's runtime calls it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    /// Ends the thread once the jobs it has, and then `lastWork`, are done.
    ///
    /// A plain `deinit` hands its clean-up over here. An `isolated deinit` would do the same, but Swift 6.3.1 stops
    /// with “circular reference” when it optimises a module that uses a public actor which has one.
    package func stop(after lastWork: (@Sendable () -> Void)? = nil) {
        condition.withLock {
            isStopping = true
            self.lastWork = lastWork
            condition.signal()
        }
    }

    private func loop() {
        var batch: [UnownedJob] = []
        while true {
            condition.lock()
            while jobs.isEmpty && !isStopping { condition.wait() }
            swap(&batch, &jobs)
            condition.unlock()
            if batch.isEmpty {
                lastWork?()
                return
            }
            for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
            batch.removeAll(keepingCapacity: true)
        }
    }
}
