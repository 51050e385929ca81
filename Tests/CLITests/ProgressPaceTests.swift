import Foundation
import Testing
import Timing
import WireProtocol

@testable import CLI

@Suite struct ProgressPaceTests {
    /// A job of 100 s.
    private func job(_ permille: Int, _ state: JobState = .rendering, id: JobID = JobID(uuid: UUID())) throws -> JobView
    {
        JobView(
            id: id,
            title: "edit.json",
            owner: "me",
            state: state,
            failure: nil,
            priority: 0,
            created: Date(timeIntervalSince1970: 0),
            finished: nil,
            frameCount: 2500,
            frameRate: try FrameRate(25),
            preset: "h264",
            fileExtension: "mp4",
            tasks: TaskCounts(leased: 3),
            permille: permille,
            artifact: nil,
            byteCount: nil
        )
    }

    /// The killed worker's part is worked at again, and nothing goes back.
    @Test func whatIsShownNeverFalls() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        #expect(
            try [100, 700, 400, 650, 800].map { pace.note(try job($0, id: id), at: 1).permille } == [
                100, 700, 700, 700, 800,
            ]
        )
        #expect(try pace.note(job(50), at: 2).permille == 50, "another job begins anew")
    }

    @Test func thePaceIsThatOfTheTimelineSinceItsFirstReport() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        #expect(try pace.note(job(500, id: id), at: 10).words == nil)
        #expect(try pace.note(job(505, id: id), at: 11).words == nil, "one report is no pace")
        #expect(try pace.note(job(600, id: id), at: 14).words == "3.2× real time · 13 s left")
        #expect(try pace.note(job(600, id: id), at: 16).words == "3.2× real time · 11 s left", "it goes on unreported")
        // Of 36 s without a report 31 were lost.
        #expect(try pace.note(job(600, id: id), at: 50).words == "0.3× real time · 2 min 18 s left")
        #expect(try pace.note(job(1000, .completed, id: id), at: 60).words == nil)
    }

    /// Who asks the coordinator knows of all workers what it took, and of what is left what it costs.
    @Test func whatTheCoordinatorSaysCountsFromThenOn() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        _ = try pace.note(job(500, id: id), at: 10)
        _ = try pace.note(job(505, id: id), at: 11)
        #expect(try pace.note(job(600, id: id), at: 14).words == "3.2× real time · 13 s left")
        var told = try job(610, id: id)
        (told.speed, told.secondsLeft) = (3.14, 123.4)
        #expect(pace.note(told, at: 15).words == "3.1× real time · 2 min 3 s left")
        told.speed = nil
        told.secondsLeft = 40_000
        #expect(pace.note(told, at: 16).words == "11 h 6 min left")
        #expect(try pace.note(job(620, id: id), at: 17).words == nil, "nothing is under way")
    }

    /// Programs start for 3 s; then 10 thousandths are done each second, and told every 1.5 s: 103 s in all.
    @Test func theTimeLeftIsRightFromTheStart() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        var told = 0
        for second in 0..<100 {
            let now = Double(second)
            let reported = max(0, (now / 1.5).rounded(.down) * 1.5 - 3)
            guard let words = try pace.note(job(Int(10 * reported), id: id), at: now).words else { continue }
            told += 1
            let clock = try #require(words.split(separator: "·").last?.split(separator: " "))
            let left = clock.count == 5 ? 60 * (Int(clock[0]) ?? 0) + (Int(clock[2]) ?? 0) : Int(clock[0]) ?? 0
            #expect(abs(Double(left) - (103 - now)) <= 12, "\(words) at \(second) s")
            if second > 20 { #expect(abs(Double(left) - (103 - now)) <= 5, "\(words) at \(second) s") }
        }
        #expect(told > 90)
    }

    /// A second that is over at once is no reason to fail.
    @Test func nothingOverflows() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        _ = pace.note(try job(0, id: id), at: 0)
        _ = pace.note(try job(1, id: id), at: 0.1)
        var long = try job(999, id: id)
        long.frameCount = .max
        #expect(pace.note(long, at: 2.2).words?.hasSuffix(" left") == true)
    }
}
