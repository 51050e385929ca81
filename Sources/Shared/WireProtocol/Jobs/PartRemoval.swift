/// What was removed or withdrawn.
package struct PartRemoval: Sendable, Hashable, Codable {
    /// The parts.
    package var parts: [PartView]
    /// The tasks of unfinished jobs that are rendered again.
    package var tasks: [TaskID]

    package init(parts: [PartView], tasks: [TaskID]) {
        self.parts = parts
        self.tasks = tasks
    }
}
