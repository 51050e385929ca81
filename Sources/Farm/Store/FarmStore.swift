package import CompositionModel
package import Foundation
package import WireProtocol

/// The farm's memory, in domain words. ``InMemoryFarmStore`` keeps it in memory, PostgreSQL for good; ``FarmConformance``
/// holds one against the other.
///
/// **How an implementation is built.** SQL proposes rows, the pure core decides, the same transaction writes:
///
///     now = farm_now()                                   -- the database's clock, read once per operation
///     SELECT the job, the task, its attempts … FOR UPDATE -- the job first: one order, no deadlock
///     var decision = TaskDecision(job:task:attempts:policy:)
///     let outcome = decision.complete(…, at: now)        -- pure; also grant, fail, release
///     for change in decision.changes { write it }        -- ``FarmChange``, in order
///     COMMIT
///
/// Granting adds one step before: SQL lists ``GrantCandidate``s (tasks of open stages that are queued and due, or
/// leased with every live lease expired), `FOR UPDATE SKIP LOCKED`; ``GrantPolicy`` picks; each pick is decided as
/// above. Renewing is the one bulk path that loads no task: an UPDATE that does what
/// ``LeasePolicy/renewed(_:by:permille:at:)`` says.
///
/// **Every operation is atomic and may be repeated** after ``FarmStoreError/unavailable(_:)``: what was done is not
/// done twice. Each operation that names a worker sets its `lastSeen`, unless it throws.
///
/// **Identifiers** are drawn from an ``IdentifierSource`` given at init, in this order, so that two stores with the
/// same seed give the same: job, then its tasks as listed; worker; one attempt for each pick in the order of the picks.
package protocol FarmStore: SourceStore {
    /// The time by the database's clock.
    /// - Throws: ``FarmStoreError/unavailable(_:)``, as every operation.
    func now() async throws(FarmStoreError) -> FarmTime
    /// 32 random bytes, drawn once for this farm and the same for all its coordinators, which they must never leave.
    func secret() async throws(FarmStoreError) -> Data

    // Sessions of the dashboard

    /// Notes that a session has ended before its time.
    /// - Parameters:
    ///   - session: the digest of its cookie.
    ///   - expires: when it would have ended by itself; some time after that the note is forgotten.
    func endSession(_ session: ContentDigest, expires: FarmTime) async throws(FarmStoreError)
    /// Whether a session was ended before its time.
    func hasEnded(_ session: ContentDigest) async throws(FarmStoreError) -> Bool

    // Jobs

    /// Stores a job and all its tasks, or finds the one that this owner stored under this idempotency key.
    /// - Throws: the refusal that ``insertJobs(_:)`` names.
    func insertJob(_ job: NewJob) async throws(FarmStoreError) -> JobInsertion
    /// Stores jobs of one owner with all their tasks, as if one after the other and all at once, or finds those that this
    /// owner stored under their idempotency keys. One that is refused stops no other.
    /// - Returns: for each job the answer, or the refusal: ``FarmStoreError/invalid(_:)`` for no tasks, a negative
    ///   stage, equal positions, an unknown job to begin after, a target where a file lies, and values that no database
    ///   takes; ``FarmStoreError/targetTaken(_:)`` for a target to which another unfinished job's movie goes;
    ///   ``FarmStoreError/keyTaken`` when it was another submission; ``FarmStoreError/overQuota(_:)`` when the owner
    ///   has too much waiting for a new job; ``FarmStoreError/noAuditor(_:)`` for a new job to be audited while fewer
    ///   than two machines render. Requests that arrive at once are each held against what was stored before.
    /// - Throws: ``FarmStoreError/invalid(_:)`` for jobs of several owners; nothing is stored then.
    func insertJobs(_ jobs: [NewJob]) async throws(FarmStoreError) -> [Result<JobInsertion, FarmStoreError>]
    /// The job that an owner stored under an idempotency key; nil when there is none.
    func submitted(as key: String, by owner: String) async throws(FarmStoreError) -> SubmittedJob?
    /// The job as clients see it; nil for an unknown job.
    func job(_ id: JobID) async throws(FarmStoreError) -> JobView?
    /// The jobs that the filter asks for, newest first.
    func jobs(_ filter: JobFilter) async throws(FarmStoreError) -> [JobView]
    /// The tasks of a job by position, the attempts of each in the order of their grants; empty for an unknown job, and
    /// for one that was pruned.
    func tasks(of job: JobID) async throws(FarmStoreError) -> [TaskView]
    /// Up to `limit` tasks of a job from the position `first` on, as ``tasks(of:)``: whoever reads a job of a hundred
    /// thousand tasks holds a page of them at a time.
    func tasks(of job: JobID, from first: Int, limit: Int) async throws(FarmStoreError) -> [TaskView]
    /// Those tasks of a job that are at `positions`, as ``tasks(of:)``. Positions without a task are passed over.
    func tasks(of job: JobID, at positions: [Int]) async throws(FarmStoreError) -> [TaskView]
    /// The number of jobs of each kind, of one owner or of all, whose titles contain `search` whatever the case of its
    /// letters; nil counts every title.
    func summary(owner: String?, search: String?) async throws(FarmStoreError) -> JobSummary
    /// The standings of those of `jobs` that are not final.
    func standings(of jobs: [JobID]) async throws(FarmStoreError) -> [JobID: JobStanding]
    /// When the frames of a job were rendered, ascending: those of completed attempts, their times rounded down to
    /// ``RenderedSpan/steps`` of the whole, and those that the attempts under way have reported. Tasks without frames, and
    /// those that took a part that was there, add nothing.
    func renderedSpans(of job: JobID) async throws(FarmStoreError) -> [RenderedSpan]
    /// Where the parts of a job's movie lie; nil for a job that makes no movie, for an unknown job, and for one that was
    /// pruned. It costs as much as the job has tasks, and never changes: whoever asks often keeps it.
    func outputLayout(of job: JobID) async throws(FarmStoreError) -> OutputLayout?
    /// Those accepted pieces of a job's picture and sound that are asked for, by position; empty also for an unknown job,
    /// and for one that was pruned. All choices but ``AcceptedPart/Choice/all`` cost the same in a job of any size.
    func acceptedParts(
        of job: JobID,
        _ choice: AcceptedPart.Choice
    ) async throws(FarmStoreError) -> [AcceptedPart]
    /// Those bytes of a document of the job that lie in `range`, which may reach beyond its end; nil for an unknown
    /// job, and for one that was pruned.
    func slice(
        of document: JobDocument,
        of job: JobID,
        _ range: Range<Int>
    ) async throws(FarmStoreError) -> DocumentSlice?
    /// The unfinished jobs with deadlines of which ``tellLate(_:)`` has not told that they are missed: those of the earliest
    /// deadlines, at most `limit`, ascending.
    func jobsWithDeadlines(limit: Int) async throws(FarmStoreError) -> [JobView]
    /// Tells by an event, once, that a job misses its deadline, or will.
    /// - Returns: whether it was told now; false for a job that has ended or has no deadline.
    /// - Throws: ``FarmStoreError/unknownJob``.
    @discardableResult
    func tellLate(_ job: JobID) async throws(FarmStoreError) -> Bool
    /// Claims finished movies that have to be put into output folders of these names now, in the order of when that is due, at
    /// most `limit`. Nobody else is given them until the claim has ended (``DeliveryRecord/claimMilliseconds``).
    func claimDeliveries(in roots: [String], limit: Int) async throws(FarmStoreError) -> [DueDelivery]
    /// Lets a claim last from now on as long as a new one does.
    /// - Returns: the claim as it is then; nil when it is lost: it had ended and somebody else has the movie, or the movie
    ///   lies at its place.
    /// - Throws: ``FarmStoreError/unknownJob``.
    func renew(_ claim: DueDelivery) async throws(FarmStoreError) -> DueDelivery?
    /// Notes what came of putting a finished job's movie where it goes; that it lies there is told by an event, once.
    /// - Returns: whether anything changed; false for a movie that lay there already, for one that goes nowhere, and for a
    ///   failure of somebody whose claim is lost.
    /// - Throws: ``FarmStoreError/unknownJob``.
    @discardableResult
    func note(_ outcome: DeliveryOutcome, of claim: DueDelivery) async throws(FarmStoreError) -> Bool
    /// The numbers of a period, over all that is kept of it: attempts are forgotten some time after their job's end
    /// (``forget(finishedBefore:limit:)``).
    func tally(of period: FarmPeriod) async throws(FarmStoreError) -> FarmPeriodTally
    /// The jobs of a list of a report, at most `limit`.
    func jobs(
        of list: FarmPeriodList,
        in period: FarmPeriod,
        limit: Int
    ) async throws(FarmStoreError) -> [JobView]
    /// Cancels a job: all tasks that are not final become cancelled, and their live attempts are lost.
    /// - Throws: ``FarmStoreError/unknownJob``.
    func cancel(_ job: JobID) async throws(FarmStoreError) -> CancelOutcome
    /// Pauses or resumes a job, gives it another priority, or retries one that failed.
    /// - Throws: ``FarmStoreError/unknownJob``; ``FarmStoreError/invalid(_:)`` for a priority beyond 32 bits;
    ///   ``FarmStoreError/overQuota(_:)`` when the owner of a job to retry has too much waiting.
    func control(_ job: JobID, _ control: JobControl) async throws(FarmStoreError) -> ControlOutcome
    /// The events with a sequence above `sequence`, of one job or of all, ascending, at most `limit`. Sequences ascend
    /// in the order of commit: an event that is seen is never followed by a smaller one.
    func events(after sequence: Int64, job: JobID?, limit: Int) async throws(FarmStoreError) -> [JobEvent]
    /// The sequence of the last event there is; 0 before the first.
    func lastEvent() async throws(FarmStoreError) -> Int64
    /// Removes the events and attempts of up to `limit` jobs that became final more than `age` milliseconds ago; the
    /// jobs and their tasks stay. Sequences of events are not used again. Workers that were silent for so long and have
    /// no attempts left are forgotten as well.
    /// - Returns: the number of jobs pruned; less than `limit` when none remain.
    func forget(finishedBefore age: Int64, limit: Int) async throws(FarmStoreError) -> Int

    /// Removes the tasks and documents of up to `limit` ended jobs of owners who keep more than ``FarmPolicy/history``
    /// admits, with their events and attempts. The jobs stay, with their movie and the numbers of their tasks.
    /// - Returns: the number of jobs pruned; less than `limit` when none remain.
    func prune(limit: Int) async throws(FarmStoreError) -> Int

    // Parts

    /// The tasks of unfinished jobs that are queued though there is a part of their key and versions, at most `limit`:
    /// the oldest of each owner, then the second of each, and so on, so that nobody waits for another's many. No worker
    /// is granted these tasks, nor those whose part is being made for another task.
    func offers(limit: Int) async throws(FarmStoreError) -> [PartOffer]
    /// Completes the tasks of `offers` with the parts, whose bytes the caller has just found intact: those that are still
    /// queued, and whose part is still there.
    /// - Returns: the tasks, ascending.
    func take(_ offers: [PartOffer]) async throws(FarmStoreError) -> [TaskID]
    /// The part of a name; nil when there is none.
    func part(_ name: PartName) async throws(FarmStoreError) -> PartRecord?
    /// The parts, the most recently used first, at most `limit`.
    func parts(limit: Int) async throws(FarmStoreError) -> [PartRecord]
    /// The totals over all kept parts.
    func partTotals() async throws(FarmStoreError) -> PartTotals
    /// Stores a part that was made elsewhere, unless there is one of its name.
    func putPart(_ part: PartRecord) async throws(FarmStoreError)
    /// Forgets the parts of these bytes; what was completed with them stays so.
    func forgetParts(_ artifacts: [ContentDigest]) async throws(FarmStoreError)
    /// The bytes that workers of a name made, as far as the database knows: of kept parts and of completed attempts; and
    /// those that were made by what they measured, also where a job took the measurement: of later rounds, and the sound.
    /// - Returns: the digests, each once, in ascending order.
    func artifacts(madeBy worker: String) async throws(FarmStoreError) -> [ContentDigest]
    /// Forgets the parts that `selection` means, without those on which an unfinished job counts: it was completed with
    /// their bytes, or waits to take them.
    /// - Returns: the parts, the most recently used first.
    func removeParts(_ selection: PartSelection) async throws(FarmStoreError) -> [PartRecord]

    // Workers

    /// Registers a worker. Every registration is a new worker.
    func registerWorker(_ registration: WorkerRegistration) async throws(FarmStoreError) -> WorkerRegistered
    /// The workers by identifier, without those that left or were silent for
    /// ``FarmPolicy/workerRetentionMilliseconds``.
    func workers() async throws(FarmStoreError) -> [WorkerView]
    /// Grants a worker nothing from now on; its next heartbeat is told so.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    func drain(_ worker: WorkerID) async throws(FarmStoreError)
    /// Takes ``drain(_:)`` back for a worker that has not left meanwhile.
    /// - Returns: false, and nothing changes, for a worker that was silent for longer than
    ///   ``FarmPolicy/workerAbsenceMilliseconds``: it takes no work, drained or not.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    @discardableResult
    func undrain(_ worker: WorkerID) async throws(FarmStoreError) -> Bool
    /// The names on the blocklist, ascending, without those workers that ``FarmPolicy/blocklistAfter`` keeps off.
    func blockedWorkers() async throws(FarmStoreError) -> [BlockedWorker]
    /// Grants workers of a name nothing from now on, also those that register later, for this reason; their next heartbeats
    /// are told so. What they hold they may finish.
    func block(_ name: String, because reason: String) async throws(FarmStoreError)
    /// Takes a name off the blocklist, and forgets what its workers failed that others have done. A faulty one stays until what
    /// it made is withdrawn (``withdrawFaulty()``).
    /// - Returns: false when no worker of the name was kept off, and for one that stays.
    @discardableResult
    func unblock(_ name: String) async throws(FarmStoreError) -> Bool
    /// Hands back all that workers hold which an entry of the blocklist keeps off, without counting it against anything, and
    /// drops what they claimed of audited tasks, in the order of tasks. Nobody grants them anything meanwhile: what a poll was
    /// granted that was answered before is handed back too.
    func disown(_ worker: BlockedWorker) async throws(FarmStoreError)
    /// The bytes that workers made which an entry of the blocklist keeps off, as ``artifacts(madeBy:)`` has them, with those of
    /// earlier calls until ``noteWithdrawn(_:)``: once parts are forgotten nothing else may tell who made them.
    /// - Returns: the digests, each once, in ascending order; those of earlier calls alone when the entry is gone.
    func artifactsToWithdraw(of worker: BlockedWorker) async throws(FarmStoreError) -> [ContentDigest]
    /// Notes that what faulty workers made is withdrawn (``withdrawFaulty()``), unless their name was blocked anew since.
    func noteWithdrawn(_ worker: BlockedWorker) async throws(FarmStoreError)

    // Leases

    /// Answers polls as if one after the other, in order; `waitMilliseconds` is the caller's affair. Each poll's answer
    /// is at the poll's place. A poll that was granted attempts before gets those of them that are still live, renewed,
    /// and never more. A poll of capacity 0 gets nothing else. `lastSeen` of all polls' workers is set before the first
    /// is answered.
    ///
    /// Free slots go round between the owners of jobs (``GrantPolicy``). Each pick draws an identifier and is decided, in
    /// order, also when the decision then says no. A decision that gives a task up fails its job, whose other
    /// candidates are thereby gone for later polls.
    func acquireLeases(_ polls: [LeasePoll]) async throws(FarmStoreError) -> [PollOutcome]
    /// Renews the leases named that their workers still hold, as if one beat came after the other, in order; each beat's
    /// answer is at the beat's place. An attempt whose lease ran out and that nobody superseded is renewed too. The lists
    /// of an answer keep the order of its beat.
    /// - Parameter waits: whether leases at which somebody else works are waited for. If not, their workers' beats are
    ///   ``BeatOutcome/undecided``. A single beat alone may wait: several could wait in a ring, each holding others' leases.
    func renew(_ beats: [WorkerBeat], waits: Bool) async throws(FarmStoreError) -> [BeatOutcome]
    /// Completes the tasks of attempts, whose artifacts were stored durably before, as if one came after the other, in
    /// order. While something that a faulty worker made has still to be withdrawn (``withdrawFaulty()``), no movie is
    /// accepted: the lease of its attempt is lost, and the parts are joined again afterwards.
    /// - Returns: each answer at its completion's place, but for the last ones when there are fewer: these completions
    ///   have had no effect, and are to be asked again. There is one answer at least.
    func complete(_ completions: [AttemptCompletion]) async throws(FarmStoreError) -> [CompletionOutcome]
    /// The artifact with which the task of `attempt` is completed; nil when it is not completed, or the attempt is
    /// unknown.
    func acceptedArtifact(of attempt: AttemptID) async throws(FarmStoreError) -> ContentDigest?
    /// The measurements of the stages before the one of `attempt`: stage by stage, the artifacts of its measuring tasks
    /// by position, which are all there once the stage of `attempt` is open. Nil when the attempt is not live.
    func readings(of attempt: AttemptID) async throws(FarmStoreError) -> [[ContentDigest]]?
    /// Records that an attempt failed.
    func fail(_ attempt: AttemptID, _ failure: TaskFailure) async throws(FarmStoreError) -> FailureOutcome
    /// Takes accepted artifacts back, because their bytes are gone or no use: they are no parts any more, and every task of
    /// a job that is not final and was completed with one of them is queued again, in the order of identifiers, as after a
    /// failure of the attempt that made it. Leased tasks of later stages are queued again too, without counting it against
    /// anything, and after a withdrawal (``FarmFailure/spreads(_:)``) also completed ones that measured or mixed the sound.
    /// What machines claimed of audited tasks in later stages is dropped, and after a withdrawal every claim with one
    /// of these artifacts.
    /// - Returns: the tasks, ascending; empty when no such job was completed with any of them.
    @discardableResult
    func reject(_ artifacts: [ContentDigest], because failure: Failure) async throws(FarmStoreError) -> [TaskID]
    /// The task of an attempt, without its payload; nil for an unknown attempt.
    func task(of attempt: AttemptID) async throws(FarmStoreError) -> TaskRecord?
    /// Adds lines to the log of an attempt of `worker` (``StoredLog/append(_:)``): while it is live, and for
    /// ``StoredLog/lateMilliseconds`` after its end.
    /// - Returns: false, and nothing is added, for an attempt of another worker, one that ended longer ago, and one that is
    ///   unknown or no longer kept.
    @discardableResult
    func appendLog(
        _ lines: [LogLine],
        to attempt: AttemptID,
        by worker: WorkerID
    ) async throws(FarmStoreError) -> Bool
    /// The log of an attempt, empty when nothing was said; nil for an attempt that is unknown or no longer kept.
    func log(of attempt: AttemptID) async throws(FarmStoreError) -> StoredLog?
    /// Removes the logs that were written to least recently, so that the others have no more than `byteCount` bytes of
    /// text.
    /// - Returns: the number of logs removed.
    @discardableResult
    func trimLogs(to byteCount: Int64) async throws(FarmStoreError) -> Int
    /// The numbers of what is there now, for monitoring.
    func tally() async throws(FarmStoreError) -> FarmTally
    /// Hands back those of `attempts` that `worker` holds, in the order named, without counting them against anything.
    /// Attempts it does not hold are passed over. A worker that leaves hands back all it holds: those named, then the
    /// others by identifier; from then on it is unknown.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    func release(_ worker: WorkerID, _ release: LeaseRelease) async throws(FarmStoreError)
    /// Lets leases expire. Every coordinator calls it about twice a second. Only a sweep lets leases expire, so that a
    /// farm that slept (stalled database, all coordinators down) takes no work from workers that did not. A sweep also
    /// follows the windows of up to ``FarmPolicy/jobsPerSweep`` jobs that have opened or closed, and what came of the jobs
    /// that as many others await.
    func sweep() async throws(FarmStoreError) -> SweepOutcome

    // Assets

    /// Stores an asset, or replaces what is stored of it.
    func putAsset(_ asset: StoredAsset) async throws(FarmStoreError)
    /// What is stored of an asset; nil for an unknown one.
    func asset(_ digest: ContentDigest) async throws(FarmStoreError) -> StoredAsset?
    /// The ones of `digests` that nothing refers to: no asset and none of its frame indexes, no finished job's output, no
    /// part, no accepted result of a job that is not final.
    func unreferenced(_ digests: [ContentDigest]) async throws(FarmStoreError) -> [ContentDigest]

    /// Yields at once, and then whenever events may have been written or tasks may have become grantable, by this or by
    /// another coordinator. A yield may be spurious, and is never the only way: callers also look every second.
    func changes() async -> AsyncStream<Void>
}

