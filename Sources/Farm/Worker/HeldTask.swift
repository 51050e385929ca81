import CompositionModel
import WireProtocol

/// A lease in a worker's hand and how far its work is.
struct HeldTask: Sendable, Hashable {
    /// The steps from the child to the last answer.
    enum Step: Sendable, Hashable {
        case running
        case uploading(RenderedArtifact)
        case completing(RenderedArtifact)
        case failing(Failure)
    }

    let attempt: AttemptID
    /// The length of the lease, counted from the last renewal.
    let leaseMilliseconds: Int64
    /// The time by which the child must be done.
    let deadline: MonotonicTime
    /// The time when the request was sent whose answer renewed the lease last.
    var renewed: MonotonicTime
    var permille = 0
    var step = Step.running
    /// The time to send the step's request again; nil while it is on its way, or a child is at work.
    var retryAt: MonotonicTime?
    var tries = 0
    /// The number of uploads that the artifact store refused, or did not have when the completion named them.
    var refusals = 0
    /// Whether a completion was refused, because what the coordinator has under the artifact's digest is missing or
    /// damaged.
    var isCopyBad = false

    init(_ grant: LeaseGrant, at now: MonotonicTime) {
        attempt = grant.attempt
        leaseMilliseconds = Int64(grant.leaseMilliseconds)
        deadline = now.adding(milliseconds: Int64(grant.deadlineMilliseconds))
        renewed = now
    }

    /// Whether three quarters of the lease have gone by without a renewal.
    func isDoubtful(at now: MonotonicTime) -> Bool {
        4 * now.milliseconds(since: renewed) >= 3 * leaseMilliseconds
    }

    /// Whether the current report will be answered for good: then a heartbeat's “lost” changes nothing.
    var isReporting: Bool {
        switch step {
        case .running, .uploading: false
        case .completing, .failing: true
        }
    }

    /// The request of the current step; nil for a child at work.
    func request(by worker: WorkerID) -> WorkerEffect? {
        switch step {
        case .running: nil
        case .uploading(let artifact): .upload(attempt, artifact, isForced: isCopyBad)
        case .completing(let artifact): .sendComplete(attempt, artifact.completion(by: worker))
        case .failing(let failure): .sendFail(attempt, TaskFailure(worker: worker, failure: failure))
        }
    }
}
