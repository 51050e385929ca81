package import CompositionModel
package import Farm
package import WireProtocol

/// The store as the simulator sees it: the very operations of ``FarmTables``. A test puts one with a planted bug here,
/// and expects the auditor to find it.
package protocol SimulatedFarm: Sendable {
    var tables: FarmTables { get }

    mutating func insertJob(_ job: NewJob, at now: FarmTime) throws(FarmStoreError) -> JobInsertion
    mutating func cancel(_ job: JobID, at now: FarmTime) throws(FarmStoreError) -> CancelOutcome
    mutating func registerWorker(_ registration: WorkerRegistration, at now: FarmTime) -> WorkerRegistered
    mutating func drain(_ worker: WorkerID) throws(FarmStoreError)
    mutating func acquireLeases(_ polls: [LeasePoll], at now: FarmTime) -> [PollOutcome]
    mutating func renew(
        _ worker: WorkerID,
        _ attempts: [AttemptProgress],
        at now: FarmTime
    ) throws(FarmStoreError) -> HeartbeatReply
    mutating func complete(_ attempt: AttemptID, _ completion: TaskCompletion, at now: FarmTime) -> CompletionOutcome
    mutating func fail(_ attempt: AttemptID, _ failure: TaskFailure, at now: FarmTime) -> FailureOutcome
    mutating func reject(_ artifacts: [ContentDigest], because failure: Failure, at now: FarmTime) -> [TaskID]
    mutating func control(
        _ job: JobID,
        _ control: JobControl,
        at now: FarmTime
    ) throws(FarmStoreError) -> ControlOutcome
    func offers(limit: Int) -> [PartOffer]
    mutating func take(_ offers: [PartOffer], at now: FarmTime) -> [TaskID]
    mutating func removeParts(_ selection: PartSelection, at now: FarmTime) -> [PartRecord]
    mutating func release(_ worker: WorkerID, _ release: LeaseRelease, at now: FarmTime) throws(FarmStoreError)
    mutating func sweep(at now: FarmTime) -> SweepOutcome
    mutating func withdrawFaulty(at now: FarmTime) -> [FaultyWithdrawal]
}

extension FarmTables: SimulatedFarm {
    package var tables: FarmTables { self }
}
