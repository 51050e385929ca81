import CompositionModel
import Farm
import Foundation
import WireProtocol

/// Draws operations that are likely to matter, from what earlier answers told: mostly sensible, sometimes late,
/// repeated, somebody else's or nonsense.
struct FarmScript {
    private struct Held {
        let attempt: AttemptID
        let job: JobID
        let position: Int
        let worker: WorkerID
    }

    private var generator: SeededGenerator
    private var now = FarmConformance.start
    private var jobs: [JobID] = []
    private var keys: [NewJob] = []
    private var workers: [WorkerID] = []
    private var polls: [LeasePoll] = []
    private var held: [Held] = []
    private var assets: [ContentDigest] = []
    private var offers: [PartOffer] = []
    private var parts: [PartRecord] = []
    /// The job that was last seen to have failed.
    private var failed: JobID?
    /// The movies that were claimed to be put where they go.
    private var claims: [DueDelivery] = []
    /// What follows from an earlier answer.
    private var upcoming: [FarmOperation] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> FarmOperation {
        // Enough that nearly every script has one of each version for all kinds.
        if workers.count < 4 { return .registerWorker(registration()) }
        if !upcoming.isEmpty { return upcoming.removeFirst() }
        switch chance(100) {
        case 0..<21: return advance()
        case 21..<33: return .sweep
        case 33: return chance(2) == 0 ? administerBlocklist() : takeOrKeep()
        case 34..<38: return takeOrKeep()
        case 38..<58: return acquire()
        case 58..<76: return complete()
        case 76..<81: return fail()
        case 81..<83: return reject()
        case 83..<89: return renew()
        case 89..<92: return insert()
        case 92..<97: return administer()
        default: return look()
        }
    }

    /// Every table, as the store shows it.
    func closing() -> [FarmOperation] {
        var all: [FarmOperation] = [
            .now, .jobs(JobFilter(limit: 1000)), .workers, .events(after: 0, job: nil, limit: 100_000),
            .offers(limit: 1000), .claimDeliveries(["exports", "archive"], limit: 1000), .parts(limit: 1000),
            .partTotals,
            .summary(owner: nil, search: nil), .standings(jobs), .blockedWorkers,
        ]
        for job in jobs {
            all += [.job(job), .tasks(job), .events(after: 3, job: job, limit: 50), .layout(job), .spans(job)]
            let choices: [AcceptedPart.Choice] = [.all, .firstPicture, .firstSound, .newestPicture, .at([1, 0, 3])]
            all += choices.map { .accepted(job, $0) }
            all += JobDocument.allCases.map { .slice($0, job, 0..<100) }
        }
        // What the views of tasks do not show: claims.
        all += held.suffix(60).map { .task($0.attempt) }
        return all + assets.map { .asset($0) }
    }

    mutating func note(_ operation: FarmOperation, _ answer: FarmAnswer) {
        switch (operation, answer) {
        case (.registerWorker, .registered(let registered)): workers.append(registered.worker)
        case (.insertJob(let job), .inserted(let insertion)) where insertion.isNew:
            jobs.append(insertion.job.id)
            keys.append(job)
        case (.insertJobs(let sent), .insertions(let answers)):
            for (job, answer) in zip(sent, answers) {
                guard let insertion = try? answer.get(), insertion.isNew else { continue }
                jobs.append(insertion.job.id)
                keys.append(job)
            }
        case (.acquire(let polls), .polls(let outcomes)):
            for (poll, outcome) in zip(polls, outcomes) { note(poll, outcome) }
        case (.jobs, .jobs(let jobs)):
            failed = jobs.first { $0.state == .failed }?.id ?? failed
            // Few that failed are no longer kept: each that is seen is retried.
            if let pruned = jobs.first(where: { $0.state == .failed && $0.isPruned == true }) {
                upcoming.append(.control(pruned.id, .retry))
            }
        case (.prune, .pruned(let count)) where count > 0:
            upcoming.append(.jobs(JobFilter(states: [.failed], limit: 50)))
        case (.offers, .offers(let offers)): self.offers = offers
        case (.claimDeliveries, .deliveries(let found)): claims += found
        case (.renewDelivery, .deliveries(let found)): claims += found
        case (.parts, .parts(let parts)): self.parts += parts
        case (.appendLog(_, let attempt, _), .logged(true)): upcoming.append(.log(attempt))
        case (.putAsset(let asset), _): assets.append(asset.record.digest)
        default: break
        }
    }

