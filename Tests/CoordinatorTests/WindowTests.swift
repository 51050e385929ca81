import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Windows as clients send and see them.
@Suite struct WindowTests {
    /// 18:48 in Berlin on a Thursday.
    private static let evening = FarmTime(milliseconds: 1_795_715_280_000)

    private func window(_ days: String? = nil) throws -> JobWindow {
        JobWindow(
            after: try #require(WallTime("22:00")),
            until: try #require(WallTime("06:00")),
            days: try days.map { try #require(WeekdaySet($0)) },
            timeZone: "Europe/Berlin"
        )
    }

    @Test func aJobSaysWhenItsWindowOpens() async throws {
        try await withCoordinator(clock: .standing(at: Self.evening)) { farm in
            var tonight = try FarmPieces.job(parts: 1)
            tonight.window = try window()
            var weekend = try FarmPieces.job(parts: 1)
            weekend.window = try window("sat-sun")
            let ids = try [tonight, weekend].map { try farm.store.insertJob($0).job.id }
            func job(_ id: JobID) async throws -> JobView {
                try await farm.call("GET", "/v1/jobs/\(id)", as: "viewer").decode(JobView.self)
            }
            let first = try await job(ids[0])
            #expect(first.window == tonight.window && first.windowOpens == Self.evening.date.addingTimeInterval(11_520))
            #expect(first.waiting?.sentence == "Waits for its window: 22:00 Europe/Berlin, in 3 h 12 min")
            #expect(first.waiting?.detail?.hasPrefix("Its work begins from 22:00 to 06:00, Europe/Berlin. ") == true)
            let second = try await job(ids[1]).waiting?.sentence
            #expect(second == "Waits for its window: Saturday 22:00 Europe/Berlin, in 2 d 3 h")
            _ = try farm.store.control(ids[0], .pause)
            #expect(try await job(ids[0]).waiting?.sentence == "Paused")
            let worker = try await farm.registerWorker()
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 9)).isEmpty)
        }
    }

    /// The coordinator was off while the window opened.
    @Test func aPollIsAnsweredWhenTheWindowOpens() async throws {
        let time = Later()
        let clock = FarmClock { Self.evening.adding(milliseconds: Int64(time.seconds * 1000)) }
        try await withCoordinator(clock: clock) { farm in
            var job = try FarmPieces.job(parts: 1)
            job.window = try window()
            _ = try farm.store.insertJob(job)
            let worker = try await farm.registerWorker()
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0)).isEmpty)
            time.seconds = 11_520
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 20_000)).count == 1)
        }
    }

    @Test(arguments: [
        (#""until": "06:00", "timeZone": "Europe/Berlim""#, "The time zone “Europe/Berlim” is not known"),
        (#""until": "22:00", "timeZone": "UTC""#, "on every day never closes"),
        (#""until": "25:00", "timeZone": "UTC""#, "“25:00” is not a time of day"),
        (#""until": "06:00", "days": "mon-fry", "timeZone": "UTC""#, "“mon-fry” is not days of the week"),
    ])
    func aWindowThatMeansNothingIsRefused(window: String, sentence: String) async throws {
        try await withCoordinator { farm in
            let body = """
                {"idempotencyKey": "1", "editText": "{}", "title": "t", "assets": {}, "output": 0, "priority": 0,
                "window": {"after": "22:00", \(window)}}
                """
            let refused = try await farm.call("POST", "/v1/jobs", as: "editor", body: body)
            #expect([400, 422].contains(refused.status) && refused.text.contains(sentence), "\(refused.text)")
        }
    }

    @Test(
        arguments: [
            (1, "1 min"), (60_000, "1 min"), (60_001, "2 min"), (3_600_000, "1 h"), (11_520_000, "3 h 12 min"),
            (86_400_000, "1 d"), (2 * 86_400_000 + 7_200_000, "2 d 2 h"), (-5, "1 min"),
        ] as [(Int64, String)]
    )
    func timeIsSaidInTwoUnits(milliseconds: Int64, words: String) {
        #expect(TimeLeft.words(milliseconds) == words)
    }
}
