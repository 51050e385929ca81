package import Farm

/// A job on workers of different speed, second by second: what a coordinator sees of it, and when it is done. The costs that
/// the plan expects are off by up to half, each worker reports every other second, and some die with their part.
package struct PacedJob {
    private struct Task {
        let costMilliseconds: Int64
        /// The seconds that a worker of speed 1 takes.
        let seconds: Double
        var state = State.queued
        var started: Int64 = 0
        var ended: Int64 = 0
        var done = 0.0
        var reported = 0
    }

    private enum State { case queued, live, completed }

    private struct Worker {
        let speed: Double
        var task: Int?
        /// The second in which the worker dies; another one takes its place after ten seconds.
        var diesAt: Int64?
        var isBackAt: Int64 = 0
    }

    /// The seconds since the beginning.
    package private(set) var second: Int64 = 0
    private var tasks: [Task]
    private var workers: [Worker]

    /// - Parameter deaths: the number of times that a worker dies.
    package init(seed: UInt64, tasks taskCount: Int, workers workerCount: Int, deaths: Int) {
        var generator = SeededGenerator(seed: seed)
        tasks = (0..<taskCount).map { _ in
            let cost = Double.random(in: 5000...15_000, using: &generator)
            let error = Double.random(in: 0.5...1.5, using: &generator)
            return Task(costMilliseconds: Int64(cost), seconds: cost / 1000 * error)
        }
        workers = (0..<workerCount).map { _ in Worker(speed: Double.random(in: 0.5...2, using: &generator)) }
        for _ in 0..<deaths {
            let worker = Int.random(in: 0..<workerCount, using: &generator)
            workers[worker].diesAt = Int64.random(in: 20...200, using: &generator)
        }
    }

    /// Whether all tasks are completed.
    package var isDone: Bool { tasks.allSatisfy { $0.state == .completed } }

    /// The cost of all tasks, in milliseconds of one idle core.
    package var costMilliseconds: Int64 { tasks.reduce(0) { $0 + $1.costMilliseconds } }

    /// The progress in thousandths, as a coordinator computes it.
    package var permille: Int {
        JobRecord.progress(tasks.map { ($0.costMilliseconds, $0.state == .completed ? 1000 : $0.reported) })
    }

    /// The present time.
    package var now: FarmTime { FarmTime(milliseconds: second * 1000) }

    /// What a coordinator reads of the job.
    package var standing: JobStanding {
        let efforts = tasks.enumerated().compactMap { position, task -> TaskEffort? in
            let isRecent = task.state == .completed && (second - task.ended) * 1000 <= JobPace.windowMilliseconds
            guard task.state == .live || isRecent else { return nil }
            return TaskEffort(
                position: position,
                frames: 250,
                costMilliseconds: task.costMilliseconds,
                started: FarmTime(milliseconds: task.started * 1000),
                ended: task.state == .live ? nil : FarmTime(milliseconds: task.ended * 1000),
                permille: task.state == .live ? task.reported : 1000
            )
        }
        return JobStanding(costMilliseconds: costMilliseconds, efforts: efforts)
    }

    /// Lets a second pass.
    package mutating func step() {
        second += 1
        for number in workers.indices {
            if let diesAt = workers[number].diesAt, diesAt == second {
                (workers[number].diesAt, workers[number].isBackAt) = (nil, second + 10)
                if let lost = workers[number].task {
                    (tasks[lost].state, tasks[lost].done, tasks[lost].reported) = (.queued, 0, 0)
                }
                workers[number].task = nil
            }
            guard second >= workers[number].isBackAt else { continue }
            work(number)
        }
    }

    private mutating func work(_ number: Int) {
        guard let current = workers[number].task else {
            guard let next = tasks.firstIndex(where: { $0.state == .queued }) else { return }
            (tasks[next].state, tasks[next].started) = (.live, second)
            workers[number].task = next
            return
        }
        tasks[current].done += workers[number].speed / tasks[current].seconds
        if second % 2 == 0 { tasks[current].reported = min(990, Int(tasks[current].done * 1000)) }
        guard tasks[current].done >= 1 else { return }
        (tasks[current].state, tasks[current].ended) = (.completed, second)
        workers[number].task = nil
    }
}
