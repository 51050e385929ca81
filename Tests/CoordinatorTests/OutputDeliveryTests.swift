import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Logging
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Movies that the coordinator puts into output folders by itself.
@Suite struct OutputDeliveryTests {
    private let clip = Data("a clip".utf8)

    private func submission(_ key: String, to target: String, preset: String = "h264") -> JobSubmission {
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "10s" }] }],
              "outputs": [{ "preset": "\(preset)" }] }
            """
        return JobSubmission(
            idempotencyKey: key,
            editText: text,
            title: "\(key).json",
            assets: ["a": ContentDigest(of: clip)],
            delivery: DeliveryOrder(to: target)
        )
    }

    private func exporting(clock: FarmClock = .system, _ body: (RunningCoordinator) async throws -> Void) async throws {
        try await withCoordinator(clock: clock) { configuration, folder in
            let exports = folder.path("exports")
            try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: false)
            configuration.outputFolders = try OutputFolders([exports])
        } _: { farm in
            #expect(
                try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor").status == 201
            )
            try await body(farm)
        }
    }

    @Test func aTargetThatCannotBeIsRefusedAtOnce() async throws {
        try await exporting { farm in
            func sentence(_ submission: JobSubmission) async throws -> String? {
                let answer = try await farm.post("/v1/jobs", submission, as: "editor")
                guard answer.status != 201 else { return nil }
                return try answer.decode(Problem.self).detail
            }
            let elsewhere = try await sentence(submission("1", to: "gone/a.mp4"))
            #expect(elsewhere == "“gone” is no output folder of this coordinator; it has “exports”.")
            let up = try await sentence(submission("2", to: "exports/../a.mp4"))
            #expect(up?.contains("holds the name “..”") == true)
            let ending = try await sentence(submission("3", to: "exports/a.mp4", preset: "lossless"))
            #expect(ending == "The movie is named .mkv, and the target exports/a.mp4 is not; name it so.")
            var stills = submission("4", to: "exports/a.mp4")
            stills.product = .stills(StillsOrder(frames: [0], format: .png, box: nil))
            #expect(try await sentence(stills)?.hasPrefix("Stills and measurements go into no output folder") == true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: farm.folder.path("exports/there.mp4")))
            let there = try await sentence(submission("5", to: "exports/there.mp4"))
            #expect(there?.hasPrefix("There is a file at exports/there.mp4 already;") == true)
            var replacing = submission("5", to: "exports/there.mp4")
            replacing.delivery?.replace = true
            #expect(try await sentence(replacing) == nil)
            #expect(try await sentence(submission("6", to: "exports/a.mp4")) == nil)
            #expect(
                try await sentence(submission("7", to: "exports/a.mp4"))?.contains("goes to exports/a.mp4 too") == true
            )
            let taken = try await farm.post("/v1/jobs", submission("7", to: "exports/a.mp4"), as: "editor")
            #expect(taken.status == 409 && taken.code == "target_taken", "\(taken.text)")
            // The same submission again gives its job, whatever lies there by now.
            try Data("x".utf8).write(to: URL(fileURLWithPath: farm.folder.path("exports/a.mp4")))
            #expect(try await farm.post("/v1/jobs", submission("6", to: "exports/a.mp4"), as: "editor").status == 200)
        }
        try await withCoordinator { farm in
            let answer = try await farm.post("/v1/jobs", submission("1", to: "exports/a.mp4"), as: "editor")
            #expect(answer.code == "target_not_allowed" && answer.text.contains("start it with --output-root"))
        }
    }

    /// A row of a manifest is submitted again after midnight: its key was made of what it says, but for the day.
    @Test func aKeyOfTheContentNamesTheJobOfAnotherDay() async throws {
        try await exporting { farm in
            func send(_ key: String, to target: String, covers: Bool?) async throws -> HTTPAnswer {
                var row = submission(key, to: target)
                row.keyCoversContent = covers
                return try await farm.post("/v1/jobs", row, as: "editor")
            }
            for day in 1...2 {
                let plain = try await send("plain", to: "exports/plain-\(day).mp4", covers: nil)
                #expect(day == 1 ? plain.status == 201 : plain.code == "idempotency_conflict", "\(plain.text)")
            }
            let first = try await send("row", to: "exports/1.mp4", covers: true)
            let second = try await send("row", to: "exports/2.mp4", covers: true)
            #expect(first.status == 201 && second.status == 200, "\(second.text)")
            let job = try second.decode(JobView.self)
            #expect(try first.decode(JobView.self).id == job.id && job.delivery?.to == "exports/1.mp4")
            // A coordinator of the version before knows nothing of such keys, and has kept what all coordinators keep.
            #expect(try await send("row", to: "exports/1.mp4", covers: nil).status == 200)
            #expect(try await send("plain", to: "exports/plain-1.mp4", covers: true).status == 200)
            #expect(try await send("plain", to: "exports/plain-2.mp4", covers: true).status == 200)
        }
    }

    /// Completes the one part of a job, and lets the coordinator join it.
    private func render(_ job: NewJob, _ farm: RunningCoordinator) async throws -> JobID {
        let id = try farm.store.insertJob(job).job.id
        let worker = try await farm.registerWorker()
        let part = FarmPieces.part("one")
        let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 5000)).first)
        _ = try await farm.upload(part, to: "/v1/artifacts/\(ContentDigest(of: part).hex)")
        let done = try await farm.post("/v1/attempts/\(grant.attempt)/complete", FarmPieces.completion(worker, part))
        #expect(done.status == 200, "\(done.text)")
        return id
    }

    @Test func theMovieLiesThereAndTheJobSaysSo() async throws {
        try await exporting { farm in
            var job = try FarmPieces.job(parts: 1)
            job.delivery = NewDelivery(target: "exports/tonight/a.mp4")
            let id = try await render(job, farm)
            try await waitUntil { try farm.store.job(id)?.delivery?.delivered != nil }
            let movie = try await farm.call("GET", "/v1/jobs/\(id)/output", as: "viewer")
            let lies = FileManager.default.contents(atPath: farm.folder.path("exports/tonight/a.mp4"))
            #expect(lies == movie.body && lies?.isEmpty == false)
            let view = try await farm.call("GET", "/v1/jobs/\(id)", as: "viewer").decode(JobView.self)
            #expect(view.delivery?.to == "exports/tonight/a.mp4" && view.delivery?.problem == nil)
        }
    }

    /// Both have the same output folder and wake at the same moments; somebody takes each movie away as soon as it lies there.
    @Test func oneOfTwoCoordinatorsDeliversEachMovie() async throws {
        let folder = try TemporaryFolder()
        let exports = folder.path("exports")
        try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: false)
        let artifacts = try ArtifactStore(root: folder.path("store"))
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        let worker = try await store.register("worker")
        let jobs = try (0..<40).map { number in
            var job = SampleJob.job(key: "\(number)", segments: 1, hasSound: false)
            job.delivery = NewDelivery(target: "exports/\(number).mp4", replaces: true)
            return try store.insertJob(job).job.id
        }
        while let grant = try await store.acquire(worker).first {
            _ = try artifacts.put(Data(grant.task.description.utf8))
            #expect(try await store.complete(grant, by: worker) == .accepted)
        }
        let (log, clock) = (KeptLog(), TestClock())
        let services = try (0..<2).map { _ in
            OutputDelivery(
                store: store,
                artifacts: ArtifactLibrary(
                    folder: artifacts,
                    bucket: nil,
                    space: SpaceWatch(artifactRoot: artifacts.root, others: [], read: { _ in nil })
                ),
                folders: try OutputFolders([exports]),
                hub: ChangeHub(store: store, tick: .seconds(1), clock: clock),
                clock: clock,
                logger: log.logger
            )
        }
        let running = services.map { service in
            Task {
                async let hub: Void = service.hub.run()
                try await service.run()
                try await hub
            }
        }
        try await waitUntil { try jobs.allSatisfy { try store.job($0)?.delivery?.delivered != nil } }
        for task in running {
            task.cancel()
            _ = await task.result
        }
        let delivered = log.lines.filter { $0.message == "movie delivered" }
        #expect(Set(delivered.compactMap { $0.metadata["job"] }).count == 40)
        #expect(delivered.count == 40 && log.lines.allSatisfy { $0.level == .info }, "\(log.lines)")
    }

    /// A file that came between stays; the movie is put there once it is moved away.
    @Test func whatCameBetweenStaysUntilItIsMoved() async throws {
        let time = Later()
        let clock = FarmClock { FarmTime(Date(timeIntervalSinceNow: time.seconds)) }
        try await exporting(clock: clock) { farm in
            var job = try FarmPieces.job(parts: 1)
            job.delivery = NewDelivery(target: "exports/a.mp4")
            let path = farm.folder.path("exports/a.mp4")
            try Data("somebody's".utf8).write(to: URL(fileURLWithPath: path))
            let id = try await render(job, farm)
            try await waitUntil { try farm.store.job(id)?.delivery?.problem != nil }
            let view = try await farm.call("GET", "/v1/jobs/\(id)", as: "viewer").decode(JobView.self)
            #expect(
                view.state == .completed
                    && view.delivery?.problem?.hasPrefix("Another file lies at exports/a.mp4") == true
            )
            #expect(FileManager.default.contents(atPath: path) == Data("somebody's".utf8))
            try FileManager.default.removeItem(atPath: path)
            time.seconds = 10
            try await waitUntil { try farm.store.job(id)?.delivery?.delivered != nil }
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }
}
