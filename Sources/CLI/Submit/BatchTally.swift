import WireProtocol

/// The outcome of the lines of a batch so far.
struct BatchTally {
    var submitted: [EditSubmitter.Submitted] = []
    /// The jobs of ``submitted`` that were followed to their end.
    var ended: Set<JobID> = []
    var refused = 0
    var failed = 0
    /// The first failure, without its lines.
    var failure: CommandFailure?

    /// Prints a failure, so that the other lines can go on.
    /// - Throws: The failure when it stops everything: an unreachable farm, or an interruption.
    mutating func note(_ failure: CommandFailure) throws {
        guard failure.status != .unreachable, failure.status != .interrupted else { throw failure }
        for line in failure.lines { Console.error(line) }
        guard self.failure == nil else { return }
        self.failure = CommandFailure(failure.status)
        self.failure?.mayPass = failure.mayPass
    }

    /// Prints what is wrong with a line, so that the other lines can go on.
    /// - Throws: The failure when it stops everything: that of the only line, or a farm that does not accept the
    ///   token.
    mutating func refuse(_ error: any Error, _ isOnly: Bool) throws {
        let failure = try CommandFailure.recognised(error)
        // The jobs that a lone edit made before its failure are still followed.
        guard !isOnly || !submitted.isEmpty, failure.status != .notAllowed else { throw failure }
        try note(failure)
        refused += 1
    }

    /// The jobs that were not followed to their end.
    var running: [JobID] { submitted.map(\.job.id).filter { !ended.contains($0) } }
}
