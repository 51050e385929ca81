import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import CLI

/// A report as text and as a page.
@Suite struct ReportTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func date(_ text: String) throws -> Date { try #require(WrittenInstant(text)?.date) }

    @Test(
        arguments: [
            ("18:00", "2026-12-02T08:00:00+01:00", "2026-12-01T18:00:00+01:00"),
            ("07:00", "2026-12-02T08:00:00+01:00", "2026-12-02T07:00:00+01:00"),
            ("08:00", "2026-12-02T08:00:00+01:00", "2026-12-01T08:00:00+01:00"),
            ("23:30", "2026-12-02T00:10:00+01:00", "2026-12-01T23:30:00+01:00"),
            // The night in which clocks go back an hour, and the one in which they go forward.
            ("18:00", "2026-10-25T08:00:00+01:00", "2026-10-24T18:00:00+02:00"),
            ("18:00", "2026-03-29T08:00:00+02:00", "2026-03-28T18:00:00+01:00"),
            ("12h", "2026-12-02T08:00:00+01:00", "2026-12-01T20:00:00+01:00"),
            ("2d", "2026-12-02T08:00:00+01:00", "2026-11-30T08:00:00+01:00"),
            ("2026-12-01T18:00", "2026-12-02T08:00:00+01:00", "2026-12-01T18:00:00+01:00"),
            ("2026-12-01T18:00:00Z", "2026-12-02T08:00:00+01:00", "2026-12-01T19:00:00+01:00"),
        ]
    )
    func aBeginningIsRead(text: String, now: String, expected: String) throws {
        #expect(try ReportStart(text, now: date(now), timeZone: berlin).date == date(expected))
    }

    @Test(arguments: ["", "yesterday", "25:00", "0h", "-1h", "h", "2026-13-01T00:00"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(throws: CommandFailure.self) { try ReportStart(text) }
    }

    @Test func numbersAreForPeople() {
        #expect(ReportWords.count(1_234_567) == "1\u{202f}234\u{202f}567" && ReportWords.count(999) == "999")
        #expect(ReportWords.bytes(1_234_567_890) == "1.2 GB" && ReportWords.bytes(12) == "12 B")
        #expect(ReportWords.span(milliseconds: 65_000) == "1 min 5 s")
        #expect(ReportWords.span(milliseconds: 7_260_000) == "2 h 1 min" && ReportWords.span(milliseconds: 0) == "0 s")
    }

    private func job(_ title: String, _ state: JobState, _ adjust: (inout JobView) -> Void = { _ in }) throws -> JobView
    {
        var job = JobView(
            id: JobID(uuid: UUID()),
            title: title,
            owner: "mia",
            state: state,
            failure: nil,
            priority: 0,
            created: Date(timeIntervalSince1970: 1_800_000_000),
            finished: state.isFinal ? Date(timeIntervalSince1970: 1_800_000_300) : nil,
            frameCount: 1500,
            frameRate: try FrameRate(25),
            preset: "h264",
            fileExtension: "mp4",
            tasks: TaskCounts(),
            permille: 250,
            artifact: nil,
            byteCount: 2_000_000
        )
        adjust(&job)
        return job
    }

    private func report() throws -> FarmReport {
        var totals = ReportTotals()
        (totals.completed, totals.failed, totals.unfinished, totals.late, totals.undelivered) = (600, 1, 1, 1, 1)
        (totals.frames, totals.copiedFrames, totals.renderedFrames) = (2000, 500, 1500)
        totals.workMilliseconds = 3_700_000
        var report = FarmReport(
            since: Date(timeIntervalSince1970: 1_800_000_000),
            until: Date(timeIntervalSince1970: 1_800_040_000),
            owner: nil,
            totals: totals
        )
        let evil = #"<script>alert("1")</script> & co"#
        report.failed = [
            ReportedJob(
                job: try job(evil, .failed) {
                    $0.failure = Failure(code: "asset_truncated", message: "a.mov ends <early>.", isPermanent: true)
                },
                advice: "Replace the source."
            )
        ]
        report.late = [
            ReportedJob(
                job: try job("spoilt", .failed) { $0.deadline = Date(timeIntervalSince1970: 1_800_000_200) }
            )
        ]
        report.unfinished = [
            ReportedJob(job: try job("waits", .queued) { $0.waiting = JobWaiting("No worker is here") })
        ]
        report.undelivered = [
            ReportedJob(
                job: try job("full", .completed) {
                    $0.delivery = JobDelivery(to: "exports/full.mp4", problem: "There is no room.")
                }
            )
        ]
        report.completed = [
            ReportedJob(
                job: try job("fine", .completed) {
                    $0.delivery = JobDelivery(
                        to: "exports/fine.mp4",
                        delivered: Date(timeIntervalSince1970: 1_800_000_301)
                    )
                }
            )
        ]
        report.slowest = [ReportedJob(job: try job("fine", .completed), workMilliseconds: 65_000)]
        report.machines = [
            ReportedMachine(name: "render-1", completed: 9, failed: 1, renderedFrames: 1500, workMilliseconds: 60_000)
        ]
        return report
    }

    @Test func thePageNeedsNothingElseAndTrustsNothing() throws {
        let html = ReportPage(report: try report()).html
        #expect(
            !html.contains("<script") && !html.contains("http:") && !html.contains("https:") && !html.contains("url(")
        )
        #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; co"))
        for words in [
            "600 jobs done, 1 failed, 1 not finished, 1 late, 1 not where they go", "a.mov ends &lt;early&gt;.",
            "What to do: Replace the source.", "No worker is here.", "To exports/full.mp4", "There is no room.",
            "exports/fine.mp4", "and 599 more", "render-1", "1 min 5 s", "25 % of them copied",
            "It failed, so that nothing was ready at its deadline.", "prefers-color-scheme: dark",
            "@media print",
        ] {
            #expect(html.contains(words), "\(words)")
        }
    }

    @Test func theTextSaysTheSame() throws {
        let text = ReportText(report: try report()).text
        for words in [
            "600 jobs done", "a.mov ends <early>. Replace the source.", "No worker is here.", "render-1",
            "It failed, so that nothing was ready at its deadline.",
        ] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
    }
}
