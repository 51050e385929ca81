import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Logging
import Storage
import Synchronization
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

/// An output folder whose file system hangs, as that of a network does while its server is away.
@Suite struct HungOutputFolderTests {
    /// Finished jobs, and coordinators that deliver their movies.
    private struct Scene {
        let folder: TemporaryFolder
        let artifacts: ArtifactStore
        let store: InMemoryFarmStore
        let clock = TestClock()
        let hanging = HangingFolders()
        let log = KeptLog()

        /// - Throws: the error of a call of the operating system.
        init() throws {
            folder = try TemporaryFolder()
            for name in ["exports", "archive", "media"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path(name),
                    withIntermediateDirectories: false
                )
            }
            artifacts = try ArtifactStore(root: folder.path("store"))
            let clock = clock
            store = InMemoryFarmStore(
                identifiers: IdentifierSource(),
                clock: FarmClock { FarmTime(milliseconds: 1_000_000 + clock.now.offset.milliseconds) }
            )
        }

        /// Stores jobs with these targets and completes them. Their movies are files that cannot be linked.
        func finish(_ targets: [String]) async throws -> [JobID] {
            let worker = try await store.register("worker")
            let jobs = try targets.map { target in
                var job = SampleJob.job(key: target, segments: 1, hasSound: false)
                job.delivery = NewDelivery(target: target, replaces: true)
                return try store.insertJob(job).job.id
            }
            while let grant = try await store.acquire(worker).first {
                let path = folder.path("media/" + UUID().uuidString)
                try Data(grant.task.description.utf8).write(to: URL(fileURLWithPath: path))
                _ = try artifacts.register(path: path, hashing: true)
                #expect(try await store.complete(grant, by: worker) == .accepted)
            }
            return jobs
        }

        /// Runs `body` beside a coordinator's deliveries.
        func delivering(into folders: OutputFolders, _ body: () async throws -> Void) async throws {
            let service = OutputDelivery(
                store: store,
                artifacts: ArtifactLibrary(
                    folder: artifacts,
                    bucket: nil,
                    space: SpaceWatch(artifactRoot: artifacts.root, others: [], read: { _ in nil })
                ),
                folders: folders,
                hub: ChangeHub(store: store, tick: .seconds(1), clock: clock),
                clock: clock,
                logger: log.logger
            )
            let running = Task {
                async let hub: Void = service.hub.run()
                try await service.run()
                try await hub
            }
            do {
                try await body()
            } catch {
                running.cancel()
                hanging.release()
                throw error
            }
            running.cancel()
            _ = await running.result
        }

        func delivery(_ job: JobID) throws -> JobDelivery? { try store.job(job)?.delivery }

        /// Waits for the delivery of a job, while the clock stands.
        func waitForDelivery(of job: JobID) async throws {
            try await waitUntil { try delivery(job)?.delivered != nil }
        }