    private mutating func note(_ poll: LeasePoll, _ outcome: PollOutcome) {
        guard case .granted(let grants) = outcome, !grants.isEmpty else { return }
        polls.append(poll)
        held += grants.map { grant in
            Held(attempt: grant.attempt, job: grant.job, position: grant.payload.label, worker: poll.worker)
        }
    }
}

// Time and leases
extension FarmScript {
    private mutating func advance() -> FarmOperation {
        let step: Int
        switch chance(40) {
        case 0: step = 700_000
        case 1..<5: step = 3000 + chance(9000)
        case 5..<20: step = 1000 + chance(1500)
        default: step = chance(900)
        }
        now = now.adding(milliseconds: Int64(step))
        return .setClock(now)
    }

    private mutating func acquire() -> FarmOperation {
        .acquire(
            (0..<(1 + chance(3))).map { _ in chance(8) == 0 ? polls.randomElement(using: &generator) ?? poll() : poll()
            }
        )
    }

    private mutating func poll() -> LeasePoll {
        let kinds: [TaskKind] = chance(3) == 0 ? [.stitch] : chance(4) == 0 ? [.picture] : TaskKind.allCases
        return LeasePoll(
            worker: worker(),
            poll: identifier(),
            kinds: kinds,
            capacity: chance(12) == 0 ? 0 : 1 + chance(3),
            waitMilliseconds: 0
        )
    }

    /// One heartbeat or several at once, some of one worker.
    private mutating func renew() -> FarmOperation {
        .renew((0..<(chance(2) == 0 ? 1 : chance(5))).map { _ in beat() })
    }

    private mutating func beat() -> WorkerBeat {
        let worker = worker()
        var attempts = held.suffix(8).filter { $0.worker == worker || chance(6) == 0 }.map(\.attempt)
        if chance(10) == 0 { attempts.append(identifier()) }
        if chance(10) == 0, let again = attempts.first { attempts.append(again) }
        return WorkerBeat(worker, attempts.map { AttemptProgress(attempt: $0, permille: chance(1200) - 100) })
    }

    /// One completion or several at once, some of one attempt.
    private mutating func complete() -> FarmOperation {
        let completions = (0..<(chance(2) == 0 ? 1 : 1 + chance(4))).compactMap { _ in completion() }
        return completions.isEmpty ? .sweep : .complete(completions)
    }

    private mutating func completion() -> AttemptCompletion? {
        guard let task = recent() else { return nil }
        let digest =
            chance(12) == 0
            ? ContentDigest(of: Data("other \(chance(3))".utf8))
            : SampleJob.artifact(task.job, position: task.position)
        let completion = TaskCompletion(
            worker: chance(20) == 0 ? worker() : task.worker,
            artifact: digest,
            byteCount: Int64(1000 + chance(1000)),
            unitCount: 120,
            statistics: TaskStatistics(wallMilliseconds: Int64(chance(5000)), cpuMilliseconds: 7)
        )
        return AttemptCompletion(chance(40) == 0 ? identifier() : task.attempt, completion)
    }

    private mutating func fail() -> FarmOperation {
        guard let task = recent() else { return .sweep }
        let failures = [
            Failure(code: FarmFailure.renderCrashed, message: "The child died of signal 11.", isPermanent: false),
            Failure(code: "source_unreadable", message: "The source could not be read.", isPermanent: false),
            Failure(code: "upload_refused", message: "The artifact was refused.", isPermanent: false),
            Failure(code: "asset_truncated", message: "The asset ends early.", isPermanent: true),
        ]
        let failure = failures[chance(24) == 0 ? 3 : chance(3)]
        return .fail(task.attempt, TaskFailure(worker: chance(20) == 0 ? worker() : task.worker, failure: failure))
    }

