/// The body of `POST /v1/jobs/{id}/priority`.
package struct PriorityOrder: Sendable, Hashable, Codable {
    /// The priority among the jobs of one owner, a number of 32 bits: higher goes first; 0 is normal.
    package var priority: Int

    package init(priority: Int) { self.priority = priority }
}