        /// Waits until the coordinator has given up one of some movies whose folder hangs.
        func waitForSilence(about jobs: [JobID]) async throws {
            try await waitUntil { hanging.hangingCount == 1 }
            func problems() throws -> [String] { try jobs.compactMap { try delivery($0)?.problem } }
            try await clock.turn(by: .seconds(5)) { try !problems().isEmpty }
            let sentence = "The output folder “exports” does not answer; the movie is put there once it does."
            #expect(try problems() == [sentence])
        }
    }

    @Test func itHoldsUpNoOtherFolder() async throws {
        let scene = try Scene()
        let jobs = try await scene.finish(["exports/a.mp4", "archive/a.mp4", "archive/b.mp4", "exports/b.mp4"])
        scene.hanging.hang("exports", at: .entering)
        let folders = try scene.hanging.folders(["exports", "archive"].map { scene.folder.path($0) })
        try await scene.delivering(into: folders) {
            try await scene.waitForDelivery(of: jobs[1])
            try await scene.waitForDelivery(of: jobs[2])
            try await scene.waitForSilence(about: [jobs[0], jobs[3]])
            // The claim is given back; what was tried keeps the one thread, and nothing else is tried in its folder.
            scene.clock.advance(by: .seconds(10))
            let due = try scene.store.claimDeliveries(in: ["exports"], limit: 9)
            #expect(due.map(\.job).sorted() == [jobs[0], jobs[3]].sorted())
            #expect(scene.hanging.hangingCount == 1)
            scene.clock.advance(by: .milliseconds(DeliveryRecord.claimMilliseconds))
            scene.hanging.release()
            try await scene.waitForDelivery(of: jobs[0])
            try await scene.waitForDelivery(of: jobs[3])
        }
    }

    /// A delivery hangs before or after it copied. Another coordinator delivers meanwhile, and somebody puts a file in
    /// the movie's place.
    @Test(arguments: [(OutputMoment.moving, 0), (.moving, 1), (.naming, 0)])
    func whatComesBackLateReplacesNothing(moment: OutputMoment, after passes: Int) async throws {
        let scene = try Scene()
        let exports = scene.folder.path("exports")
        let file = URL(fileURLWithPath: exports + "/a.mp4")
        let job = try await scene.finish(["exports/a.mp4"])[0]
        scene.hanging.hang("exports", at: moment, after: passes)
        try await scene.delivering(into: try scene.hanging.folders([exports])) {
            try await scene.waitForSilence(about: [job])
            scene.clock.advance(by: .seconds(10))
            try await scene.delivering(into: try OutputFolders([exports])) {
                try await scene.waitForDelivery(of: job)
            }
            try FileManager.default.removeItem(at: file)
            try Data("somebody's".utf8).write(to: file)
            scene.hanging.release()
            // The first coordinator's thread is free for another movie once it has left this one.
            let next = try await scene.finish(["exports/b.mp4"])[0]
            try await scene.waitForDelivery(of: next)
        }
        #expect(try Data(contentsOf: file) == Data("somebody's".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: exports).sorted() == ["a.mp4", "b.mp4"])
    }

    private func hold(on clock: TestClock) -> (hold: DeliveryHold, claim: DueDelivery) {
        let claim = DueDelivery(
            job: JobID(uuid: UUID()),
            artifact: ContentDigest(of: Data()),
            target: "exports/a.mp4",
            replaces: true,
            claimedUntil: FarmTime(milliseconds: 0)
        )
        return (DeliveryHold(claim, in: "exports", since: Stopwatch(on: clock)), claim)
    }

    @Test func whatWasGivenUpStaysSo() throws {
        let (hold, _) = hold(on: TestClock())
        #expect(hold.goesOn(.naming))
        hold.watch()
        #expect(hold.look(most: 2), "there was progress")
        #expect(hold.look(most: 2) && !hold.look(most: 2) && hold.isStalled)
        #expect(!hold.goesOn(.moving) && !hold.goesOn(.naming) && !hold.look(most: 2))
    }

    /// The claim has ended and was not renewed, since the database is slow or the whole machine paused: others may have
    /// delivered. The thread waits before the name until that is known, and the folder is not called silent meanwhile.
    @Test(arguments: [true, false]) func theNameWaitsForTheClaim(isRenewed: Bool) async throws {
        let clock = TestClock()
        let (hold, claim) = hold(on: clock)
        hold.watch()
        clock.advance(by: .milliseconds(DeliveryRecord.claimMilliseconds - 1))
        #expect(hold.goesOn(.naming))
        clock.advance(by: .milliseconds(1))
        #expect(hold.goesOn(.moving), "it may be renewed yet")
        let hasPassed = Mutex(false)
        let naming = FolderThread().begin {
            let goesOn = hold.goesOn(.naming)
            hasPassed.withLock { $0 = true }
            return goesOn
        }
        try await waitUntil { hold.isWaiting || hasPassed.withLock(\.self) }
        for _ in 0..<9 { #expect(hold.look(most: 2)) }
        #expect(hold.isWaiting)
        if isRenewed { hold.renew(claim, since: Stopwatch(on: clock)) } else { hold.giveUp() }
        #expect(await naming.value() == isRenewed)
        #expect(hold.goesOn(.naming) == isRenewed && !hold.isStalled)
    }

    private let clip = Data("a clip".utf8)

    private func submission(_ key: String, to target: String?) -> JobSubmission {
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "10s" }] }],
              "outputs": [{ "preset": "h264" }] }
            """
        return JobSubmission(
            idempotencyKey: key,
            editText: text,
            title: "\(key).json",
            assets: ["a": ContentDigest(of: clip)],
            delivery: target.map { DeliveryOrder(to: $0) }
        )
    }

    /// While a submission waits for its folder, others are planned, also its owner's.
    @Test func itKeepsNoOtherSubmissionWaiting() async throws {
        let (clock, hanging) = (TestClock(), HangingFolders())
        try await withCoordinator { configuration, folder in
            let paths = ["exports", "archive"].map { folder.path($0) }
            for path in paths {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            configuration.clock = clock
            configuration.outputFolders = try hanging.folders(paths)
        } _: { farm in
            let asset = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: asset, as: "editor").status == 201)
            hanging.hang("exports", at: .entering)
            defer { hanging.release() }
            let waiting = Task { try await farm.post("/v1/jobs", submission("1", to: "exports/1.mp4"), as: "editor") }
            try await waitUntil { hanging.hangingCount == 1 }
            for (key, target) in [("2", "archive/2.mp4"), ("3", nil)] {
                #expect(try await farm.post("/v1/jobs", submission(key, to: target), as: "editor").status == 201)
            }
            var replacing = submission("4", to: "exports/4.mp4")
            replacing.delivery?.replace = true
            #expect(try await farm.post("/v1/jobs", replacing, as: "editor").status == 201, "nobody looks")
            let refused = try await clock.turning(by: DeliveryPlanning.longestLook) { try await waiting.value }
            #expect(refused.status == 409 && refused.code == "output_folder_silent")
            #expect(try refused.decode(Problem.self).detail.hasPrefix("The output folder “exports” does not answer"))
            // Others are told at once, and no further thread hangs. Of a batch only what goes there is refused.
            let batch = JobBatch(jobs: [submission("5", to: "exports/5.mp4"), submission("6", to: "archive/6.mp4")])
            let answers = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(answers.map { $0.problem?.code } == ["output_folder_silent", nil] && answers[1].job != nil)
            #expect(hanging.hangingCount == 1)
            hanging.release()
            try await waitUntil {
                try await farm.post("/v1/jobs", submission("5", to: "exports/5.mp4"), as: "editor").status == 201
            }
        }
    }
}