    /// Mostly parts that may be accepted; their digests may stand in several jobs.
    private mutating func reject() -> FarmOperation {
        let tasks = (0..<(1 + chance(2))).compactMap { _ in
            chance(3) == 0 ? held.randomElement(using: &generator) : recent()
        }
        if chance(6) == 0, let task = tasks.first { return .task(task.attempt) }
        let failure = Failure(
            code: [FarmFailure.artifactLost, FarmFailure.artifactDamaged, FarmFailure.partWithdrawn][chance(3)],
            message: "The part cannot be joined.",
            isPermanent: false
        )
        return .reject(tasks.map { SampleJob.artifact($0.job, position: $0.position) }, failure)
    }

    /// Mostly one of the newest, sometimes any.
    private mutating func recent() -> Held? {
        chance(6) == 0 ? held.randomElement(using: &generator) : held.suffix(5).randomElement(using: &generator)
    }
}

// Parts, and what is kept of jobs
extension FarmScript {
    /// Mostly what was offered last, and sometimes what was offered long ago.
    private mutating func takeOrKeep() -> FarmOperation {
        switch chance(22) {
        case 20: return .artifacts(madeBy: "worker \(chance(6))")
        case 21: return .forgetParts(offers.suffix(chance(2)).map(\.part.artifact))
        case 0..<7: return .offers(limit: 1 + chance(8))
        case 7..<13: return .take(offers.filter { _ in chance(5) > 0 })
        case 13: return .parts(limit: chance(6))
        case 14: return .partTotals
        case 15: return removeParts()
        case 16: return .prune(limit: 1 + chance(2))
        case 17:
            guard let part = parts.randomElement(using: &generator) else { return .prune(limit: 3) }
            return chance(2) == 0 ? .part(part.name) : .putPart(part)
        default:
            let named = (offers.map(\.part) + parts).suffix(6).map(\.artifact)
            return .unreferenced(named + held.suffix(4).map { SampleJob.artifact($0.job, position: $0.position) })
        }
    }

    private mutating func removeParts() -> FarmOperation {
        switch chance(8) {
        case 0: return .removeParts(.all)
        case 1: return .removeParts(.madeBy("worker \(chance(6))"))
        case 2..<5: return .removeParts(.unused(milliseconds: Int64(chance(20_000))))
        default: return .removeParts(.beyond(bytes: Int64(chance(6000))))
        }
    }
}

// Jobs and workers
extension FarmScript {
    private mutating func insert() -> FarmOperation {
        guard chance(4) == 0 else { return .insertJob(newJob()) }
        let owner = chance(3) == 0 ? "other" : "owner"
        return .insertJobs(
            (0..<chance(4)).map { number in
                var job = newJob()
                if chance(20) > 0 { job.owner = owner }
                // Sometimes twice the same in one request.
                if chance(3) > 0 { job.idempotencyKey += " \(number)" }
                return job
            }
        )
    }

    private mutating func newJob() -> NewJob {
        if chance(6) == 0, var again = keys.randomElement(using: &generator) {
            if chance(3) == 0 { again.submission = ContentDigest(of: Data("another edit".utf8)) }
            return again
        }
        var job = SampleJob.job(
            key: "job \(jobs.count)",
            owner: chance(3) == 0 ? "other" : "owner",
            segments: 1 + chance(6),
            hasSound: chance(2) == 0,
            rounds: chance(2) == 0 ? 0 : 1 + chance(3),
            priority: chance(3) - 1,
            cost: Int64(chance(4) == 0 ? 900_000 : 3000),
            sharesParts: chance(3) > 0
        )
        if chance(4) > 0 { job.submission = ContentDigest(of: Data(job.idempotencyKey.utf8)) }
        if chance(2) == 0 { job = job.pinned(to: libraries()) }
        if chance(12) == 0 { job.tasks = [] }
        if chance(4) == 0 { job.window = window() }
        if chance(3) == 0 { job.delivery = delivery() }
        if chance(5) == 0 { job.requirements = requirements() }
        if chance(3) == 0 { job.audit = chance(3) == 0 ? AuditShare("40%") : .all }
        if chance(2) == 0 { job.deadline = now.adding(milliseconds: Int64(chance(60) - 2) * 1000) }
        if chance(4) == 0 { job.afterJobs = Array(Set((0..<(1 + chance(2))).map { _ in self.job() })).sorted() }
        return job
    }

    /// Few places, so that several jobs want one.
    private mutating func delivery() -> NewDelivery {
        let root = chance(3) == 0 ? "archive" : "exports"
        return NewDelivery(target: "\(root)/\(chance(4)).mp4", replaces: chance(2) == 0, isOccupied: chance(8) == 0)
    }

