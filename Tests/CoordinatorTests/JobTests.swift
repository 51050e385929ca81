import CompositionModel
import Farm
import Foundation
import Planning
import Storage
import Synchronization
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

@Suite struct JobTests {
    let clip = Data("a clip".utf8)

    private func edit(_ segment: String = "{ \"asset\": \"a\", \"duration\": \"10s\" }") -> String {
        """
        { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "a": "a.mp4" },
          "tracks": [{ "kind": "video", "segments": [\(segment)] }],
          "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
        """
    }

    private func submission(_ key: String, _ text: String) -> JobSubmission {
        JobSubmission(idempotencyKey: key, editText: text, title: "cut.json", assets: ["a": ContentDigest(of: clip)])
    }

    private func uploadClip(_ farm: RunningCoordinator) async throws {
        let answer = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
        #expect(answer.status == 201)
    }

    /// The coordinator compiles nested texts by itself, and says what is wrong in which.
    @Test func editsInEditsAreSubmittedWithTheirTexts() async throws {
        let outer = edit(#"{ "asset": "part", "opacity": 0.5 }"#).replacing(
            #""a": "a.mp4""#,
            with: #""part": { "edit": "part.json", "params": { "length": "4s" } }"#
        )
        let inner = edit(#"{ "asset": "a", "duration": { "$param": "length" } }"#).replacing(
            #""assets""#,
            with: #""params": { "length": { "type": "time", "default": "1s" } }, "assets""#
        )
        func submission(_ key: String, _ inner: String, _ parameters: [String: String]?) -> JobSubmission {
            var submission = JobSubmission(idempotencyKey: key, editText: outer, title: "cut.json", assets: [:])
            submission.nested = [
                "part": NestedSubmission(
                    file: "parts/part.json",
                    editText: inner,
                    parameters: parameters,
                    assets: ["a": ContentDigest(of: clip)]
                )
            ]
            return submission
        }
        try await withCoordinator { farm in
            let missing = try await farm.post("/v1/jobs", submission("k", inner, nil), as: "editor")
            #expect(missing.status == 409 && missing.code == "asset_missing")
            try await uploadClip(farm)
            let answer = try await farm.post("/v1/jobs", submission("k", inner, ["length": "4s"]), as: "editor")
            #expect(answer.status == 201, "\(answer.text)")
            let job = try answer.decode(JobView.self)
            #expect(job.frameCount == 100)
            let plan = try await farm.call("GET", "/v1/jobs/\(job.id)/plan", as: "viewer").decode(RenderPlan.self)
            #expect(plan.segments.allSatisfy { $0.task.nested?.count == 1 })
            let wrong = inner.replacing(#""asset": "a","#, with: #""asset": "b","#)
            let refused = try await farm.post("/v1/jobs", submission("l", wrong, nil), as: "editor")
            let findings = try refused.decode(Problem.self).findings ?? []
            #expect(refused.status == 422 && findings.contains { $0.file == "parts/part.json" && $0.line > 0 })
            var lonely = submission("m", inner, nil)
            lonely.nested = nil
            let unknown = try await farm.post("/v1/jobs", lonely, as: "editor")
            #expect(unknown.status == 422 && unknown.text.contains("asset-missing"))
        }
    }

    /// What an edit generates is a file for the farm, whose digest belongs into the submission; the refusal says so.
    @Test func aGeneratedAssetIsSentAsAFile() async throws {
        try await withCoordinator { farm in
            let text = """
                { "schema": "edit/1", "format": { "size": [64, 36], "frameRate": "25" },
                  "assets": { "grey": { "generate": "solid", "size": [64, 36], "color": "#808080" } },
                  "tracks": [ { "kind": "video", "segments": [ { "asset": "grey", "duration": "2s" } ] } ] }
                """
            var order = submission("k", text)
            order.assets = [:]
            let refused = try await farm.post("/v1/jobs:plan", order, as: "editor")
            #expect(refused.status == 422 && refused.code == "invalid_edit", "\(refused.text)")
            let findings = try refused.decode(Problem.self).findings ?? []
            let finding = try #require(findings.first { $0.severity == .error }, "\(findings)")
            #expect(finding.rule == "asset-missing" && finding.line == 3, "\(finding)")
            let advice = "the digest of a file for every asset in \"assets\", also for a generated one"
            #expect(finding.message.contains(advice), "\(finding)")
            // The file of docs/api.md.
            let file = Data(
                ("cutfarm generated picture 1\n"
                    + ##"{"colors":["#808080"],"frameCount":1,"frameRate":"25/1","kind":"solid","size":{"height":36,"width":64}}"##)
                    .utf8
            )
            #expect(try GeneratedPicture(bytes: file)?.bytes == file)
            let digest = ContentDigest(of: file)
            let sent = try await farm.upload(file, to: "/v1/assets/\(digest.hex)", as: "editor")
            #expect(sent.status == 201, "\(sent.text)")
            order.assets = ["grey": digest]
            let accepted = try await farm.post("/v1/jobs", order, as: "editor")
            #expect(accepted.status == 201, "\(accepted.text)")
        }
    }

    @Test func aSubmissionIsPlannedAndStoredOnce() async throws {
        try await withCoordinator { farm in
            let missing = try await farm.post("/v1/jobs", submission("k", edit()), as: "editor")
            #expect(missing.status == 409 && missing.code == "asset_missing")
            #expect(try missing.decode(Problem.self).missing == [ContentDigest(of: clip)])
            try await uploadClip(farm)
            let first = try await farm.post("/v1/jobs", submission("k", edit()), as: "editor")
            #expect(first.status == 201, "\(first.text)")
            let job = try first.decode(JobView.self)
            #expect(
                job.frameCount == 250 && job.owner == "editor" && job.fileExtension == "mp4" && job.state == .queued
            )
            #expect(first.headers["location"] == "/v1/jobs/\(job.id)")
            let again = try await farm.post("/v1/jobs", submission("k", edit()), as: "editor")
            #expect(again.status == 200)
            #expect(try again.decode(JobView.self).id == job.id)
            let others = try await farm.post("/v1/jobs", submission("k", edit()), as: "other").decode(JobView.self)
            #expect(others.id != job.id, "a key is its owner's")
            let tasks = try await farm.call("GET", "/v1/jobs/\(job.id)/tasks", as: "viewer").decode([TaskView].self)
            #expect(tasks.map(\.position) == Array(tasks.indices) && tasks.last?.kind == .stitch)
            #expect(tasks.filter { $0.kind == .sound }.count == 1)
            #expect(tasks.compactMap(\.frames).reduce(0) { $0 + $1.count } == 250)
            let plan = try await farm.call("GET", "/v1/jobs/\(job.id)/plan", as: "viewer").decode(RenderPlan.self)
            #expect(plan.frameCount == 250 && plan.segments.count == tasks.filter { $0.kind == .picture }.count)
            let composition = try await farm.call("GET", "/v1/jobs/\(job.id)/composition", as: "viewer")
            #expect(try composition.decode(Composition.self).frameCount == 250)
        }
    }

    /// A document of several slices comes as it is stored.
    @Test(arguments: [0, 1, StoredDocument.sliceByteCount, 3 * StoredDocument.sliceByteCount + 5])
    func largeDocumentsComeWhole(_ count: Int) async throws {
        try await withCoordinator { farm in
            var new = try FarmPieces.job()
            new.plan = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) })
            new.composition = Data("c".utf8)
            let job = try farm.store.insertJob(new).job.id
            let plan = try await farm.call("GET", "/v1/jobs/\(job)/plan", as: "viewer", isReal: false)
            #expect(plan.status == 200 && plan.body == new.plan)
            #expect(plan.headers["content-length"] == "\(count)" && plan.headers["content-type"] == "application/json")
            let composition = try await farm.call("GET", "/v1/jobs/\(job)/composition", as: "viewer", isReal: false)
            #expect(composition.body == new.composition)
            let unknown = try await farm.call("GET", "/v1/jobs/\(JobID(uuid: UUID()))/plan", as: "viewer")
            #expect(unknown.status == 404 && unknown.code == "unknown_job")
        }
    }

    /// An edit without a picture track.
    @Test func soundAloneIsATaskOfSoundAndOneThatWrapsIt() async throws {
        try await withCoordinator { farm in
            try await uploadClip(farm)
            let text = edit().replacing("\"video\"", with: "\"audio\"")
            let answer = try await farm.post("/v1/jobs", submission("k", text), as: "editor")
            #expect(answer.status == 201, "\(answer.text)")
            let job = try answer.decode(JobView.self)
            #expect(job.fileExtension == "m4a")
            #expect(try farm.store.tasks(of: job.id).map(\.kind) == [.sound, .stitch])
        }
    }

    @Test func titlesHaveALimit() async throws {
        try await withCoordinator { farm in
            try await uploadClip(farm)
            var long = submission("k", edit())
            long.title = String(repeating: "t", count: 501)
            let refused = try await farm.post("/v1/jobs", long, as: "editor")
            #expect(refused.status == 422 && refused.code == "invalid_request")
            long.title.removeLast()
            #expect(try await farm.post("/v1/jobs", long, as: "editor").status == 201)
        }
    }

    /// A task that outlives an upgrade of the farm is not rendered by other versions than its siblings.
    @Test func tasksNameTheVersionsTheyWerePlannedFor() async throws {
        try await withCoordinator { farm in
            try await uploadClip(farm)
            let stitch = try FarmPieces.job().pinned(to: FakeRenderer.libraries).tasks.last?.payload
            guard case .stitch(let task) = stitch else { throw StorageError.missing("the stitch task") }
            #expect(task.rendererVersion == Renderer.version && task.libraries == FakeRenderer.libraries)
            #expect(try await farm.post("/v1/jobs", submission("k", edit()), as: "editor").status == 201)
            let worker = try await farm.registerWorker()
            var poll = FarmPieces.poll(worker, wait: 0)
            poll.capacity = 100
            let payloads = try await farm.grants(poll).map(\.payload)
            #expect(Set(payloads.map(\.kind)) == [.picture, .sound])
            for payload in payloads {
                switch payload {
                case .picture(let task): #expect(task.libraries == FakeRenderer.libraries)
                case .sound(let task): #expect(task.libraries == FakeRenderer.libraries)
                case .stills, .measure: Issue.record("nobody ordered it")
                case .stitch: Issue.record("only coordinators join")
                }
            }
        }
    }

    @Test func anEditThatIsWrongIsRefusedWithAllItsFindings() async throws {
        try await withCoordinator { farm in
            try await uploadClip(farm)
            for (segment, rule) in [
                ("{ \"asset\": \"a\", \"duration\": 10, \"inn\": \"1s\" }", ""),
                ("{ \"asset\": \"a\", \"in\": \"19s\", \"duration\": \"10s\" }", ""),
            ] {
                let answer = try await farm.post("/v1/jobs", submission("k" + rule, edit(segment)), as: "editor")
                #expect(answer.status == 422 && answer.code == "invalid_edit", "\(answer.text)")
                let findings = try answer.decode(Problem.self).findings ?? []
                #expect(findings.contains { $0.severity == .error && $0.line > 0 })
            }
            #expect(try farm.store.jobs(JobFilter()).isEmpty)
            let huge = submission("k", edit() + String(repeating: " ", count: 17 << 20))
            let file = farm.folder.path("huge.json")
            try WireJSON.encode(huge).write(to: URL(fileURLWithPath: file))
            let answer = try await farm.call("POST", "/v1/jobs", as: "editor", body: "@" + file)
            #expect(answer.status == 413)
        }
    }

    /// What was changed since it was registered is asked for again, not rendered.
    @Test func aChangedAssetIsMissing() async throws {
        try await withCoordinator { farm in
            let path = farm.folder.path("footage/a.mp4")
            try clip.write(to: URL(fileURLWithPath: path))
            #expect(try await farm.post("/v1/assets:register", ["path": path], as: "editor").status == 200)
            try Data("another clip".utf8).write(to: URL(fileURLWithPath: path))
            #expect(try await farm.post("/v1/jobs", submission("k", edit()), as: "editor").code == "asset_missing")
        }
    }

    @Test func listsComeInPages() async throws {
        try await withCoordinator { farm in
            let ids = try (0..<5).map { _ in
                usleep(2000)
                return try farm.store.insertJob(FarmPieces.job()).job.id
            }
            _ = try farm.store.cancel(ids[2])
            func list(_ query: String) async throws -> [JobID] {
                try await farm.call("GET", "/v1/jobs?\(query)", as: "viewer").decode([JobView].self).map(\.id)
            }
            let newest = Array(ids.sorted().reversed())
            #expect(try await list("limit=2") == Array(newest[..<2]))
            #expect(try await list("limit=2&before=\(newest[1])") == Array(newest[2..<4]))
            #expect(try await list("state=cancelled,failed") == [ids[2]])
            #expect(try await list("owner=nobody").isEmpty)
        }
    }

    /// The whole way over HTTP, with the coordinator joining the parts itself.
    @Test func finishedSegmentsAreJoinedAndFetched() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(title: "Grüße.json", parts: 3)).job.id
            #expect(try await farm.call("GET", "/v1/jobs/\(job)/output", as: "viewer").code == "not_finished")
            for number in 0..<3 {
                let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 2000)).first)
                let position = try #require(try farm.store.tasks(of: job).first { $0.id == grant.task }?.position)
                let data = FarmPieces.part("part \(position)\n")
                _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
                let done = try await farm.post(
                    "/v1/attempts/\(grant.attempt)/complete",
                    FarmPieces.completion(worker, data)
                )
                #expect(done.status == 200, "\(number)")
            }
            try await waitUntil { try farm.store.job(job)?.state.isFinal == true }
            #expect(try farm.store.job(job)?.state == .completed)
            let output = try await farm.call("GET", "/v1/jobs/\(job)/output", as: "viewer")
            #expect(output.status == 200 && output.text == "part 0\npart 1\npart 2\n")
            #expect(output.headers["content-type"] == "video/mp4")
            #expect(output.headers["content-disposition"]?.contains("filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp4") == true)
            let part = try await farm.call(
                "GET",
                "/v1/jobs/\(job)/output",
                as: "viewer",
                headers: ["Range: bytes=7-12"]
            )
            #expect(part.status == 206 && part.text == "part 1")
            let scratch = try FileManager.default.contentsOfDirectory(atPath: farm.folder.path("artifacts/scratch"))
            #expect(scratch.isEmpty)
        }
    }

    /// More parts than a process may have files open.
    @Test func manyPartsAreJoined() async throws {
        try await withCoordinator { farm in
            let worker = try farm.store.registerWorker(FarmPieces.registration).worker
            let data = Data("part\n".utf8)
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            let job = try farm.store.insertJob(FarmPieces.job(parts: 1500)).job.id
            let polls = [FarmPieces.poll(worker, wait: 0, capacity: 1500)]
            guard case .granted(let grants) = try farm.store.acquireLeases(polls)[0] else { return }
            for grant in grants {
                _ = try await farm.store.complete(grant.attempt, FarmPieces.completion(worker, data))
            }
            try await waitUntil { try farm.store.job(job)?.state.isFinal == true }
            #expect(try farm.store.job(job)?.byteCount == 7500)
        }
    }

    /// Cancelled while it is joined: the child dies, nothing is published, nothing is left.
    @Test func cancelEndsStitching() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 2000)).first)
            let data = FarmPieces.part("SLOW part")
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            _ = try await farm.post("/v1/attempts/\(grant.attempt)/complete", FarmPieces.completion(worker, data))
            let scratch = farm.folder.path("artifacts/scratch")
            try await waitUntil { try !FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty }
            _ = try await farm.call("POST", "/v1/jobs/\(job)/cancel")
            try await waitUntil {
                try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty
            }
            #expect(try farm.store.job(job)?.artifact == nil)
            #expect(try farm.liveAttempts().isEmpty)
        }
    }

    /// Cancelled at the last moment, when the movie has its name and the database has yet to hear of it.
    @Test func aCancelBetweenPublishingAndCompletingTakesTheMovieBack() async throws {
        let log = KeptLog()
        let cancelled = Mutex<ContentDigest?>(nil)
        try await withCoordinator { configuration, _ in
            guard let model = configuration.store as? InMemoryFarmStore else { return }
            configuration.logger = log.logger
            let store = StalledStore(model)
            store.beforeCompletion.withLock { hook in
                hook = { completion in
                    guard let job = try? model.jobs(JobFilter(states: [.stitching])).first else { return }
                    cancelled.withLock { $0 = completion.artifact }
                    _ = try? model.cancel(job.id)
                }
            }
            configuration.store = store
        } _: { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let data = FarmPieces.part("part")
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            for grant in try await farm.grants(FarmPieces.poll(worker, wait: 2000, capacity: 2)) {
                _ = try await farm.post("/v1/attempts/\(grant.attempt)/complete", FarmPieces.completion(worker, data))
            }
            try await waitUntil { cancelled.withLock { $0 } != nil }
            let taken = cancelled.withLock { $0 }
            let movie = try #require(taken)
            let store = try ArtifactStore(root: farm.folder.path("artifacts"))
            try await waitUntil { store.byteCount(of: movie) == nil }
            #expect(try farm.store.job(job)?.state == .cancelled)
            #expect(try farm.store.job(job)?.artifact == nil)
            #expect(store.byteCount(of: ContentDigest(of: data)) != nil, "what was there before stays")
            #expect(!log.lines.contains { $0.message == "output joined" })
        }
    }
}
