import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

/// Deadlines as clients see them, and the one event that tells of them.
@Suite struct DeadlineTests {
    private static let start = FarmTime(milliseconds: 1_800_000_000_000)

    private func view(
        deadline minutes: Int64,
        state: JobState = .rendering,
        _ adjust: (inout JobView) -> Void = { _ in }
    ) throws -> JobView {
        var job = JobView(
            id: JobID(uuid: UUID()),
            title: "night",
            owner: "owner",
            state: state,
            failure: nil,
            priority: 0,
            created: Self.start.date,
            finished: nil,
            frameCount: 25,
            frameRate: try FrameRate(25),
            preset: "h264",
            fileExtension: "mp4",
            tasks: TaskCounts(),
            permille: 0,
            artifact: nil,
            byteCount: nil,
            deadline: Self.start.adding(milliseconds: minutes * 60_000).date
        )
        adjust(&job)
        return job
    }

    private func date(_ minutes: Double) -> Date { Self.start.date.addingTimeInterval(minutes * 60) }

    @Test func itSaysHowTheDeadlineIsMissed() throws {
        func words(_ job: JobView) -> String? { DeadlineWords(job)?.warning(at: Self.start) }
        #expect(words(try view(deadline: 10)) == nil, "nothing is known")
        #expect(words(try view(deadline: 10) { $0.secondsLeft = 600 }) == nil, "it is just made")
        let late = try view(deadline: 10) { $0.secondsLeft = 1315 }
        #expect(words(late) == "Will miss its deadline by about 12 min")
        #expect(words(try view(deadline: -3)) == "Missed its deadline 3 min ago")
        let shut = try view(deadline: 10, state: .queued) { $0.windowOpens = date(130) }
        #expect(words(shut) == "Will miss its deadline: its window opens 2 h after it")
        #expect(words(try view(deadline: 10, state: .queued) { $0.windowOpens = date(9) }) == nil)
        #expect(words(try view(deadline: 10, state: .stitching) { $0.windowOpens = date(130) }) == nil)
        let done = try view(deadline: -30, state: .completed) { $0.finished = date(-18) }
        #expect(words(done) == "Missed its deadline by 12 min")
        #expect(words(try view(deadline: -30, state: .completed) { $0.finished = date(-30) }) == nil)
        #expect(words(try view(deadline: -30, state: .cancelled) { $0.finished = date(-18) }) == nil)
    }

    /// An estimate is believed when two looks in a row say the same; a deadline that has passed, at once.
    @Test func oneLookAtAnEstimateTellsNothing() throws {
        var looks = DeadlineLooks()
        let late = try view(deadline: 10) { $0.deadlineWarning = "Will miss its deadline by about 2 min" }
        var saved = late
        saved.deadlineWarning = nil
        func told(_ job: JobView) -> Int { looks.look([job], at: Self.start).count }
        for job in [late, saved, late] { #expect(told(job) == 0) }
        #expect(told(late) == 1)
        let passed = try view(deadline: -1) { $0.deadlineWarning = "Missed its deadline 1 min ago" }
        #expect(told(passed) == 1)
        #expect(told(try view(deadline: -1)) == 0, "without a warning nothing is told")
    }

    private func listed(_ farm: RunningCoordinator, _ job: JobID) async throws -> JobView {
        try await farm.call("GET", "/v1/jobs/\(job)", as: "viewer").decode(JobView.self)
    }

    /// Two parts of 100 ms of cost each; the first takes a minute, so that the second will take another.
    @Test func aJobThatIsTooSlowSaysSo() async throws {
        let time = Later()
        let clock = FarmClock { Self.start.adding(milliseconds: Int64(time.seconds * 1000)) }
        try await withCoordinator(clock: clock) { farm in
            var job = try FarmPieces.job(parts: 2)
            job.deadline = Self.start.adding(milliseconds: 40_000)
            let id = try farm.store.insertJob(job).job.id
            #expect(try await listed(farm, id).deadline == Self.start.date.addingTimeInterval(40))
            let worker = try await farm.registerWorker()
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            time.seconds = 20
            _ = try await farm.store.renew(worker, [AttemptProgress(attempt: grant.attempt, permille: 300)])
            let warning = try await listed(farm, id).deadlineWarning
            #expect(warning == "Will miss its deadline by about 2 min", "20 s for 30 of 210 ms of cost")
            // The coordinator tells of it by itself, and once.
            try await waitUntil { try farm.store.jobsWithDeadlines(limit: 9).isEmpty }
            let events = try farm.store.events(after: 0, job: id, limit: 100).filter { $0.task == nil }
            #expect(events.map(\.state) == ["queued", "rendering", "late"])
            #expect(try farm.store.tellLate(id) == false)
            #expect(try farm.store.job(id)?.state == .rendering, "nothing else follows")
        }
    }

    @Test func aDeadlineIsAnInstantOfAnyZone() async throws {
        try await withCoordinator { farm in
            func answer(_ deadline: String) async throws -> HTTPAnswer {
                let body = """
                    {"idempotencyKey": "1", "editText": "{}", "title": "t", "assets": {}, "output": 0, "priority": 0,
                    "deadline": "\(deadline)"}
                    """
                return try await farm.call("POST", "/v1/jobs", as: "editor", body: body)
            }
            for wrong in ["tomorrow", "2026-12-01T06:00", "2026-02-30T06:00:00Z"] {
                let refused = try await answer(wrong)
                #expect(refused.status == 400 && refused.text.contains("“\(wrong)” is no instant"), "\(refused.text)")
            }
            // The edit is empty, and that is all that is wrong.
            #expect(try await answer("2026-12-01T06:00:00+01:00").code == "invalid_edit")
        }
    }
}
