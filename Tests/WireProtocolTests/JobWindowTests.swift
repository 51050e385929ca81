import Foundation
import Testing

@testable import WireProtocol

@Suite struct JobWindowTests {
    @Test(arguments: [
        ("mon-fri", "mon-fri"), ("fri-mon", "mon,fri-sun"), ("SUN, sat", "sat,sun"), ("tue", "tue"),
        ("mon,tue,wed,fri", "mon-wed,fri"), ("sun-sat", "mon-sun"), ("wed-wed", "wed"),
    ])
    func daysAreReadAndWritten(text: String, words: String) throws {
        let days = try #require(WeekdaySet(text))
        #expect(days.description == words)
        #expect(WeekdaySet(words) == days)
    }

    @Test(arguments: ["", "mon-", "-fri", "mon-fri-sun", "monday", "mon,,tue", "1-5"])
    func otherWordsNameNoDays(text: String) { #expect(WeekdaySet(text) == nil) }

    @Test(arguments: ["24:00", "7:00", "07:60", "0700", "-1:00", "+1:00", "07:0a", "", "07:00 "])
    func otherTextsAreNoTimes(text: String) { #expect(WallTime(text) == nil) }

    @Test func aWindowIsWrittenAsItIsRead() throws {
        let json = #"{"after":"22:00","days":"mon-fri","timeZone":"Europe/Berlin","until":"06:05"}"#
        let window = try JSONDecoder().decode(JobWindow.self, from: Data(json.utf8))
        #expect(window.words == "22:00 to 06:05 on mon-fri, Europe/Berlin")
        #expect(window.problem == nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(window), as: UTF8.self) == json)
    }
}

@Suite struct WrittenInstantTests {
    @Test(
        arguments: [
            ("2026-12-01T06:00:00Z", 0), ("2026-12-01T06:00Z", 0), ("2026-12-01 06:00:00.75z", 0),
            ("2026-12-01T06:00:00+01:00", 3600), ("2026-12-01T06:00:00-03:30", -12_600),
        ] as [(String, Int64)]
    )
    func anOffsetMakesAnInstant(text: String, offset: Int64) throws {
        let written = try #require(WrittenInstant(text))
        #expect(written.wallSeconds == 1_796_104_800)
        #expect(written.date == Date(timeIntervalSince1970: Double(1_796_104_800 - offset)))
    }

    @Test func aWallTimeIsNoInstant() throws {
        let written = try #require(WrittenInstant("2026-12-01T06:00"))
        #expect(written.wallSeconds == 1_796_104_800 && written.date == nil)
    }

    @Test(arguments: [
        "", "06:00", "2026-12-01", "2026-13-01T06:00Z", "2026-02-29T06:00Z", "2026-12-01T24:00Z", "2026-12-01T06:60Z",
        "2026-12-01T06:00:60Z", "2026-12-01T06:00+0100", "2026-12-01T06:00+24:00", "٢٠٢٦-12-01T06:00Z",
    ])
    func otherTextsAreNone(text: String) { #expect(WrittenInstant(text) == nil) }
}
