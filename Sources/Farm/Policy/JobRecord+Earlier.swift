import CompositionModel
import WireProtocol

extension JobRecord {
    /// Whether it failed because of a job after which it begins; it goes on when that one does.
    package var failedForEarlier: Bool {
        state == .failed && !awaitedJobs.isEmpty && failure?.code == FarmFailure.earlierJobFailed
    }
}
