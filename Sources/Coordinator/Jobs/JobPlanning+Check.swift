import Farm
import Foundation
import WireProtocol

extension JobPlanning {
    /// Checks what needs no plan.
    /// - Throws: ``Problem`` 422 `invalid_request`, `target_not_allowed`.
    func check(_ submission: JobSubmission) throws(Problem) {
        guard !submission.idempotencyKey.isEmpty, submission.idempotencyKey.utf8.count <= 200 else {
            throw Problem.unprocessable("invalid_request", "The idempotencyKey needs 1 to 200 bytes.")
        }
        guard submission.title.utf8.count <= 500 else {
            throw Problem.unprocessable("invalid_request", "The title may have 500 bytes at the most.")
        }
        guard (submission.requirements ?? []).count <= WorkerRequirement.most else {
            let most = "A job has at most \(WorkerRequirement.most) requirements of workers"
            throw Problem.unprocessable("invalid_request", "\(most); leave some out.")
        }
        guard Int32(exactly: submission.priority) != nil else {
            let range = "from \(Int32.min) to \(Int32.max)"
            throw Problem.unprocessable("invalid_request", "The priority is a whole number \(range).")
        }
        guard submission.audit == nil || submission.product == .movie else {
            // Their parts are not joined, so that nothing would wait for what a third machine says.
            throw Problem.unprocessable("invalid_request", "Only movies are audited; leave out audit here.")
        }
        try deliveries.place(submission)
        if let problem = submission.window?.problem { throw Problem.unprocessable("invalid_request", problem) }
    }
}
