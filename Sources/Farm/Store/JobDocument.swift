/// A JSON document that is stored with a job beside its rows. It never changes, and may have many megabytes.
package enum JobDocument: String, Sendable, Hashable, CaseIterable {
    /// The composition as canonical JSON.
    case composition
    /// The render plan as JSON.
    case plan
}
