/// The answer to `GET /v1/parts`.
package struct PartList: Sendable, Hashable, Codable {
    /// Totals over all kept parts.
    package struct Totals: Sendable, Hashable, Codable {
        /// The number of parts.
        package var count: Int
        /// Their bytes.
        package var byteCount: Int64
        /// The number of tasks that took one of them.
        package var uses: Int
        /// The processor time in milliseconds that these tasks would have cost.
        package var savedMilliseconds: Int64

        package init(count: Int, byteCount: Int64, uses: Int, savedMilliseconds: Int64) {
            self.count = count
            self.byteCount = byteCount
            self.uses = uses
            self.savedMilliseconds = savedMilliseconds
        }
    }

    /// The totals over all kept parts, also those that are not listed.
    package var totals: Totals
    /// The parts, the most recently used first.
    package var parts: [PartView]

    package init(totals: Totals, parts: [PartView]) {
        self.totals = totals
        self.parts = parts
    }
}
