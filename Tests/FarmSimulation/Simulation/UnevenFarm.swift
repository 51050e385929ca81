import CompositionModel
import Farm
import WireProtocol

/// Workers of very different speed at one queue of segments: when all segments are done, and when they would be at best.
/// The tables decide, as in a farm; time is simulated.
package struct UnevenFarm {
    private struct Worker {
        let id: WorkerID
        /// In thousandths of the speed that costs are for.
        let speed: Int64
    }

    private enum Event {
        case poll(Int)
        case finish(Int, LeaseGrant)
    }

    private var tables: FarmTables
    private var workers: [Worker] = []
    private var queue = EventQueue<Event>()
    private var generator: SeededGenerator
    private var left: Int
    private var work: Int64 = 0
    private var now: Int64 = 0
    /// The number of second attempts beside slow ones.
    package private(set) var hedges = 0

    /// - Parameters:
    ///   - workers: the number of workers, of which every tenth has a tenth of the others' speed.
    ///   - jobs: the number of jobs, of `segments` each, of 2 to 6 s of work.
    /// - Throws: ``FarmStoreError``, which nothing causes.
    package init(seed: UInt64, workers count: Int, jobs: Int, segments: Int) throws {
        generator = SeededGenerator(seed: seed)
        tables = FarmTables(policy: FarmPolicy(), identifiers: IdentifierSource(seed: seed))
        left = jobs * segments
        let start = FarmTime(milliseconds: 0)
        for number in 0..<jobs {
            var job = SampleJob.job(key: "job \(number)", segments: segments, hasSound: false)
            for index in job.tasks.indices where job.tasks[index].kind == .picture {
                job.tasks[index].costMilliseconds = Int64.random(in: 2000...6000, using: &generator)
                work += job.tasks[index].costMilliseconds
            }
            _ = try tables.insertJob(job, at: start)
        }
        for number in 0..<count {
            let registration = WorkerRegistration(
                name: "worker \(number)",
                kinds: [.picture],
                slots: 1,
                rendererVersion: 1,
                libraries: [:]
            )
            let id = tables.registerWorker(registration, at: start).worker
            workers.append(Worker(id: id, speed: number % 10 == 0 ? 100 : 1000))
            queue.schedule(.poll(number), at: Int64.random(in: 0...500, using: &generator))
        }
    }

    /// The milliseconds until all segments are done if all workers were busy to the end: no order is faster.
    package var idealMilliseconds: Int64 { work * 1000 / workers.reduce(0) { $0 + $1.speed } }

    /// Renders everything.
    /// - Returns: the milliseconds until the last segment is accepted.
    package mutating func run() -> Int64 {
        while left > 0, let (time, event) = queue.next() {
            now = time
            switch event {
            case .poll(let worker): poll(worker)
            case .finish(let worker, let grant):
                finish(grant, by: workers[worker])
                poll(worker)
            }
        }
        return now
    }

    private var time: FarmTime { FarmTime(milliseconds: now) }

    private mutating func poll(_ worker: Int) {
        let poll = LeasePoll(
            worker: workers[worker].id,
            poll: PollID(milliseconds: UInt64(now), using: &generator),
            kinds: [.picture],
            capacity: 1,
            waitMilliseconds: 0
        )
        guard case .granted(let grants)? = tables.acquireLeases([poll], at: time).first, let grant = grants.first,
            let row = tables.row(grant.task)
        else { return queue.schedule(.poll(worker), at: now + 1000) }
        if row.attempts.count > 1 { hedges += 1 }
        let length = row.record.costMilliseconds * 1000 / workers[worker].speed
        queue.schedule(.finish(worker, grant), at: now + length)
    }

    private mutating func finish(_ grant: LeaseGrant, by worker: Worker) {
        let completion = TaskCompletion(
            worker: worker.id,
            artifact: SampleJob.artifact(ofKey: ContentDigest(of: Array("\(grant.task)".utf8))),
            byteCount: 1,
            unitCount: 1,
            statistics: TaskStatistics()
        )
        if tables.complete(grant.attempt, completion, at: time) == .accepted { left -= 1 }
    }
}
