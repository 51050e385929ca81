import ArgumentParser
import Client

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Cancel jobs.")

    @OptionGroup var jobs: ControlledJobs

    func run() async throws { try await jobs.each { connection, id in try await connection.cancel(id) } }
}
