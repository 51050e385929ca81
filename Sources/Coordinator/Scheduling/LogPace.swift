import Synchronization
import Timing
import WireProtocol

/// Limits how often lines are added to the log of one attempt: each time its row of the database is written anew.
final class LogPace: Sendable {
    /// The requests about one attempt that are allowed in ten seconds. A worker sends one with each heartbeat.
    static let most = 20
    private static let window: Duration = .seconds(10)

    /// A worker and the attempt that it says is its own: whoever names another's uses up nothing of the other's.
    private struct Speaker: Hashable {
        let worker: WorkerID
        let attempt: AttemptID
    }

    private struct Window {
        let age: Stopwatch
        var count: Int
    }

    private let clock: any Clock<Duration>
    private let windows = Mutex(RecentValues<Speaker, Window>(limit: 8192))

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// Counts a request of a worker about an attempt.
    /// - Returns: whether it may add lines.
    func allows(_ attempt: AttemptID, by worker: WorkerID) -> Bool {
        let speaker = Speaker(worker: worker, attempt: attempt)
        return windows.withLock { windows in
            var window = windows.value(of: speaker) ?? Window(age: Stopwatch(on: clock), count: 0)
            if window.age.elapsed >= Self.window { window = Window(age: Stopwatch(on: clock), count: 0) }
            guard window.count < Self.most else { return false }
            window.count += 1
            windows.keep(window, for: speaker, cost: 1)
            return true
        }
    }
}