    /// One of the claims that were made, mostly of the last ones; some are lost.
    private mutating func claim() -> DueDelivery {
        if let last = claims.suffix(3).randomElement(using: &generator), chance(8) > 0 { return last }
        return DueDelivery(
            job: job(),
            artifact: ContentDigest(of: Data()),
            target: "exports/0.mp4",
            replaces: false,
            claimedUntil: now
        )
    }

    private mutating func outcome() -> DeliveryOutcome {
        chance(2) == 0 ? .delivered : .failed("A file lies there.", retryMilliseconds: Int64(chance(3000)))
    }

    private mutating func period() -> FarmPeriod {
        let since = now.adding(milliseconds: -Int64(chance(900_000)))
        return FarmPeriod(
            since: since,
            until: since.adding(milliseconds: Int64(chance(900_000))),
            owner: chance(2) == 0 ? nil : chance(2) == 0 ? "owner" : "other"
        )
    }

    /// A window of one to four minutes around now, which is open, or opens or closes soon; the script begins at 22:13:20
    /// in London.
    private mutating func window() -> JobWindow {
        let wall = WindowCalendar(JobWindow(after: WallTime(minutes: 0), until: WallTime(minutes: 1), timeZone: "UTC"))
            .wall(at: now).time.minutes
        let opens = wall - 2 + chance(4)
        return JobWindow(
            after: WallTime(minutes: opens),
            until: WallTime(minutes: opens + 1 + chance(4)),
            days: chance(3) == 0 ? WeekdaySet("mon-wed") : nil,
            timeZone: chance(2) == 0 ? "UTC" : "Europe/London"
        )
    }

    private mutating func administer() -> FarmOperation {
        switch chance(24) {
        case 20: return .claimDeliveries(chance(2) == 0 ? ["exports"] : ["exports", "archive"], limit: chance(4))
        case 21: return .renewDelivery(claim())
        case 22..<24: return .noteDelivery(outcome(), claim())
        case 14: return .undrain(worker())
        case 15..<18:
            let task = recent()
            let attempt = task?.attempt ?? identifier()
            let speaker = chance(6) == 0 ? worker() : task?.worker ?? worker()
            let at = Date(timeIntervalSince1970: Double(chance(1_000_000)))
            let text = String(repeating: chance(2) == 0 ? "a\u{1b}[1m" : "ö", count: chance(400))
            return .appendLog((0..<chance(120)).map { LogLine(at: at, text: "\($0) \(text)") }, attempt, speaker)
        case 18: return chance(4) == 0 ? .trimLogs(Int64(chance(60_000))) : .log(recent()?.attempt ?? identifier())
        case 19: return .tally
        case 9: return .control(job(), chance(3) == 0 ? .pause : .resume)
        case 10: return .control(job(), .priority(chance(8) == 0 ? 1 << 40 : chance(5) - 2))
        case 11..<14: return .control(failed ?? job(), .retry)
        case 0: return .cancel(job())
        case 1: return .drain(worker())
        case 2..<6:
            let leaver = worker()
            let attempts = held.suffix(6).filter { $0.worker == leaver || chance(5) == 0 }.map(\.attempt)
            return .release(leaver, LeaseRelease(attempts: attempts, leaving: chance(3) == 0))
        case 6: return chance(2) == 0 ? .putAsset(asset()) : .tellLate(job())
        default: return .registerWorker(registration())
        }
    }

    private mutating func administerBlocklist() -> FarmOperation {
        let name = "worker \(chance(workers.count))"
        switch chance(8) {
        case 0: return .block(name, "its disk is being replaced")
        case 1..<4: return .unblock(name)
        case 4: return .blockedWorkers
        default: return .withdrawFaulty
        }
    }

