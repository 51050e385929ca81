import CompositionModel
package import Farm
import WireProtocol

/// A job on workers of which some are ten times slower, without disturbance and in no time: the queue's order and the
/// farm's hedging decide, and what is told is when the last task is completed.
///
///     fast    [====][==][===][==][=]·[==]         the hedge of what the slow one began last
///     slow    [=======================……………       its attempt ends when the other is accepted
///             0                           makespan
package struct UnevenFarm {
    /// What there is to do, and who does it.
    package struct Shape: Sendable, CustomStringConvertible {
        let workers: Int
        let slow: Int
        let tasks: Int

        /// - Parameter slow: the number of the workers that are ten times slower.
        package init(workers: Int, slow: Int, tasks: Int) {
            (self.workers, self.slow, self.tasks) = (workers, slow, tasks)
        }

        package var description: String { "\(workers) workers, \(slow) of them slow, \(tasks) tasks" }
    }

    /// What a run showed.
    package struct Report: Sendable {
        /// Milliseconds until the last task was completed.
        package let makespan: Int64
        /// The milliseconds that all work takes at the speed of all workers together.
        package let ideal: Int64
        /// The number of second attempts.
        package let hedges: Int

        /// The makespan as a multiple of the ideal.
        package var ratio: Double { Double(makespan) / Double(ideal) }
    }

    private struct Attempt {
        let worker: Int
        let started: Int64
        let ends: Int64
    }

    private struct Task {
        let candidate: GrantCandidate
        /// The time that a fast worker takes.
        let milliseconds: Int64
        var live: [Attempt] = []
    }

    private enum Event {
        case free(worker: Int)
        case ends(task: Int, worker: Int)
        /// The coordinator asks for all polls that wait.
        case round
    }

    /// The times of a worker: a heartbeat, and how often what waits is asked for again.
    private static let (heartbeat, tick): (Int64, Int64) = (1500, 1000)

    private let policy: HedgePolicy
    private let shape: Shape
    private let workers: [WorkerRecord]
    private let polls: [LeasePoll]
    private let slownesses: [Int64]
    private var tasks: [Task]
    private var next = 0
    private var queue = EventQueue<Event>()
    private var idle: [Int] = []
    /// The task that each worker has in hand.
    private var inHand: [Int?]
    private var completed: [(worker: WorkerID, pace: SiblingTimes.Pace)] = []
    private var hedges = 0
    private var left: Int

    /// Costs are from 5 to 15 s, and what the plan expects is off by up to a third.
    package init(seed: UInt64, _ shape: Shape, policy: HedgePolicy = HedgePolicy()) {
        var generator = SeededGenerator(seed: seed)
        (self.shape, self.policy, left) = (shape, policy, shape.tasks)
        workers = (0..<shape.workers).map { _ in
            WorkerRecord(
                id: WorkerID(milliseconds: 0, using: &generator),
                name: "",
                kinds: [.picture],
                slots: 1,
                rendererVersion: 1,
                libraries: [:],
                lastSeen: FarmTime(milliseconds: 0)
            )
        }
        polls = workers.map { worker in
            LeasePoll(
                worker: worker.id,
                poll: PollID(milliseconds: 0, using: &generator),
                kinds: worker.kinds,
                capacity: 1,
                waitMilliseconds: 0
            )
        }
        inHand = Array(repeating: nil, count: shape.workers)
        let slow = Set((0..<shape.workers).shuffled(using: &generator).prefix(shape.slow))
        slownesses = (0..<shape.workers).map { slow.contains($0) ? 10 : 1 }
        let job = JobID(milliseconds: 0, using: &generator)
        tasks = (0..<shape.tasks).map { position in
            let cost = Int64.random(in: 5000...15_000, using: &generator)
            let candidate = GrantCandidate(
                task: TaskID(milliseconds: 0, using: &generator),
                job: job,
                kind: .picture,
                position: position,
                priority: 0,
                costMilliseconds: cost,
                failedWorkers: []
            )
            let error = Int64.random(in: 667...1333, using: &generator)
            return Task(candidate: candidate, milliseconds: cost * error / 1000)
        }
        tasks.sort { GrantCandidate.precedes($0.candidate, $1.candidate) }
    }

    /// Runs the job to its end.
    package consuming func run() -> Report {
        var now: Int64 = 0
        let work = tasks.reduce(0) { $0 + Double($1.milliseconds) }
        let speed = slownesses.reduce(0) { $0 + 1 / Double($1) }
        for worker in workers.indices { queue.schedule(.free(worker: worker), at: 0) }
        queue.schedule(.round, at: Self.tick)
        while left > 0, let (time, event) = queue.next() {
            now = time
            switch event {
            case .free(let worker): serve(worker, at: now)
            case .ends(let task, let worker): end(task, by: worker, at: now)
            case .round:
                hedge(at: now)
                queue.schedule(.round, at: now + Self.tick)
            }
        }
        return Report(makespan: now, ideal: Int64(work / speed), hedges: hedges)
    }

    /// Grants a worker the first task of the queue, or lets it wait.
    private mutating func serve(_ worker: Int, at now: Int64) {
        guard next < tasks.count else { return idle.append(worker) }
        next += 1
        begin(next - 1, by: worker, at: now)
    }

    private mutating func begin(_ task: Int, by worker: Int, at now: Int64) {
        let ends = now + tasks[task].milliseconds * slownesses[worker]
        inHand[worker] = task
        tasks[task].live.append(Attempt(worker: worker, started: now, ends: ends))
        queue.schedule(.ends(task: task, worker: worker), at: ends)
    }

    /// The first of a task's attempts is accepted; the other one's worker learns it with its next heartbeat.
    private mutating func end(_ task: Int, by worker: Int, at now: Int64) {
        guard let accepted = tasks[task].live.first(where: { $0.worker == worker }) else { return }
        for attempt in tasks[task].live {
            let wait = attempt.worker == worker ? 0 : Self.heartbeat
            inHand[attempt.worker] = nil
            queue.schedule(.free(worker: attempt.worker), at: now + wait)
        }
        tasks[task].live = []
        let cost = tasks[task].candidate.costMilliseconds
        let pace = SiblingTimes.Pace(milliseconds: now - accepted.started, costMilliseconds: cost)
        completed.append((workers[worker].id, pace))
        left -= 1
    }

    /// Grants those who wait second attempts.
    private mutating func hedge(at now: Int64) {
        guard !idle.isEmpty else { return }
        let siblings = SiblingTimes(completed)
        let time = FarmTime(milliseconds: now)
        var stragglers = inHand.compactMap { task in
            task.flatMap { task in straggler(task, siblings, at: now).map { (task: task, candidate: $0) } }
        }
        for worker in idle where !stragglers.isEmpty {
            let candidates = stragglers.map(\.candidate)
            guard
                let chosen = policy.choose(candidates, for: polls[worker], of: workers[worker], at: time),
                let place = stragglers.firstIndex(where: { $0.candidate.candidate.task == chosen.candidate.task })
            else { continue }
            begin(stragglers.remove(at: place).task, by: worker, at: now)
            idle.removeAll { $0 == worker }
            hedges += 1
        }
    }

    /// A task with one attempt as the store's query finds it.
    private func straggler(_ task: Int, _ siblings: SiblingTimes, at now: Int64) -> HedgeCandidate? {
        guard tasks[task].live.count == 1, let attempt = tasks[task].live.first else { return nil }
        let told = (now - attempt.started) / Self.heartbeat * Self.heartbeat
        return HedgeCandidate(
            candidate: tasks[task].candidate,
            started: FarmTime(milliseconds: attempt.started),
            worker: workers[attempt.worker].id,
            permille: Int(min(999, 1000 * told / max(1, attempt.ends - attempt.started))),
            siblings: siblings
        )
    }
}
