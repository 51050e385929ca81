import ArgumentParser
import Client
import WireProtocol

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Cancel jobs.")

    @OptionGroup var jobs: ControlledJobs

    func run() async throws {
        try await jobs.each { connection, id in
            let job = try await connection.cancel(id)
            guard job.state == .cancelled else {
                throw CommandFailure(.conflict, "Job \(id) is \(job.state.rawValue), and stays so.")
            }
            return job
        }
    }
}
