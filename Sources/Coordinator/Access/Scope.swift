/// The rights that a token may have.
package enum Scope: String, Sendable, Hashable, Codable, CaseIterable {
    /// The right to look at jobs, tasks and workers, and to fetch finished movies.
    case view
    /// The right to bring in assets, submit jobs and cancel one's own; it includes ``view``.
    case submit
    /// The right to be a worker: to lease tasks, read assets and store artifacts.
    case worker
    /// The right to do everything, also over others' jobs and workers.
    case admin

    /// The scopes that this one includes, itself among them.
    var implied: Set<Scope> {
        switch self {
        case .view, .worker: [self]
        case .submit: [.submit, .view]
        case .admin: Set(Scope.allCases)
        }
    }
}
