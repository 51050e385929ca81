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
        let workers = try await farm.connect().workers()
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
    }
}

extension WorkerView {
    /// The length of a lease in seconds: a worker silent for longer has lost its leases. The dashboard uses the same
    /// number.
    private static let secondsToLost = 6.0

    fileprivate var stateWord: String {
        if secondsSinceSeen > WorkerView.secondsToLost { return "lost" }
        return isDraining ? "draining" : "taking work"
    }
}
