import Client
import WireProtocol

extension JobWatcher {
    /// Waits until the coordinator has put the movie of a completed job where it goes.
    /// - Returns: nil for a job whose movie goes nowhere.
    /// - Throws: ``CommandFailure`` when the coordinator could not put it there yet; `ClientError` when the
    ///   coordinator refuses, or stays away longer than ``patience``; `CancellationError`.
    func delivered(_ job: JobView) async throws -> JobDelivery? {
        guard job.delivery != nil else { return nil }
        let polling = JobPolling(patience: patience, clock: connection.clock) {}
        return try await polling.run(onUnreachable: display.waiting) {
            let delivery = try await connection.job(job.id).delivery
            if let problem = delivery?.problem { throw CommandFailure(.conflict, "Job \(job.id): \(problem)") }
            return delivery?.delivered == nil ? nil : delivery
        }
    }
}
