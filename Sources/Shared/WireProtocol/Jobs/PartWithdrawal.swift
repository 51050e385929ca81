/// The body of `POST /v1/parts:withdraw`.
package struct PartWithdrawal: Sendable, Hashable, Codable {
    /// The name of the workers whose parts are taken back, also from unfinished jobs.
    package var worker: String

    package init(worker: String) { self.worker = worker }
}
