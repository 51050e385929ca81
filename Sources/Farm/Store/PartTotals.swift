/// Totals over all kept parts.
package struct PartTotals: Sendable, Hashable, Codable {
    /// The number of parts.
    package var count = 0
    /// Their bytes on the disk: those that several parts have count once.
    package var byteCount: Int64 = 0
    /// The number of tasks that took one of them.
    package var uses = 0
    /// The milliseconds of processor time that these tasks would have cost.
    package var savedMilliseconds: Int64 = 0

    /// Makes the totals of no parts.
    package init() {}

    /// Makes totals of the given values.
    package init(count: Int, byteCount: Int64, uses: Int, savedMilliseconds: Int64) {
        (self.count, self.byteCount, self.uses, self.savedMilliseconds) = (count, byteCount, uses, savedMilliseconds)
    }
}
