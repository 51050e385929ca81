import CompositionModel
import Farm
import Foundation
import Synchronization
import WireProtocol

/// A model store whose grants take as long as a test wants, or fail: a database that stalls.
final class StalledStore: FarmStore {
    let model: InMemoryFarmStore
    /// Called before a completion is decided.
    let beforeCompletion = Mutex<(@Sendable (TaskCompletion) -> Void)?>(nil)
    /// The numbers of jobs that ``insertJobs(_:)`` was asked to store, in order.
    let inserted = Mutex<[Int]>([])
    /// Called before ``offers(limit:)`` is answered.
    let beforeOffers = Mutex<(@Sendable () throws(FarmStoreError) -> Void)?>(nil)
    /// Called before ``take(_:)``.
    let beforeTake = Mutex<(@Sendable ([PartOffer]) throws(FarmStoreError) -> Void)?>(nil)
    /// Called before ``asset(_:)`` is answered.
    let beforeAsset = Mutex<(@Sendable () -> Void)?>(nil)
    /// Called before ``renderedSpans(of:)`` is answered.
    let beforeSpans = Mutex<(@Sendable () -> Void)?>(nil)
    private let gate = Mutex<(isShut: Bool, isDown: Bool)>((false, false))
    private let asked = Mutex(0)
    private let looked = Mutex(0)
    private let counted = Mutex(0)
    private let listed = Mutex<[String]>([])

