import Client
import WireProtocol

extension ClientError {
    /// The error with the sentence that the command gave up, and after which time.
    /// - Parameter waited: the time for which the coordinator was asked again and again.
    func givingUp(after waited: Duration) -> ClientError {
        let sentence = " The coordinator was asked for \(waited.components.seconds) s; ask again later."
        switch self {
        case .unreachable(let reason): return .unreachable(reason + sentence)
        case .problem(var problem):
            problem.detail += sentence
            return .problem(problem)
        case .notUnderstood, .usage, .cancelled, .file: return self
        }
    }
}
