import Glibc

/// One thread that runs an actor's jobs in order: blocking calls belong here, never on the cooperative pool.
///
/// The thread lives until ``stop(after:)``; what it starts with a parent-death signal lives no longer than it
/// (prctl(2): "the parent" is the thread that made the child).
final class ThreadExecutor: SerialExecutor, @unchecked Sendable {
    // Both are only touched through their addresses, which stay the same as long as the executor lives.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [UnownedJob] = []
    private var isStopping = false
    private var lastWork: (@Sendable () -> Void)?

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        var thread = pthread_t()
        pthread_create(&thread, nil, threadMain, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// The thread ends once the jobs it has, and then `lastWork`, are done.
    ///
    /// A plain `deinit` hands its clean-up over here. An `isolated deinit` would do the same, but Swift 6.3.1 stops with
    /// “circular reference” when it optimises a module that uses a public actor which has one.
    func stop(after lastWork: (@Sendable () -> Void)? = nil) {
        pthread_mutex_lock(mutex)
        isStopping = true
        self.lastWork = lastWork
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    fileprivate func loop() {
        var batch: [UnownedJob] = []
        while true {
            pthread_mutex_lock(mutex)
            while jobs.isEmpty && !isStopping { pthread_cond_wait(condition, mutex) }
            swap(&batch, &jobs)
            pthread_mutex_unlock(mutex)
            if batch.isEmpty {
                lastWork?()
                return
            }
            for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
            batch.removeAll(keepingCapacity: true)
        }
    }
}

// At file scope: a closure would inherit the isolation of where it was written, and trap on this thread.
private func threadMain(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    Unmanaged<ThreadExecutor>.fromOpaque(pointer).takeRetainedValue().loop()
    return nil
}