extension FarmStore {
    /// Renews the leases of one worker (``renew(_:waits:)``), and waits for them.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    package func renew(_ worker: WorkerID, _ attempts: [AttemptProgress]) async throws(FarmStoreError) -> HeartbeatReply
    {
        guard case .renewed(let reply)? = try await renew([WorkerBeat(worker, attempts)], waits: true).first else {
            throw .unknownWorker
        }
        return reply
    }

    /// Renews the leases of all workers named (``renew(_:waits:)``): each that is undecided is asked alone, and waits.
    package func renewAll(_ beats: [WorkerBeat]) async throws(FarmStoreError) -> [BeatOutcome] {
        var outcomes = try await renew(beats, waits: false)
        for (place, beat) in beats.enumerated() where outcomes[place] == .undecided {
            outcomes[place] = try await renew([beat], waits: true)[0]
        }
        return outcomes
    }

    /// Completes the task of one attempt (``complete(_:)``).
    package func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion
    ) async throws(FarmStoreError) -> CompletionOutcome {
        try await complete([AttemptCompletion(attempt, completion)]).first ?? .leaseLost
    }

    /// Completes the tasks of all attempts named (``complete(_:)``).
    package func completeAll(_ completions: [AttemptCompletion]) async throws(FarmStoreError) -> [CompletionOutcome] {
        var outcomes: [CompletionOutcome] = []
        while outcomes.count < completions.count {
            outcomes += try await complete(Array(completions[outcomes.count...]))
        }
        return outcomes
    }
}

/// A store whose clock a test may set: PostgreSQL's `farm_now()` reads a setting first.
package protocol ClockedFarmStore: FarmStore {
    /// Stops the clock at `now`.
    func setClock(_ now: FarmTime) async throws(FarmStoreError)
}
