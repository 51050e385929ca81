/// The reason why a store could not answer. Losing a lease is none of them: that is an answer (``CompletionOutcome``).
package enum FarmStoreError: Error, Sendable, Hashable {
    /// The database did not answer or the connection broke: nothing is known of the operation; repeat it.
    case unavailable(String)
    /// The database answers, and a row that the operation needs cannot be read or written: a newer version wrote it, or it
    /// changed meanwhile. Nothing was changed; an operation on other rows may succeed.
    case unusableRow(String)
    /// The database has no room; nothing was changed. It goes on by itself when there is.
    case full
    /// The worker does not exist, or has left: it must register again.
    case unknownWorker
    /// The job does not exist.
    case unknownJob
    /// The owner has sent the idempotency key with another submission.
    case keyTaken
    /// The owner has too much waiting; the value is a sentence with the numbers.
    case overQuota(String)
    /// Too few machines are connected for an audit; the value is a sentence that names them.
    case noAuditor(String)
    /// Another unfinished job's movie goes to the same place; the value is a sentence that names that job.
    case targetTaken(String)
    /// The request makes no sense, such as a job without tasks; the value is a sentence that says what to do.
    case invalid(String)
}

extension FarmStoreError {
    /// Whether another attempt may succeed: the database does not answer, has no room, or has a row that cannot be used.
    package var isUnavailable: Bool {
        switch self {
        case .unavailable, .unusableRow, .full: true
        case .unknownWorker, .unknownJob, .keyTaken, .overQuota, .noAuditor, .targetTaken, .invalid: false
        }
    }
}

extension FarmStoreError: CustomStringConvertible {
    /// The stable code of problem+json.
    package var code: String {
        switch self {
        case .unavailable, .unusableRow: "store_unavailable"
        case .full: "no_space"
        case .unknownWorker: "unknown_worker"
        case .unknownJob: "unknown_job"
        case .keyTaken: "idempotency_conflict"
        case .overQuota: "quota_exceeded"
        case .noAuditor: "no_auditor"
        case .targetTaken: "target_taken"
        case .invalid: "invalid_request"
        }
    }

    /// The sentence for the user.
    package var description: String {
        switch self {
        case .unavailable(let cause): "The database does not answer; repeat the request. \(cause)"
        case .unusableRow(let cause): "A row of the farm's database cannot be used; repeat the request. \(cause)"
        case .full: "There is no space left where the farm's database is; it goes on by itself when there is."
        case .unknownWorker: "This worker is not registered; register again."
        case .unknownJob: "There is no such job."
        case .keyTaken:
            "The idempotencyKey was sent before with another submission; send a new key for another job."
        case .overQuota(let sentence), .noAuditor(let sentence), .targetTaken(let sentence), .invalid(let sentence):
            sentence
        }
    }
}
