import CompositionModel
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

/// Assets that a client sends to the farm's bucket itself: OpenStack Swift. Where it is not installed, one line says so.
@Suite(.serialized) struct BucketUploadTests {
    private static let server = Task { try await ObjectServer.start() }

    /// A source of three parts, since noise does not compress, and an edit of a second of it.
    private func prepare() async throws -> (Cutfarm, edit: String, byteCount: Int) {
        let cutfarm = try Cutfarm()
        let path = cutfarm.folder.path("a.mp4")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=6,noise=alls=90:allf=t", "-c:v", "libx264"]
                + ["-preset", "ultrafast", "-qp", "3", "-g", "25", path]
        )
        let byteCount = FileManager.default.contents(atPath: path)?.count ?? 0
        try #require(byteCount > 34 << 20 && byteCount < 80 << 20, "\(byteCount)")
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "in": "2s", "duration": "1s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return (cutfarm, try cutfarm.write("edit.json", text), byteCount)
    }

    /// A farm on a new bucket.
    /// - Parameter endpoint: the address of the service as the farm knows it.
    private func farm(_ cutfarm: Cutfarm, _ server: ObjectServer, endpoint: String? = nil) async throws -> TestFarm {
        let options = try await options(server, endpoint: endpoint)
        return try await TestFarm(cutfarm, options: options, environment: ObjectServer.variables)
    }

    /// The options of coordinators on a new bucket.
    private func options(_ server: ObjectServer, endpoint: String?) async throws -> [String] {
        let place = ["--artifacts", "s3://\(try await server.bucket())/farm"]
        return place + ["--s3-endpoint", endpoint ?? server.url, "--s3-region", ObjectServer.region]
    }

    private func submission(_ edit: String, _ cutfarm: Cutfarm, to address: String) -> [String] {
        let access = ["--coordinator", address, "--token-file", cutfarm.folder.path("token")]
        return ["submit", edit, "--state", cutfarm.state] + access
    }

    /// Asks the coordinator. - Returns: the body of the answer, then its status.
    private func ask(
        _ farm: TestFarm,
        _ path: String,
        _ question: some Encodable
    ) async throws -> (body: Data, status: String) {
        let outcome = try await Shell.run(
            "curl",
            ["-s", "-w", "%{stderr}%{http_code}", "-H", "Content-Type: application/json"]
                + ["-H", "Authorization: Bearer end-to-end-token-0123456789"]
                + ["-d", String(decoding: try WireJSON.encode(question), as: UTF8.self), farm.address + path]
        )
        return (outcome.output, outcome.errors)
    }

    /// Waits until a worker of the farm is known to probe.
    private func waitForProber(_ farm: TestFarm) async throws {
        let path = "/v1/assets/\(String(repeating: "ab", count: 32))/parts"
        try await waitUntil { try await ask(farm, path, UploadQuestion(byteCount: 1 << 30)).status == "200" }
    }

    @Test func noneOfItsBytesPassesThroughTheCoordinator() async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit, byteCount) = try await prepare()
        let alone = try await cutfarm.render(edit, to: "alone.mp4")
        let farm = try await farm(cutfarm, server)
        let relay = try await CuttingRelay(to: farm.address, in: cutfarm.folder)
        let worker = try farm.worker("one", through: relay.address)
        try await waitForProber(farm)
        let outcome = try await cutfarm.run(submission(edit, cutfarm, to: relay.address))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let id = try #require(outcome.text.split(separator: " ").first.flatMap { JobID(text: String($0)) })
        #expect(try await farm.wait(for: id).job.state == .completed)
        #expect(relay.passed(.up) < 1 << 20 && relay.passed(.down) < 2 << 20, "of \(byteCount)")
        let path = cutfarm.folder.path("fetched.mp4")
        #expect(try await farm.run("fetch", id.description, "-o", path).exitCode == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: URL(fileURLWithPath: alone)))
        // Sent again, it is known.
        let again = try await cutfarm.run(submission(edit, cutfarm, to: relay.address))
        #expect(again.exitCode == 0)
        try await farm.stop([worker])
    }

    /// The first part is there, as an earlier command left it.
    @Test func partsThatAreThereAreNotSentAgain() async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit, byteCount) = try await prepare()
        let relay = try await CuttingRelay(to: server.url, in: cutfarm.folder)
        let farm = try await farm(cutfarm, server, endpoint: relay.address)
        let worker = try farm.worker("one")
        try await waitForProber(farm)
        let whole = try Data(contentsOf: URL(fileURLWithPath: cutfarm.folder.path("a.mp4")))
        let path = "/v1/assets/\(ContentDigest(of: whole).hex)/parts"
        let begun = try await ask(farm, path, UploadQuestion(byteCount: Int64(whole.count)))
        let upload = try WireJSON.decode(PartedUpload.self, from: begun.body)
        #expect(upload.arrived.isEmpty && upload.partByteCount == 16 << 20)
        let part = whole.prefix(16 << 20)
        let ordered = try await ask(farm, path + "/1/order", PartQuestion(digest: ContentDigest(of: part)))
        let order = try WireJSON.decode(UploadOrder.self, from: ordered.body)
        func put(_ bytes: Data) async throws -> String {
            let file = cutfarm.folder.path("part")
            try bytes.write(to: URL(fileURLWithPath: file))
            let signed = order.headers.filter { $0.key != "Content-Length" }
            let headers = signed.flatMap { ["-H", "\($0.key): \($0.value)"] }
            let words = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-T", file] + headers + [order.address]
            return try await Shell.run("curl", words).text
        }
        // No other bytes of this length are taken.
        #expect(try await put(Data(part.reversed())).hasPrefix("4"))
        #expect(try await put(part) == "200")
        let before = relay.passed(.up)
        let outcome = try await cutfarm.run(submission(edit, cutfarm, to: farm.address))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let sent = relay.passed(.up) - before
        #expect(sent > byteCount - 17 << 20 && sent < byteCount - 15 << 20, "\(sent) of \(byteCount)")
        try await farm.stop([worker])
    }

    /// The coordinator is killed after the object was made of its parts, or after a worker probed it: both before it is an
    /// asset. Another one, which client and worker reach at the same address, goes on; nothing is sent a second time.
    @Test(arguments: ["upload.joined", "upload.noted"])
    func anotherCoordinatorGoesOn(point: String) async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit, byteCount) = try await prepare()
        let bucket = try await CuttingRelay(to: server.url, in: cutfarm.folder)
        let options = try await options(server, endpoint: bucket.address)
        let database = try await TestPostgreSQL.shared.database().description
        func farm(_ name: String, _ more: [String]) async throws -> TestFarm {
            try await TestFarm(
                cutfarm,
                name,
                database: database,
                options: options,
                environment: ObjectServer.variables + more
            )
        }
        let first = try await farm("first", ["CUTFARM_CRASH_POINT=" + point])
        let second = try await farm("second", [])
        let shared = try await CuttingRelay(to: first.address, in: cutfarm.folder)
        let worker = try second.worker("one", through: shared.address)
        try await waitForProber(first)
        async let submitted = cutfarm.run(submission(edit, cutfarm, to: shared.address))
        #expect(try await first.coordinator.wait() == 86)
        try shared.turn(to: second.address)
        let outcome = try await submitted
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        // Less than a part more than the file. What the worker sends of the second that it renders is much smaller.
        let sent = bucket.passed(.up)
        #expect(sent >= byteCount && sent < byteCount + 15 << 20, "\(sent) of \(byteCount)")
        let id = try #require(outcome.text.split(separator: " ").first.flatMap { JobID(text: String($0)) })
        #expect(try await second.wait(for: id).job.state == .completed)
        try await second.stop([worker])
    }

    /// A worker that has lost its claim stops reading, which otherwise would never end, and asks for more work.
    @Test func aWorkerWithoutItsClaimBreaksOff() async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit, _) = try await prepare()
        let bucket = try await CuttingRelay(to: server.url, in: cutfarm.folder)
        let target = try await TestPostgreSQL.shared.database()
        let farm = try await TestFarm(
            cutfarm,
            database: target.description,
            options: try await options(server, endpoint: bucket.address),
            environment: ObjectServer.variables
        )
        let worker = try farm.worker("one")
        try await waitForProber(farm)
        try bucket.cut(.down, after: 1 << 20, isHeld: true)
        async let submitted = cutfarm.run(submission(edit, cutfarm, to: farm.address))
        let connection = try await TestPostgreSQL.shared.connection(to: target)
        func states() async throws -> [String] {
            let sql = "SELECT state FROM bucket_upload WHERE state <> 'sending'"
            return try await connection.run { try $0.query(sql).map { try $0.get("state") } }
        }
        try await waitUntil { bucket.isHolding }
        #expect(try await states() == ["probing"])
        let taking = "UPDATE bucket_upload SET state = 'waiting', claim = NULL, claimed_until_ms = NULL"
        try await connection.execute(taking + " WHERE state = 'probing'")
        try await waitUntil { try await states() == ["probing"] }
        let log = try String(contentsOfFile: cutfarm.folder.path("one.log"), encoding: .utf8)
        #expect(log.contains("what was found does not count"), "\(log)")
        try bucket.cut(.down, after: nil)
        let outcome = try await submitted
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        try await farm.stop([worker])
    }

    @Test func whatIsNoMediaIsRefused() async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit, _) = try await prepare()
        let farm = try await farm(cutfarm, server)
        let worker = try farm.worker("one")
        try await waitForProber(farm)
        let words = String(repeating: "This is no movie. ", count: 600_000)
        _ = try cutfarm.write("a.mp4", words)
        for _ in 0..<2 {
            let outcome = try await cutfarm.run(submission(edit, cutfarm, to: farm.address))
            #expect(outcome.exitCode == 2 && outcome.errors.contains("This is no movie"), "\(outcome.errors)")
        }
        try await farm.stop([worker])
    }

    /// Nobody is there who would probe it: the coordinator takes it.
    @Test func withoutWorkersTheCoordinatorTakesIt() async throws {
        guard let server = try await Self.server.value else { return }
        let (cutfarm, edit, byteCount) = try await prepare()
        let farm = try await farm(cutfarm, server)
        let relay = try await CuttingRelay(to: farm.address, in: cutfarm.folder)
        let outcome = try await cutfarm.run(submission(edit, cutfarm, to: relay.address))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(relay.passed(.up) >= byteCount)
        try await farm.stop()
    }
}
