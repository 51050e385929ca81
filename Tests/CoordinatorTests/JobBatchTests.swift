import CompositionModel
import Farm
import Foundation
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Many submissions in one request, each of which is accepted or refused by itself.
@Suite struct JobBatchTests {
    private let clip = Data("a clip".utf8)

    /// A clock that does not advance, so that no batch reaches its time limit on a busy machine.
    private static func standing(_ configuration: inout CoordinatorConfiguration, _ folder: TemporaryFolder) {
        configuration.clock = TestClock()
    }

    private func submission(_ key: String, duration: String = "10s") -> JobSubmission {
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "\(duration)" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        let digest = ContentDigest(of: clip)
        return JobSubmission(idempotencyKey: key, editText: text, title: "\(key).json", assets: ["a": digest])
    }

    @Test func oneThatIsRefusedStopsNoOther() async throws {
        try await withCoordinator { farm in
            let path = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: path, as: "editor").status == 201)
            var (lonely, closed, lost) = (submission("lonely"), submission("closed"), submission("lost"))
            lonely.assets = ["a": ContentDigest(of: Data("no clip".utf8))]
            closed.window = JobWindow(
                after: WallTime(minutes: 60),
                until: WallTime(minutes: 60),
                timeZone: "UTC"
            )
            lost.afterJobs = [JobID(uuid: UUID())]
            let batch = JobBatch(
                jobs: [
                    submission("first"), submission("broken", duration: "ten"), lonely, closed, lost,
                    submission("first"), submission("first", duration: "9s"), submission("last"),
                ]
            )
            let answers = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            let codes = answers.map { $0.problem?.code }
            #expect(
                codes == [
                    nil, "invalid_edit", "asset_missing", "invalid_request", "invalid_request", nil,
                    "idempotency_conflict", nil,
                ]
            )
            #expect(answers.map { $0.job?.title }.compactMap(\.self) == ["first.json", "first.json", "last.json"])
            #expect(answers[0].job?.id == answers[5].job?.id, "it is the same twice")
            #expect(answers[1].problem?.findings?.isEmpty == false)
            #expect(try farm.store.jobs(JobFilter()).count == 2)
            // The answer was lost, and the batch is sent again.
            let again = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(again.map { $0.job?.id } == answers.map { $0.job?.id })
            #expect(try farm.store.jobs(JobFilter()).count == 2)
        }
    }

    /// A batch is planned and stored in groups: each answer stands at its job's place, and the jobs are in order.
    @Test func manyKeepTheirPlaces() async throws {
        try await withCoordinator(Self.standing) { farm in
            let path = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: path, as: "editor").status == 201)
            let broken: Set<Int> = [3, 60, 119]
            let batch = JobBatch(
                jobs: (0..<120).map { submission("\($0)", duration: broken.contains($0) ? "ten" : "10s") }
            )
            let answers = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(answers.count == 120)
            for (place, answer) in answers.enumerated() {
                #expect(answer.job?.title == (broken.contains(place) ? nil : "\(place).json"))
                #expect((answer.problem?.code == "invalid_edit") == broken.contains(place))
            }
            let ids = answers.compactMap { $0.job?.id }
            #expect(ids.count == 117 && ids == ids.sorted())
            let again = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(again.compactMap { $0.job?.id } == ids)
        }
    }

    /// A job of a thousand tasks is stored at once, after those before it and before those behind it.
    @Test func aLargeOneKeepsItsPlace() async throws {
        try await withCoordinator(Self.standing) { farm in
            let path = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: path, as: "editor").status == 201)
            var jobs = (0..<103).map { submission("\($0)") }
            for place in [0, 1, 60, 101] {
                let looped = #""loop": 1000, "duration""#
                jobs[place].editText = jobs[place].editText.replacing(#""duration""#, with: looped)
            }
            let answers = try await farm.post("/v1/jobs:batch", JobBatch(jobs: jobs), as: "editor")
                .decode([JobBatchAnswer].self)
            #expect(answers.map { $0.job?.title } == jobs.map(\.title), "\(answers.compactMap(\.problem))")
            let tasks = answers.compactMap { $0.job?.tasks.queued }
            #expect(tasks.indices.filter { tasks[$0] > 1000 } == [0, 1, 60, 101], "\(tasks)")
            let ids = answers.compactMap { $0.job?.id }
            #expect(ids.count == 103 && ids == ids.sorted())
        }
    }

    /// The first 50 jobs cannot be stored. A large one behind them is not either: it would come before them when the
    /// batch is sent again.
    @Test func nothingIsStoredBehindWhatFailed() async throws {
        let store = StalledStore()
        let adjust: (inout CoordinatorConfiguration, TemporaryFolder) -> Void = { configuration, folder in
            Self.standing(&configuration, folder)
            configuration.store = store
        }
        try await withCoordinator(adjust) { farm in
            let path = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: path, as: "editor").status == 201)
            var jobs = (0..<51).map { submission("\($0)") }
            jobs[50].editText = jobs[50].editText.replacing(#""duration""#, with: #""loop": 1000, "duration""#)
            store.isDown = true
            let refused = try await farm.post("/v1/jobs:batch", JobBatch(jobs: jobs), as: "editor")
            #expect(refused.status == 503, "\(refused.text)")
            #expect(store.inserted.withLock(\.self) == [50])
            store.isDown = false
            let answers = try await farm.post("/v1/jobs:batch", JobBatch(jobs: jobs), as: "editor")
                .decode([JobBatchAnswer].self)
            #expect(answers.map { $0.job?.title } == jobs.map(\.title))
        }
    }

    /// Planning each takes 40 seconds: two are planned in the first minute, and the last one is left.
    @Test func whatWouldTakeTooLongIsLeft() async throws {
        let (clock, store) = (TestClock(), StalledStore())
        let adjust: (inout CoordinatorConfiguration, TemporaryFolder) -> Void = { configuration, _ in
            configuration.clock = clock
            configuration.store = store
        }
        try await withCoordinator(adjust) { farm in
            var batch = JobBatch(jobs: [])
            for name in ["first", "second", "last"] {
                let own = Data(name.utf8)
                let digest = ContentDigest(of: own)
                #expect(try await farm.upload(own, to: "/v1/assets/\(digest.hex)", as: "editor").status == 201)
                var submission = submission(name)
                submission.assets = ["a": digest]
                batch.jobs.append(submission)
            }
            store.beforeAsset.withLock { $0 = { clock.advance(by: .seconds(40)) } }
            let answers = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(answers.map { $0.job?.title } == ["first.json", "second.json"])
            batch.jobs.removeFirst(2)
            let others = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(others.map { $0.job?.title } == ["last.json"])
        }
    }

    @Test func aBatchHasALimitAndAnOwner() async throws {
        try await withCoordinator { farm in
            for count in [0, JobBatch.mostJobs + 1] {
                let batch = JobBatch(jobs: (0..<count).map { submission("\($0)") })
                let refused = try await farm.post("/v1/jobs:batch", batch, as: "editor")
                #expect(refused.status == 422 && refused.text.contains("A batch has 1 to 200 jobs"), "\(refused.text)")
            }
            let one = JobBatch(jobs: [submission("one")])
            #expect(try await farm.post("/v1/jobs:batch", one, as: "viewer").status == 403)
        }
    }
}
