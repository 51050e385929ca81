import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

/// Farms whose artifacts are in a bucket of a real service: OpenStack Swift. Where it is not installed, one line says so.
@Suite(.serialized) struct BucketFarmTests {
    private static let server = Task { try await ObjectServer.start() }

    /// Two coordinators of one farm, with folders of their own.
    private struct Pair {
        let cutfarm: Cutfarm
        let first: TestFarm
        let second: TestFarm
    }

    private func start(
        _ cutfarm: Cutfarm,
        _ server: ObjectServer,
        crash: String? = nil,
        options: [String] = []
    ) async throws -> Pair {
        let database = try await TestPostgreSQL.shared.database().description
        let artifacts = "s3://\(try await server.bucket())/farms/one"
        func farm(_ name: String, _ more: [String]) async throws -> TestFarm {
            try await TestFarm(
                cutfarm,
                name,
                database: database,
                keepsParts: true,
                options: ["--artifacts", artifacts] + server.options + options,
                environment: ObjectServer.variables + more
            )
        }
        let first = try await farm("first", crash.map { ["CUTFARM_CRASH_POINT=" + $0] } ?? [])
        return Pair(cutfarm: cutfarm, first: first, second: try await farm("second", []))
    }

    /// The files below a folder with 64 digits as their names.
    private func copies(_ farm: TestFarm) -> Int {
        let walk = FileManager.default.enumerator(atPath: farm.state + "/artifacts/sha256")
        return (walk?.allObjects as? [String] ?? []).count { ($0 as NSString).lastPathComponent.count == 64 }
    }

    /// Nothing that a worker makes passes through the coordinator that it asks, whose folder has copies of nothing but what it
    /// was sent or joins itself; the movie is that of one machine.
    @Test func workersAndTheBucketKeepTheMediaToThemselves() async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 8, of: 10)
        let pair = try await start(cutfarm, server)
        let alone = try await cutfarm.render(edit, to: "alone.mp4")
        let id = try await pair.first.submit(edit)
        let relay = try await Relay(to: pair.second.address, "relay", in: cutfarm.folder)
        try relay.open()
        let workers = try ["a", "b"].map { try pair.second.worker($0, through: relay.address) }
        let report = try await pair.first.wait(for: id)
        #expect(report.job.state == .completed)
        #expect(report.pictures.count > 1)
        for (farm, name) in [(pair.first, "first.mp4"), (pair.second, "second.mp4")] {
            let path = cutfarm.folder.path("fetched-" + name)
            let fetched = try await farm.run("fetch", id.description, "-o", path)
            #expect(fetched.exitCode == 0, "\(fetched.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: URL(fileURLWithPath: alone)))
        }
        // One of them joined; the other has none of the parts.
        let parts = report.tasks.filter { [.picture, .sound].contains($0.kind) }.count
        let counts = [copies(pair.first), copies(pair.second)]
        #expect(counts.min() ?? 0 < parts, "\(counts)")
        // The coordinator sent addresses of the source, and took notes of parts.
        let requests = relay.requests
        #expect(!requests.contains { $0.hasPrefix("PUT ") }, "\(requests)")
        #expect(requests.count { $0.hasSuffix("/stored") } == parts, "\(requests)")
        try await pair.second.stop(workers)
        try await pair.first.stop()
    }

    /// The coordinator that the worker asks is killed at each moment at which it has sent something or is about to note it.
    /// Another one, with nothing but the database and the bucket, goes on.
    @Test(
        arguments: TestSeeds.asked(
            [
                "artifact.sent", "complete.before-commit", "complete.after-commit", "stitch.joined", "stitch.sent",
                "stitch.stored",
            ],
            usual: ["artifact.sent", "stitch.sent"]
        )
    )
    func anotherCoordinatorGoesOn(point: String) async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 4, of: 5)
        let pair = try await start(cutfarm, server, crash: point)
        let alone = try await cutfarm.render(edit, to: "alone.mp4")
        // Only the first one joins until it is killed.
        pair.second.coordinator.send(SIGSTOP)
        let id = try await pair.first.submit(edit)
        let worker = try pair.first.worker("a")
        #expect(try await pair.first.coordinator.wait() == 86)
        pair.second.coordinator.send(SIGCONT)
        let other = try pair.second.worker("b")
        let report = try await pair.second.wait(for: id)
        #expect(report.job.state == .completed)
        let path = cutfarm.folder.path("fetched.mp4")
        let fetched = try await pair.second.run("fetch", id.description, "-o", path)
        #expect(fetched.exitCode == 0, "\(fetched.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: URL(fileURLWithPath: alone)))
        worker.send(SIGKILL)
        _ = try await worker.wait()
        try await pair.second.stop([other])
    }

    /// While the bucket is away nothing begins, jobs say so, and a movie is refused with a sentence about the bucket. All goes
    /// on by itself.
    @Test func aBucketThatIsAwayHoldsTheFarm() async throws {
        // This test has a server of its own, so that no other test meets one that stands still.
        guard let server = try await ObjectServer.start() else { return }
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 2, of: 3)
        let pair = try await start(cutfarm, server)
        let farm = pair.first
        let first = try farm.worker("a")
        let done = try await farm.submit(edit)
        #expect(try await farm.wait(for: done).job.state == .completed)
        first.send(SIGTERM)
        _ = try await first.wait()
        // Coordinators joined the movie, and read a copy of it where they have one.
        for farm in [pair.first, pair.second] {
            try FileManager.default.removeItem(atPath: farm.state + "/artifacts/sha256")
        }
        let id = try await farm.submit(edit, ["--range", "0s", "1s"])
        server.stall()
        let held = try await farm.wait(for: id) { $0.job.onHold != nil }
        #expect(held.job.waiting?.sentence == "The farm's bucket cannot be used", "\(held.job)")
        let worker = try farm.worker("b")
        // This client does not follow to the bucket.
        let token = try String(contentsOfFile: cutfarm.folder.path("token"), encoding: .utf8)
        let answer = try await Shell.run(
            "curl",
            [
                "-sS", "-H", "Authorization: Bearer \(token.trimmingCharacters(in: .newlines))", "-w", " %{http_code}",
                "\(farm.address)/v1/jobs/\(done)/output",
            ]
        )
        #expect(answer.text.hasSuffix(" 503") && answer.text.contains("bucket_failed"), "\(answer.text.prefix(500))")
        #expect(try await farm.show(id).tasks.allSatisfy(\.attempts.isEmpty))
        server.goOn()
        let report = try await farm.wait(for: id)
        #expect(report.job.state == .completed && report.job.onHold == nil)
        #expect(report.tasks.allSatisfy { $0.attempts.count == 1 })
        try await farm.stop([worker])
        try await pair.second.stop()
    }

    /// A farm of another database may not use the same place.
    @Test func aBucketIsOneFarms() async throws {
        guard let server = try await Self.server.value else { return }
        let cutfarm = try Cutfarm()
        let artifacts = "s3://\(try await server.bucket())/here"
        let options = ["--artifacts", artifacts] + server.options
        let farm = try await TestFarm(cutfarm, options: options, environment: ObjectServer.variables)
        let complaint = await #expect(throws: Unexpected.self) {
            _ = try await TestFarm(cutfarm, "other", options: options, environment: ObjectServer.variables)
        }
        #expect(
            complaint?.description.contains("belongs to the farm of another database") == true,
            "\(complaint as Any)"
        )
        let object = artifacts + "/owner."
        #expect(complaint?.description.contains("remove the object " + object) == true, "\(complaint as Any)")
        try await farm.stop()
    }
}
