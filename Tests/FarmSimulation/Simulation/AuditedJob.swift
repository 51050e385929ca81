import CompositionModel
import Farm
package import WireProtocol

/// A job of which a worker with faulty memory renders everything first and spoils some parts, and two sound workers what
/// is left: its audits, and what the farm asks to be rendered again.
package struct AuditedJob {
    private var tables: FarmTables
    private var now = FarmTime(milliseconds: 1_700_000_000_000)
    private var generator: SeededGenerator
    private let job: NewJob
    private let spoiltPositions: Set<Int>
    private var workers: [(id: WorkerID, name: String)] = []
    private var submitted: JobID?

    /// - Parameters:
    ///   - parts: the number of segments.
    ///   - spoilt: the number of those that the faulty worker spoils, drawn by `seed`.
    package init(seed: UInt64, parts: Int, spoilt: Int, share: AuditShare) {
        generator = SeededGenerator(seed: seed)
        tables = FarmTables(policy: FarmPolicy(), identifiers: IdentifierSource(seed: seed))
        var job = SampleJob.job(key: "job", segments: parts, hasSound: false)
        job.audit = share
        self.job = job
        spoiltPositions = Set((0..<parts).shuffled(using: &generator).prefix(spoilt))
    }

    /// Renders until nothing is left to render; the movie is not joined.
    /// - Throws: ``FarmStoreError``, which nothing causes.
    package mutating func run() throws {
        for name in ["faulty", "sound", "other"] {
            let registration = WorkerRegistration(
                name: name,
                kinds: [.picture],
                slots: 8,
                rendererVersion: 1,
                libraries: [:]
            )
            workers.append((tables.registerWorker(registration, at: now).worker, name))
        }
        submitted = try tables.insertJob(job, at: now).job.id
        var idle = 0
        var turn = 0
        while idle < 2 * workers.count {
            // The faulty worker has the job to itself until it has rendered everything.
            let isFirst = tables.tasks.contains { $0.record.kind == .picture && $0.attempts.isEmpty }
            let worker = workers[isFirst ? 0 : turn % workers.count]
            turn += 1
            idle = render(worker) ? 0 : idle + 1
            now = now.adding(milliseconds: 1000)
            _ = tables.sweep(at: now)
            _ = tables.withdrawFaulty(at: now)
        }
    }

    private mutating func render(_ worker: (id: WorkerID, name: String)) -> Bool {
        let poll = LeasePoll(
            worker: worker.id,
            poll: PollID(milliseconds: 1, using: &generator),
            kinds: [.picture],
            capacity: 8,
            waitMilliseconds: 0
        )
        guard case .granted(let grants)? = tables.acquireLeases([poll], at: now).first, !grants.isEmpty else {
            return false
        }
        for grant in grants {
            guard let position = tables.row(grant.task)?.record.position else { continue }
            let made = SampleJob.artifact(grant.job, position: position)
            let isSpoilt = worker.name == "faulty" && spoiltPositions.contains(position)
            let completion = TaskCompletion(
                worker: worker.id,
                artifact: isSpoilt ? SampleJob.spoilt(made) : made,
                byteCount: 1000,
                unitCount: 120,
                statistics: TaskStatistics()
            )
            _ = tables.complete(grant.attempt, completion, at: now)
        }
        return true
    }

    /// Whether the faulty worker, and no other, is blocked.
    package var isCaught: Bool { tables.blockedWorkers().map(\.name) == ["faulty"] }

    /// Whether the parts are those of sound machines, if the faulty worker was caught.
    package var isWholeIfCaught: Bool {
        guard isCaught, let submitted else { return tables.blockedWorkers().isEmpty }
        return tables.rows(of: submitted).filter { $0.record.kind == .picture }.allSatisfy { row in
            row.record.artifact == SampleJob.artifact(submitted, position: row.record.position)
        }
    }
}
