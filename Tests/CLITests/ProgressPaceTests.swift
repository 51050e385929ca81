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

    @Test func thePaceIsThatOfTheTimelineSinceItWasSeen() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        #expect(try pace.note(job(500, id: id), at: 10).words == nil)
        #expect(try pace.note(job(505, id: id), at: 11).words == nil, "too little to tell")
        #expect(try pace.note(job(600, id: id), at: 14).words == "2.5× real time · 16 s left")
        #expect(try pace.note(job(600, id: id), at: 50).words == "0.3× real time · 2 min 40 s left")
        #expect(try pace.note(job(1000, .completed, id: id), at: 60).words == nil)
    }

    /// A second that is over at once is no reason to fail.
    @Test func nothingOverflows() throws {
        var pace = ProgressPace()
        let id = JobID(uuid: UUID())
        _ = pace.note(try job(0, id: id), at: 0)
        var long = try job(999, id: id)
        long.frameCount = .max
        #expect(pace.note(long, at: 0.51).words?.hasSuffix(" left") == true)
    }
}
