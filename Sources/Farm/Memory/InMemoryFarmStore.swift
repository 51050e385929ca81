package import CompositionModel
package import Foundation
import Synchronization
package import WireProtocol

/// The store of a farm on one machine, in memory: everything is lost with the process.
///
/// It decides by the same code as the store on PostgreSQL, which is held against it.
package final class InMemoryFarmStore: ClockedFarmStore {
    private struct State {
        var tables: FarmTables
        var clock: FarmClock
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state: Mutex<State>
    private let drawn = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })

    /// Makes an empty store.
    /// - Parameters:
    ///   - identifiers: the source of all identifiers, drawn in the order that ``FarmStore`` says.
    ///   - clock: asked once per operation.
    package init(policy: FarmPolicy = FarmPolicy(), identifiers: IdentifierSource, clock: FarmClock) {
        let tables = FarmTables(policy: policy, identifiers: identifiers)
        state = Mutex(State(tables: tables, clock: clock))
    }

    /// The tables as they are now.
    package var tables: FarmTables { state.withLock { $0.tables } }

    package func setClock(_ now: FarmTime) { state.withLock { $0.clock = .standing(at: now) } }

    package func now() -> FarmTime { state.withLock { $0.clock.now() } }

    package func secret() -> Data { drawn }

    package func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listeners.append(continuation) }
        continuation.yield()
        return stream
    }

    /// Reads under the lock. A copy of the tables that outlives it would have the next writer copy them whole.
    func read<Answer: Sendable>(_ question: (FarmTables) -> Answer) -> Answer {
        state.withLock { question($0.tables) }
    }

    /// One operation, at one instant; wakes the listeners when it wrote an event.
    func transact<Answer: Sendable>(
        _ operation: (inout FarmTables, FarmTime) throws(FarmStoreError) -> Answer
    ) throws(FarmStoreError) -> Answer {
        let result = state.withLock { state -> Result<Answer, FarmStoreError> in
            let before = state.tables.events.count
            let now = state.clock.now()
            do throws(FarmStoreError) {
                let answer = try operation(&state.tables, now)
                if state.tables.events.count != before { state.listeners.removeAll { $0.yield().isTerminated } }
                return .success(answer)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension AsyncStream.Continuation.YieldResult {
    fileprivate var isTerminated: Bool { if case .terminated = self { true } else { false } }
}

extension InMemoryFarmStore {
    package func endSession(_ session: ContentDigest, expires: FarmTime) throws(FarmStoreError) {
        try transact { $0.endSession(session, expires: expires, at: $1) }
    }

    package func hasEnded(_ session: ContentDigest) throws(FarmStoreError) -> Bool { read { $0.hasEnded(session) } }

    package func claimDeliveries(in roots: [String], limit: Int) throws(FarmStoreError) -> [DueDelivery] {
        try transact { (tables, now) throws(FarmStoreError) in
            tables.claimDeliveries(in: roots, limit: limit, at: now)
        }
    }

    package func renew(_ claim: DueDelivery) throws(FarmStoreError) -> DueDelivery? {
        try transact { (tables, now) throws(FarmStoreError) in try tables.renew(claim, at: now) }
    }

    @discardableResult
    package func note(_ outcome: DeliveryOutcome, of claim: DueDelivery) throws(FarmStoreError) -> Bool {
        try transact { (tables, now) throws(FarmStoreError) in try tables.note(outcome, of: claim, at: now) }
    }

    package func tally(of period: FarmPeriod) -> FarmPeriodTally {
        state.withLock { state in
            let now = state.clock.now()
            return state.tables.tally(of: period, at: now)
        }
    }

    package func jobs(of list: FarmPeriodList, in period: FarmPeriod, limit: Int) -> [JobView] {
        state.withLock { state in
            let now = state.clock.now()
            return state.tables.jobs(of: list, in: period, limit: limit, at: now)
        }
    }

    package func insertJob(_ job: NewJob) throws(FarmStoreError) -> JobInsertion {
        try transact { (tables, now) throws(FarmStoreError) in try tables.insertJob(job, at: now) }
    }

    package func insertJobs(_ jobs: [NewJob]) throws(FarmStoreError) -> [Result<JobInsertion, FarmStoreError>] {
        guard Set(jobs.map(\.owner)).count < 2 else {
            throw .invalid("The jobs of one request are those of one owner.")
        }
        return try transact { tables, now in
            jobs.map { job in
                do throws(FarmStoreError) {
                    return .success(try tables.insertJob(job, at: now))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    package func submitted(as key: String, by owner: String) throws(FarmStoreError) -> SubmittedJob? {
        try transact { $0.submitted(as: key, by: owner, at: $1) }
    }

    package func job(_ id: JobID) throws(FarmStoreError) -> JobView? { try transact { $0.job(id, at: $1) } }

    package func jobs(_ filter: JobFilter) throws(FarmStoreError) -> [JobView] {
        try transact { $0.jobs(filter, at: $1) }
    }

    package func tasks(of job: JobID) throws(FarmStoreError) -> [TaskView] { read { $0.tasks(of: job) } }

    package func tasks(of job: JobID, from first: Int, limit: Int) throws(FarmStoreError) -> [TaskView] {
        read { $0.tasks(of: job, from: first, limit: limit) }
    }

    package func tasks(of job: JobID, at positions: [Int]) throws(FarmStoreError) -> [TaskView] {
        read { $0.tasks(of: job, at: positions) }
    }

    package func summary(owner: String?, search: String?) throws(FarmStoreError) -> JobSummary {
        read { $0.summary(owner: owner, search: search) }
    }

    package func standings(of jobs: [JobID]) throws(FarmStoreError) -> [JobID: JobStanding] {
        try transact { $0.standings(of: jobs, at: $1) }
    }

    package func renderedSpans(of job: JobID) throws(FarmStoreError) -> [RenderedSpan] {
        try transact { $0.renderedSpans(of: job, at: $1) }
    }

    package func outputLayout(of job: JobID) -> OutputLayout? { read { $0.outputLayout(of: job) } }

    package func acceptedParts(of job: JobID, _ choice: AcceptedPart.Choice) -> [AcceptedPart] {
        read { $0.acceptedParts(of: job, choice) }
    }

    package func slice(
        of document: JobDocument,
        of job: JobID,
        _ range: Range<Int>
    ) throws(FarmStoreError) -> DocumentSlice? {
        read { $0.slice(of: document, of: job, range) }
    }

    package func jobsWithDeadlines(limit: Int) throws(FarmStoreError) -> [JobView] {
        try transact { $0.jobsWithDeadlines(limit: limit, at: $1) }
    }

    @discardableResult
    package func tellLate(_ job: JobID) throws(FarmStoreError) -> Bool {
        try transact { (tables, now) throws(FarmStoreError) in try tables.tellLate(job, at: now) }
    }

    package func cancel(_ job: JobID) throws(FarmStoreError) -> CancelOutcome {
        try transact { (tables, now) throws(FarmStoreError) in try tables.cancel(job, at: now) }
    }

    package func control(_ job: JobID, _ control: JobControl) throws(FarmStoreError) -> ControlOutcome {
        try transact { (tables, now) throws(FarmStoreError) in try tables.control(job, control, at: now) }
    }

    package func events(after sequence: Int64, job: JobID?, limit: Int) throws(FarmStoreError) -> [JobEvent] {
        read { $0.events(after: sequence, job: job, limit: limit) }
    }

    package func forget(finishedBefore age: Int64, limit: Int) throws(FarmStoreError) -> Int {
        try transact { tables, now in tables.forget(finishedBefore: age, limit: limit, at: now) }
    }

    package func prune(limit: Int) throws(FarmStoreError) -> Int {
        try transact { tables, now in tables.prune(limit: limit, at: now) }
    }

    package func offers(limit: Int) throws(FarmStoreError) -> [PartOffer] { read { $0.offers(limit: limit) } }

    package func take(_ offers: [PartOffer]) throws(FarmStoreError) -> [TaskID] {
        try transact { tables, now in tables.take(offers, at: now) }
    }

    package func part(_ name: PartName) throws(FarmStoreError) -> PartRecord? { read { $0.part(name) } }

    package func parts(limit: Int) throws(FarmStoreError) -> [PartRecord] { read { $0.parts(limit: limit) } }

    package func partTotals() throws(FarmStoreError) -> PartTotals { read { $0.partTotals() } }

    package func putPart(_ part: PartRecord) throws(FarmStoreError) {
        try transact { tables, _ in tables.putPart(part) }
    }

    package func forgetParts(_ artifacts: [ContentDigest]) throws(FarmStoreError) {
        try transact { tables, _ in tables.forgetParts(artifacts) }
    }

    package func artifacts(madeBy worker: String) throws(FarmStoreError) -> [ContentDigest] {
        read { $0.artifacts(madeBy: worker) }
    }

    package func removeParts(_ selection: PartSelection) throws(FarmStoreError) -> [PartRecord] {
        try transact { tables, now in tables.removeParts(selection, at: now) }
    }

    package func lastEvent() throws(FarmStoreError) -> Int64 { read { $0.lastEvent() } }

    package func registerWorker(_ registration: WorkerRegistration) throws(FarmStoreError) -> WorkerRegistered {
        try transact { tables, now in tables.registerWorker(registration, at: now) }
    }

    package func workers() throws(FarmStoreError) -> [WorkerView] {
        try transact { tables, now in tables.workers(at: now) }
    }

    package func drain(_ worker: WorkerID) throws(FarmStoreError) {
        try transact { (tables, _) throws(FarmStoreError) in try tables.drain(worker) }
    }

    @discardableResult
    package func undrain(_ worker: WorkerID) throws(FarmStoreError) -> Bool {
        try transact { (tables, now) throws(FarmStoreError) in try tables.undrain(worker, at: now) }
    }

    package func blockedWorkers() throws(FarmStoreError) -> [BlockedWorker] { read { $0.blockedWorkers() } }

    package func block(_ name: String, because reason: String) throws(FarmStoreError) {
        try transact { tables, now in tables.block(name, because: reason, at: now) }
    }

    @discardableResult
    package func unblock(_ name: String) throws(FarmStoreError) -> Bool {
        try transact { tables, _ in tables.unblock(name) }
    }

    package func disown(_ worker: BlockedWorker) throws(FarmStoreError) {
        try transact { tables, now in tables.disown(worker, at: now) }
    }

    package func artifactsToWithdraw(of worker: BlockedWorker) throws(FarmStoreError) -> [ContentDigest] {
        try transact { tables, _ in tables.artifactsToWithdraw(of: worker) }
    }

    package func noteWithdrawn(_ worker: BlockedWorker) throws(FarmStoreError) {
        try transact { tables, _ in tables.noteWithdrawn(worker) }
    }

    @discardableResult
    package func appendLog(
        _ lines: [LogLine],
        to attempt: AttemptID,
        by worker: WorkerID
    ) throws(FarmStoreError) -> Bool {
        try transact { tables, now in tables.appendLog(lines, to: attempt, by: worker, at: now) }
    }

    package func log(of attempt: AttemptID) throws(FarmStoreError) -> StoredLog? { read { $0.log(of: attempt) } }

    @discardableResult
    package func trimLogs(to byteCount: Int64) throws(FarmStoreError) -> Int {
        try transact { tables, _ in tables.trimLogs(to: byteCount) }
    }

    package func tally() throws(FarmStoreError) -> FarmTally {
        try transact { tables, now in tables.tally(at: now) }
    }

    package func acquireLeases(_ polls: [LeasePoll]) throws(FarmStoreError) -> [PollOutcome] {
        try transact { tables, now in tables.acquireLeases(polls, at: now) }
    }

    package func renew(_ beats: [WorkerBeat], waits: Bool) throws(FarmStoreError) -> [BeatOutcome] {
        try transact { tables, now in tables.renew(beats, at: now) }
    }

    /// Renews the leases of one worker.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    package func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) throws(FarmStoreError) -> HeartbeatReply {
        try transact { (tables, now) throws(FarmStoreError) in try tables.renew(worker, attempts, at: now) }
    }

    package func complete(_ completions: [AttemptCompletion]) throws(FarmStoreError) -> [CompletionOutcome] {
        try transact { tables, now in completions.map { tables.complete($0.attempt, $0.completion, at: now) } }
    }

    /// Completes the task of one attempt.
    package func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion
    ) throws(FarmStoreError) -> CompletionOutcome {
        try transact { tables, now in tables.complete(attempt, completion, at: now) }
    }

    package func acceptedArtifact(of attempt: AttemptID) throws(FarmStoreError) -> ContentDigest? {
        read { $0.acceptedArtifact(of: attempt) }
    }

    package func readings(of attempt: AttemptID) throws(FarmStoreError) -> [[ContentDigest]]? {
        read { $0.readings(of: attempt) }
    }

    package func fail(_ attempt: AttemptID, _ failure: TaskFailure) throws(FarmStoreError) -> FailureOutcome {
        try transact { tables, now in tables.fail(attempt, failure, at: now) }
    }

    package func reject(_ artifacts: [ContentDigest], because failure: Failure) throws(FarmStoreError) -> [TaskID] {
        try transact { tables, now in tables.reject(artifacts, because: failure, at: now) }
    }

    package func task(of attempt: AttemptID) throws(FarmStoreError) -> TaskRecord? {
        read { tables in tables.attempt(attempt).flatMap { tables.row($0.task)?.record } }
    }

    package func release(_ worker: WorkerID, _ release: LeaseRelease) throws(FarmStoreError) {
        try transact { (tables, now) throws(FarmStoreError) in try tables.release(worker, release, at: now) }
    }

    package func sweep() throws(FarmStoreError) -> SweepOutcome {
        try transact { tables, now in tables.sweep(at: now) }
    }

    package func putAsset(_ asset: StoredAsset) throws(FarmStoreError) {
        try transact { tables, _ in tables.putAsset(asset) }
    }

    package func asset(_ digest: ContentDigest) throws(FarmStoreError) -> StoredAsset? { read { $0.asset(digest) } }

    package func unreferenced(_ digests: [ContentDigest]) throws(FarmStoreError) -> [ContentDigest] {
        read { $0.unreferenced(digests) }
    }
}
