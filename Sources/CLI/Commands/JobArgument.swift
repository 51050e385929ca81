import ArgumentParser
import Foundation
import WireProtocol

/// A job's identifier on the command line.
struct JobArgument: Sendable {
    let job: JobID

    /// Reads the argument.
    /// - Throws: `ValidationError` that says what an identifier looks like.
    init(argument: String) throws {
        guard let job = JobID(text: argument) else {
            throw ValidationError("a job's id is job_ and a UUID; `cutfarm jobs` lists them.")
        }
        self.job = job
    }
}
