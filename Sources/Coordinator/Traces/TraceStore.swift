import Farm
import WireProtocol

/// The traces of jobs in the database.
protocol TraceStore: Sendable {
    /// The traces of those of `jobs` that have one.
    func traces(of jobs: [JobID]) async throws(FarmStoreError) -> [JobID: TraceParent]

    /// Takes a job that ended within the last hour and whose trace nobody exported.
    /// - Returns: nil when there is none.
    func claimTrace() async throws(FarmStoreError) -> EndedTrace?
}

/// The trace of a job that ended.
struct EndedTrace: Sendable {
    let job: JobID
    let trace: JobTrace
}
