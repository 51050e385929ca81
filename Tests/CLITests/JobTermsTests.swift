import ArgumentParser
import Foundation
import Testing
import WireProtocol

@testable import CLI

/// When jobs may be worked on, as options and manifests say it.
@Suite struct JobTermsTests {
    private let night = JobTerms(after: "22:00", until: "06:00", timeZone: "Europe/Berlin")

    @Test func aLineSaysWhatItWantsAndTheCommandTheRest() throws {
        let window = try #require(try JobTerms(until: "04:00", days: "mon-fri").filled(from: night).window())
        #expect(window.words == "22:00 to 04:00 on mon-fri, Europe/Berlin")
        #expect(try JobTerms().window() == nil)
    }

    @Test func theZoneIsThisMachinesUnlessNamed() throws {
        let window = try JobTerms(after: "22:00", until: "06:00").window()
        #expect(window?.timeZone == TimeZone.current.identifier)
    }

    @Test(arguments: [
        (JobTerms(after: "22:00"), "A window has two ends"), (JobTerms(days: "mon"), "Days belong to a window"),
        (JobTerms(after: "22", until: "06:00"), "“22” is no time of day"),
        (JobTerms(after: "22:00", until: "06:00", days: "work"), "“work” names no days of the week"),
        (JobTerms(after: "22:00", until: "06:00", timeZone: "Berlin"), "The time zone “Berlin” is not known"),
        (JobTerms(after: "22:00", until: "22:00"), "never closes"),
    ])
    func whatMeansNothingIsRefused(terms: JobTerms, sentence: String) {
        let failure = #expect(throws: CommandFailure.self) { try terms.window() }
        #expect(failure?.status == .usage)
        #expect(failure?.lines.first?.contains(sentence) == true, "\(failure?.lines ?? [])")
    }

    /// 02:30 comes twice in Berlin on that night; the first is meant.
    @Test(arguments: [
        ("2026-12-01T06:00", "2026-12-01T05:00:00Z"), ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),
        ("2026-03-29T02:30", "2026-03-29T01:30:00Z"), ("2026-12-01T06:00:00-05:00", "2026-12-01T11:00:00Z"),
    ])
    func aDeadlineIsOfTheZoneOrOfItsOffset(text: String, instant: String) throws {
        let date = try JobTerms(timeZone: "Europe/Berlin", deadline: text).deadlineInstant()
        #expect(date == (try Date(instant, strategy: .iso8601)))
    }

    @Test func whatIsNoDeadlineIsRefused() {
        for terms in [JobTerms(deadline: "tomorrow"), JobTerms(timeZone: "Berlin", deadline: "2026-12-01T06:00")] {
            let failure = #expect(throws: CommandFailure.self) { try terms.deadlineInstant() }
            #expect(failure?.status == .usage)
        }
    }

    @Test func theOptionsAreCheckedBeforeAnythingIsSent() throws {
        let options = try JobTermsOptions.parse(["--after", "22:00", "--until", "06:00", "--time-zone", "UTC"])
        #expect(options.terms == JobTerms(after: "22:00", until: "06:00", timeZone: "UTC"))
        #expect(throws: (any Error).self) { try JobTermsOptions.parse(["--after", "22:00"]) }
    }

    @Test func aManifestNamesAWindow() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(
            """
            {"edit": "a.json", "params": {"name": "Ada"}, "after": "22:00", "until": "06:00", "days": "sat", "timeZone": "UTC"}
            {"edit": "b.json", "after": 22}
            """.utf8
        ).write(to: file)
        let lines = try Manifest.read(file.path)
        guard case .entry(let entry, _) = lines[0], case .bad(let sentence) = lines[1] else {
            Issue.record("\(lines)")
            return
        }
        #expect(entry.terms == JobTerms(after: "22:00", until: "06:00", days: "sat", timeZone: "UTC"))
        #expect(entry.parameters == ["name": "Ada"])
        #expect(sentence.hasSuffix(":2: “after” must be a string, and it is 22."), "\(sentence)")
    }
}
