import Client

extension CommandFailure {
    /// The failure with each line led by the place, unless it is there. A farm that is away or lets nobody in is about
    /// no line of a manifest.
    func placed(at place: String?) -> CommandFailure {
        guard let place, status != .unreachable, status != .notAllowed else { return self }
        let lines = lines.map { $0.hasPrefix(place + ":") ? $0 : "\(place): \($0)" }
        var placed = CommandFailure(status, lines: lines, findings: findings)
        placed.mayPass = mayPass
        return placed
    }

    /// The failure that an error means.
    /// - Throws: `error` itself when it is a cancellation, or none that a command knows.
    static func recognised(_ error: any Error) throws -> CommandFailure {
        if error is CancellationError { throw error }
        if case .cancelled? = error as? ClientError { throw CancellationError() }
        guard let failure = error as? CommandFailure ?? CommandFailure(recognising: error) else { throw error }
        return failure
    }
}
