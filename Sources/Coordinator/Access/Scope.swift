/// What a token may be used for.
public enum Scope: String, Sendable, Hashable, Codable, CaseIterable {
    /// Look at jobs, tasks and workers, fetch finished movies.
    case view
    /// Also bring in assets, submit jobs, cancel one's own.
    case submit
    /// Be a worker: lease tasks, read assets, store artifacts.
    case worker
    /// Everything, also over others' jobs and workers.
    case admin

    /// What else it includes.
    var implied: Set<Scope> {
        switch self {
        case .view, .worker: [self]
        case .submit: [.submit, .view]
        case .admin: Set(Scope.allCases)
        }
    }
}