    private mutating func look() -> FarmOperation {
        switch chance(17) {
        case 15: .periodTally(period())
        case 16: .periodJobs(FarmPeriodList.allCases[chance(5)], period(), limit: chance(6))
        case 14: .spans(job())
        case 12: .layout(job())
        case 13: .accepted(job(), accepted())
        case 9: .standings(jobs.suffix(1 + chance(6)) + [job()])
        case 10: .chosen(job(), [chance(4), chance(4), 9])
        case 11: .summary(owner: chance(2) == 0 ? "owner" : nil, search: chance(3) == 0 ? "JOB \(chance(4))" : nil)
        case 8: .deadlines(limit: chance(4))
        case 7: .readings(recent()?.attempt ?? identifier())
        case 0: .job(job())
        case 1: chance(2) == 0 ? .tasks(job()) : .page(job(), from: chance(6) - 1, limit: chance(4))
        case 2: .workers
        case 3:
            .jobs(
                JobFilter(
                    owner: chance(2) == 0 ? "owner" : nil,
                    states: chance(2) == 0 ? [chance(2) == 0 ? .rendering : .queued, .failed] : [],
                    before: chance(2) == 0 ? job() : nil,
                    search: chance(3) == 0 ? "JOB \(chance(12))" : nil,
                    identifiers: chance(3) == 0
                        ? JobID.beginning(with: String(job().description.prefix(4 + chance(20)))) : nil,
                    isPaused: chance(4) == 0 ? chance(2) == 0 : nil,
                    limit: 1 + chance(5)
                )
            )
        case 4: .events(after: Int64(chance(200)), job: chance(2) == 0 ? job() : nil, limit: chance(30))
        case 5: .asset(assets.randomElement(using: &generator) ?? ContentDigest(of: Data("none".utf8)))
        default: .slice(chance(2) == 0 ? .composition : .plan, job(), range())
        }
    }

    private mutating func accepted() -> AcceptedPart.Choice {
        switch chance(5) {
        case 0: .all
        case 1: .firstPicture
        case 2: .firstSound
        case 3: .newestPicture
        default: .at([chance(8), chance(8), 90])
        }
    }

    /// A range in a document of some ten bytes; some lie beyond its end.
    private mutating func range() -> Range<Int> {
        let start = chance(20)
        return start..<start + chance(20)
    }

    /// Of a farm that is being upgraded.
    private static let libraries = [["libavcodec": "59.37.100"], ["libavcodec": "60.3.100"]]

    private mutating func libraries() -> [String: String] { FarmScript.libraries[chance(4) == 0 ? 1 : 0] }

    private mutating func registration() -> WorkerRegistration {
        WorkerRegistration(
            name: "worker \(workers.count)",
            kinds: chance(3) == 0 ? [.picture, .sound] : TaskKind.allCases,
            slots: 1 + chance(4),
            rendererVersion: 1,
            libraries: libraries(),
            machine: chance(3) == 0 ? "machine \(chance(3))" : nil,
            tags: chance(2) == 0 ? ["gpu", "room"] : nil,
            memoryBytes: chance(2) == 0 ? Int64(1 + chance(3)) << 33 : nil
        )
    }

    private mutating func requirements() -> Requirements {
        let all = ["tag=gpu", "memory=16GiB", "encoder=aac"].compactMap { WorkerRequirement($0) }
        return Requirements(all.filter { _ in chance(2) == 0 })
    }

    private mutating func asset() -> StoredAsset {
        let digest = ContentDigest(of: Data("asset \(chance(3))".utf8))
        let record = AssetRecord(
            digest: digest,
            byteCount: Int64(chance(10_000)),
            blocks: [digest],
            facts: nil,
            frameIndexes: [0: digest]
        )
        return StoredAsset(record: record, path: chance(2) == 0 ? "/media/clip.mp4" : nil)
    }
}

// Draws
extension FarmScript {
    private mutating func chance(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func identifier<Identifier: TypedIdentifier>() -> Identifier {
        Identifier(milliseconds: UInt64(clamping: now.milliseconds), using: &generator)
    }

    private mutating func worker() -> WorkerID {
        chance(30) == 0 ? identifier() : workers.suffix(5).randomElement(using: &generator) ?? identifier()
    }

    private mutating func job() -> JobID {
        chance(20) == 0 ? identifier() : jobs.randomElement(using: &generator) ?? identifier()
    }
}

extension TaskPayload {
    /// Tells the results of a job's tasks apart, roughly: enough for a script.
    fileprivate var label: Int {
        switch self {
        case .picture: 0
        case .sound: 1
        case .stitch: 2
        case .stills: 3
        case .measure: 4
        }
    }
}
