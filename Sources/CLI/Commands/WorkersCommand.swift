import ArgumentParser
import Client
import Foundation
import WireProtocol

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "workers", abstract: "List a farm's workers.")

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    func run() async throws {
        let connection = try farm.connect()
        let workers = try await connection.workers()
        guard !json else { return try JSONOutput.print(workers) }
        let now = Date()
        let rows = workers.map { worker in
            [
                worker.id.description, worker.name.visible, worker.stateWord,
                "\(worker.running) of \(worker.slots)", "\(worker.completed)", "\(worker.failed)",
                JobTable.age(of: now.addingTimeInterval(-worker.secondsSinceSeen), at: now),
            ]
        }
        Console.print(TextTable(["worker", "name", "state", "running", "done", "failed", "seen"], rows).text)
        for line in try await blocklist(of: connection, workers, at: now) { Console.print(line) }
    }

    /// A line for each name on the blocklist, and each worker that is kept off for what it failed.
    private func blocklist(
        of connection: CoordinatorConnection,
        _ workers: [WorkerView],
        at now: Date
    ) async throws -> [String] {
        let names = try await connection.blockedWorkers()
        let lines = names.map {
            "“\($0.name.visible)” is blocked since \(JobTable.age(of: $0.since, at: now)): \($0.reason.visible)"
        }
        let others = workers.filter { worker in worker.blocked != nil && !names.contains { $0.name == worker.name } }
        let all = lines + others.map { "“\($0.name.visible)” is blocked: \($0.blocked?.visible ?? "")" }
        return all.isEmpty ? [] : all + ["Lift it with cutfarm unblock NAME."]
    }
}

extension WorkerView {
    /// The length of a lease in seconds: a worker silent for longer has lost its leases. The dashboard uses the same
    /// number.
    private static let secondsToLost = 6.0

    fileprivate var stateWord: String {
        if secondsSinceSeen > WorkerView.secondsToLost { return "lost" }
        if blocked != nil { return "blocked" }
        return isDraining ? "draining" : "taking work"
    }
}
