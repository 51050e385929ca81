import ArgumentParser
import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import CLI

@Suite struct QuarantineCommandTests {
    private func failed(_ farm: ScriptedCoordinator, _ code: String, _ message: String) throws -> JobView {
        var job = try farm.job()
        job.state = .failed
        job.failure = Failure(code: code, message: message, isPermanent: true)
        return job
    }

    @Test func onlyQuarantinedJobsAreListed() async throws {
        let farm = try await ScriptedCoordinator()
        let job = try failed(farm, FarmFailure.taskQuarantined, "Segment 3 stopped three workers.")
        let other = try failed(farm, FarmFailure.artifactLost, "Something else.")
        let listed = QuarantineListCommand.quarantined([other, job])
        #expect(listed.map(\.id) == [job.id])
        let lines = QuarantineListCommand.text(listed).split(separator: "\n")
        #expect(lines[0] == "\(job.id) “edit.json”: Segment 3 stopped three workers." && lines.count == 2)
        #expect(lines[1].hasPrefix("cutfarm quarantine lift"))
        #expect(QuarantineListCommand.text([]) == "No task is quarantined.")
    }

    /// The list is asked for by state, and lifting is the job's retry.
    @Test func itAsksTheCoordinator() async throws {
        let farm = try await ScriptedCoordinator()
        let job = try failed(farm, FarmFailure.taskQuarantined, "Segment 3 stopped three workers.")
        try farm.server.serve(try WireJSON.encode([job]), at: "/v1/jobs/.bytes")
        try farm.server.script(["409 not_possible"], at: "/v1/jobs/\(job.id)/retry")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let options = ["--coordinator", farm.server.url, "--token-file", farm.folder.path("token")]
        try await QuarantineListCommand.parse(options).run()
        let lift = try QuarantineLiftCommand.parse(["\(job.id)"] + options)
        await #expect(throws: (any Error).self, "the coordinator refuses") { try await lift.run() }
        #expect(farm.server.count("POST", "/v1/jobs/\(job.id)/retry") == 1)
    }
}
