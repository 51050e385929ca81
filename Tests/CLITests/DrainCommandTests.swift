import ArgumentParser
import Client
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import CLI

@Suite struct DrainCommandTests {
    /// Two workers of one name, of which the first is not there any more when it is its turn.
    private func farm(
        silent: [Double] = [1, 1, 1]
    ) async throws -> (farm: ScriptedCoordinator, workers: [WorkerView], options: [String]) {
        let farm = try await ScriptedCoordinator()
        let workers = zip(["night", "night", "day"], silent).map { name, seconds in
            WorkerView(
                id: WorkerID(uuid: UUID()),
                name: name,
                slots: 1,
                isDraining: false,
                secondsSinceSeen: seconds,
                running: 0,
                completed: 0,
                failed: 0
            )
        }
        try farm.server.serve(try WireJSON.encode(workers), at: "/v1/workers/.bytes")
        try farm.server.script(["404 unknown_worker"], at: path(workers[0]))
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        return (farm, workers, ["--coordinator", farm.server.url, "--token-file", farm.folder.path("token")])
    }

    private func path(_ worker: WorkerView) -> String { "/v1/workers/\(worker.id)/drain" }

    @Test func aWorkerThatLeftMeanwhileKeepsNoOtherFromDraining() async throws {
        let (farm, workers, options) = try await farm()
        try await DrainCommand.parse(["night"] + options).run()
        #expect(workers.map { farm.server.count("POST", path($0)) } == [1, 1, 0])
    }

    /// A dead worker and a live one have one name: the live one takes work again.
    @Test func aWorkerThatIsSilentKeepsNoOtherFromWorkingAgain() async throws {
        let (farm, workers, options) = try await farm()
        let paths = workers.map { "/v1/workers/\($0.id)/undrain" }
        try farm.server.script(["409 not_possible"], at: paths[0])
        try await UndrainCommand.parse(["night"] + options).run()
        #expect(paths.map { farm.server.count("POST", $0) } == [1, 1, 0])
        try farm.server.script(["409 not_possible"], at: paths[2])
        await #expect(throws: ClientError.self) { try await UndrainCommand.parse(["day"] + options).run() }
    }

    /// Of those of a name that answer and that do not, it is done to those that answer; if none does, to all.
    @Test func whoAnswersIsPreferred() async throws {
        let (farm, workers, options) = try await farm(silent: [300, 1, 300])
        let named = try await WorkerArgument(argument: "night").workers(of: farm.connection)
        #expect(named.chosen.map(\.id) == [workers[1].id] && named.silent.map(\.id) == [workers[0].id])
        #expect(named.chosen[0].words == "\(workers[1].id) “night”" && named.silent[0].silence == "300 s")
        try await DrainCommand.parse(["night"] + options).run()
        try await DrainCommand.parse(["day"] + options).run()
        #expect(workers.map { farm.server.count("POST", path($0)) } == [0, 1, 1])
    }

    @Test func anIdThatIsNoWorkersIsRefused() async throws {
        let (farm, workers, options) = try await farm()
        let command = try DrainCommand.parse([workers[0].id.description] + options)
        let error = await #expect(throws: ClientError.self) { try await command.run() }
        #expect(error.map { CommandFailure($0).status } == .usage)
        #expect(workers.map { farm.server.count("POST", path($0)) } == [1, 0, 0])
    }
}