    init(_ model: InMemoryFarmStore = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)) {
        self.model = model
    }

    /// Grants are decided, and their answers kept back until this is false.
    var isShut: Bool {
        get { gate.withLock { $0.isShut } }
        set { gate.withLock { $0.isShut = newValue } }
    }
    /// Grants cannot be asked for.
    var isDown: Bool {
        get { gate.withLock { $0.isDown } }
        set { gate.withLock { $0.isDown = newValue } }
    }
    /// Calls of ``acquireLeases(_:)`` that have begun.
    var calls: Int { asked.withLock { $0 } }

    /// Calls of ``tally()``.
    var tallies: Int { counted.withLock { $0 } }

    /// Calls that cost as much as a job has tasks, or its documents bytes, in order.
    var lists: [String] { listed.withLock(\.self) }

    /// Calls of ``events(after:job:limit:)`` that have ended.
    var looks: Int { looked.withLock { $0 } }

    func acquireLeases(_ polls: [LeasePoll]) async throws(FarmStoreError) -> [PollOutcome] {
        asked.withLock { $0 += 1 }
        if isDown { throw .unavailable("down") }
        let outcomes = try model.acquireLeases(polls)
        while isShut { try? await Task.sleep(for: .milliseconds(5)) }
        return outcomes
    }

    func secret() -> Data { model.secret() }
    func endSession(_ session: ContentDigest, expires: FarmTime) throws(FarmStoreError) {
        try model.endSession(session, expires: expires)
    }
    func hasEnded(_ session: ContentDigest) throws(FarmStoreError) -> Bool { try model.hasEnded(session) }
    func now() throws(FarmStoreError) -> FarmTime { model.now() }
    func insertJob(_ job: NewJob) throws(FarmStoreError) -> JobInsertion { try model.insertJob(job) }
    func insertJobs(_ jobs: [NewJob]) throws(FarmStoreError) -> [Result<JobInsertion, FarmStoreError>] {
        inserted.withLock { $0.append(jobs.count) }
        if isDown { throw .unavailable("down") }
        return try model.insertJobs(jobs)
    }
    func submitted(as key: String, by owner: String) throws(FarmStoreError) -> SubmittedJob? {
        try model.submitted(as: key, by: owner)
    }
    func job(_ id: JobID) throws(FarmStoreError) -> JobView? {
        listed.withLock { $0.append("job") }
        return try model.job(id)
    }
    func jobsWithDeadlines(limit: Int) throws(FarmStoreError) -> [JobView] {
        try model.jobsWithDeadlines(limit: limit)
    }
    func claimDeliveries(in roots: [String], limit: Int) throws(FarmStoreError) -> [DueDelivery] {
        try model.claimDeliveries(in: roots, limit: limit)
    }
    func renew(_ claim: DueDelivery) throws(FarmStoreError) -> DueDelivery? { try model.renew(claim) }
    func note(_ outcome: DeliveryOutcome, of claim: DueDelivery) throws(FarmStoreError) -> Bool {
        try model.note(outcome, of: claim)
    }
    func tally(of period: FarmPeriod) -> FarmPeriodTally { model.tally(of: period) }
    func jobs(of list: FarmPeriodList, in period: FarmPeriod, limit: Int) -> [JobView] {
        model.jobs(of: list, in: period, limit: limit)
    }
    func tellLate(_ job: JobID) throws(FarmStoreError) -> Bool { try model.tellLate(job) }
    func jobs(_ filter: JobFilter) throws(FarmStoreError) -> [JobView] { try model.jobs(filter) }
    func tasks(of job: JobID) throws(FarmStoreError) -> [TaskView] {
        listed.withLock { $0.append("tasks") }
        return try model.tasks(of: job)
    }
    func renderedSpans(of job: JobID) throws(FarmStoreError) -> [RenderedSpan] {
        listed.withLock { $0.append("spans") }
        beforeSpans.withLock(\.self)?()
        return try model.renderedSpans(of: job)
    }
    func outputLayout(of job: JobID) -> OutputLayout? {
        listed.withLock { $0.append("layout") }
        return model.outputLayout(of: job)
    }
    func acceptedParts(of job: JobID, _ choice: AcceptedPart.Choice) -> [AcceptedPart] {
        if choice == .all { listed.withLock { $0.append("accepted") } }
        return model.acceptedParts(of: job, choice)
    }
    func slice(of document: JobDocument, of job: JobID, _ range: Range<Int>) throws(FarmStoreError) -> DocumentSlice? {
        listed.withLock { $0.append("slice") }
        return try model.slice(of: document, of: job, range)
    }
    func tasks(of job: JobID, from first: Int, limit: Int) throws(FarmStoreError) -> [TaskView] {
        try model.tasks(of: job, from: first, limit: limit)
    }
    func tasks(of job: JobID, at positions: [Int]) throws(FarmStoreError) -> [TaskView] {
        try model.tasks(of: job, at: positions)
    }
    func summary(owner: String?, search: String?) throws(FarmStoreError) -> JobSummary {
        try model.summary(owner: owner, search: search)
    }
    func standings(of jobs: [JobID]) throws(FarmStoreError) -> [JobID: JobStanding] { try model.standings(of: jobs) }
    func cancel(_ job: JobID) throws(FarmStoreError) -> CancelOutcome { try model.cancel(job) }
    func events(after sequence: Int64, job: JobID?, limit: Int) throws(FarmStoreError) -> [JobEvent] {
        defer { looked.withLock { $0 += 1 } }
        return try model.events(after: sequence, job: job, limit: limit)
    }
    func forget(finishedBefore age: Int64, limit: Int) throws(FarmStoreError) -> Int {
        try model.forget(finishedBefore: age, limit: limit)
    }
    func lastEvent() throws(FarmStoreError) -> Int64 { try model.lastEvent() }
    func registerWorker(_ registration: WorkerRegistration) throws(FarmStoreError) -> WorkerRegistered {
        try model.registerWorker(registration)
    }
    func workers() throws(FarmStoreError) -> [WorkerView] { try model.workers() }
    func drain(_ worker: WorkerID) throws(FarmStoreError) { try model.drain(worker) }
    func undrain(_ worker: WorkerID) throws(FarmStoreError) -> Bool { try model.undrain(worker) }
    func blockedWorkers() throws(FarmStoreError) -> [BlockedWorker] { try model.blockedWorkers() }
    func block(_ name: String, because reason: String) throws(FarmStoreError) { try model.block(name, because: reason) }
    func unblock(_ name: String) throws(FarmStoreError) -> Bool { try model.unblock(name) }
    func disown(_ worker: BlockedWorker) throws(FarmStoreError) { try model.disown(worker) }
    func artifactsToWithdraw(of worker: BlockedWorker) throws(FarmStoreError) -> [ContentDigest] {
        try model.artifactsToWithdraw(of: worker)
    }
    func noteWithdrawn(_ worker: BlockedWorker) throws(FarmStoreError) { try model.noteWithdrawn(worker) }
    func appendLog(_ lines: [LogLine], to attempt: AttemptID, by worker: WorkerID) throws(FarmStoreError) -> Bool {
        try model.appendLog(lines, to: attempt, by: worker)
    }
    func log(of attempt: AttemptID) throws(FarmStoreError) -> StoredLog? { try model.log(of: attempt) }
    func trimLogs(to byteCount: Int64) throws(FarmStoreError) -> Int { try model.trimLogs(to: byteCount) }
    func tally() throws(FarmStoreError) -> FarmTally {
        counted.withLock { $0 += 1 }
        return try model.tally()
    }
    func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) throws(FarmStoreError) -> HeartbeatReply {
        try model.renew(worker, attempts)
    }
    func renew(_ beats: [WorkerBeat], waits: Bool) throws(FarmStoreError) -> [BeatOutcome] {
        try model.renew(beats, waits: waits)
    }
    func complete(_ completions: [AttemptCompletion]) throws(FarmStoreError) -> [CompletionOutcome] {
        for one in completions { beforeCompletion.withLock(\.self)?(one.completion) }
        return try model.complete(completions)
    }
    func complete(_ attempt: AttemptID, _ completion: TaskCompletion) throws(FarmStoreError) -> CompletionOutcome {
        beforeCompletion.withLock(\.self)?(completion)
        return try model.complete(attempt, completion)
    }
    func acceptedArtifact(of attempt: AttemptID) throws(FarmStoreError) -> ContentDigest? {
        try model.acceptedArtifact(of: attempt)
    }
    func readings(of attempt: AttemptID) throws(FarmStoreError) -> [[ContentDigest]]? {
        try model.readings(of: attempt)
    }
    func fail(_ attempt: AttemptID, _ failure: TaskFailure) throws(FarmStoreError) -> FailureOutcome {
        try model.fail(attempt, failure)
    }
    func reject(_ artifacts: [ContentDigest], because failure: Failure) throws(FarmStoreError) -> [TaskID] {
        try model.reject(artifacts, because: failure)
    }
    func task(of attempt: AttemptID) throws(FarmStoreError) -> TaskRecord? { try model.task(of: attempt) }
    func release(_ worker: WorkerID, _ release: LeaseRelease) throws(FarmStoreError) {
        try model.release(worker, release)
    }
    func sweep() throws(FarmStoreError) -> SweepOutcome { try model.sweep() }
    func putAsset(_ asset: StoredAsset) throws(FarmStoreError) { try model.putAsset(asset) }
    func asset(_ digest: ContentDigest) throws(FarmStoreError) -> StoredAsset? {
        beforeAsset.withLock(\.self)?()
        return try model.asset(digest)
    }
    func unreferenced(_ digests: [ContentDigest]) throws(FarmStoreError) -> [ContentDigest] {
        try model.unreferenced(digests)
    }
    func control(_ job: JobID, _ control: JobControl) throws(FarmStoreError) -> ControlOutcome {
        try model.control(job, control)
    }
    func prune(limit: Int) throws(FarmStoreError) -> Int { try model.prune(limit: limit) }
    func offers(limit: Int) throws(FarmStoreError) -> [PartOffer] {
        try beforeOffers.withLock(\.self)?()
        return try model.offers(limit: limit)
    }
    func take(_ offers: [PartOffer]) throws(FarmStoreError) -> [TaskID] {
        try beforeTake.withLock(\.self)?(offers)
        return try model.take(offers)
    }
    func part(_ name: PartName) throws(FarmStoreError) -> PartRecord? { try model.part(name) }
    func parts(limit: Int) throws(FarmStoreError) -> [PartRecord] { try model.parts(limit: limit) }
    func partTotals() throws(FarmStoreError) -> PartTotals { try model.partTotals() }
    func putPart(_ part: PartRecord) throws(FarmStoreError) { try model.putPart(part) }
    func forgetParts(_ artifacts: [ContentDigest]) throws(FarmStoreError) { try model.forgetParts(artifacts) }
    func artifacts(madeBy worker: String) throws(FarmStoreError) -> [ContentDigest] {
        try model.artifacts(madeBy: worker)
    }
    func removeParts(_ selection: PartSelection) throws(FarmStoreError) -> [PartRecord] {
        try model.removeParts(selection)
    }
    func changes() -> AsyncStream<Void> { model.changes() }
}
