/// The body of `POST /v1/parts:prune`: one of the three.
package struct PartPruning: Sendable, Hashable, Codable {
    /// The bytes that may stay; the least recently used parts go first.
    package var keepBytes: Int64?
    /// The seconds without a use after which a part goes.
    package var unusedSeconds: Int64?
    /// The name of the workers whose parts go.
    package var worker: String?

    package init(keepBytes: Int64? = nil, unusedSeconds: Int64? = nil, worker: String? = nil) {
        self.keepBytes = keepBytes
        self.unusedSeconds = unusedSeconds
        self.worker = worker
    }
}
