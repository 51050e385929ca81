import ArgumentParser
import Client
import Foundation
import WireProtocol

/// A job on the command line: its identifier, or a beginning of it that no other job's has.
struct JobArgument: Sendable {
    /// What was written.
    let text: String

    /// Reads the argument.
    /// - Throws: `ValidationError` that says what an identifier looks like.
    init(argument: String) throws {
        guard JobID.beginning(with: argument) != nil else {
            throw ValidationError("a job's id is job_ and a UUID, or the beginning of one; `cutfarm jobs` lists them.")
        }
        text = argument
    }

    /// The job's identifier. A whole one is not looked up.
    /// - Throws: ``CommandFailure`` when no job's begins so, or several do; `ClientError`.
    func job(of connection: CoordinatorConnection) async throws -> JobID {
        if let whole = JobID(text: text) ?? UUID(uuidString: text).map({ JobID(uuid: $0) }) { return whole }
        let found = try await connection.jobs(limit: 2, beginning: text)
        guard let job = found.first else { throw CommandFailure(.usage, "No job's id begins with “\(text)”.") }
        guard found.count == 1 else {
            throw CommandFailure(.usage, "Several jobs' ids begin with “\(text)”; write more of it.")
        }
        return job.id
    }
}
