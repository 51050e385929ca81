import Testing

@testable import Timing

@Suite struct TimeTextTests {
    static let forms: [(String, Int64, Int64)] = [
        ("0s", 0, 1), ("2.5s", 5, 2), ("-2.5s", -5, 2), ("150ms", 3, 20), ("0.1ms", 1, 10_000),
        ("1001/30000", 1001, 30_000),
        ("-1/2", -1, 2), ("4/2", 2, 1), ("15f", 3, 5), ("-15f", -3, 5), ("00:00:01:12", 37, 25),
        ("48000@44100", 160, 147),
        ("0.333333333s", 333_333_333, 1_000_000_000), ("007s", 7, 1), ("9223372036854775807s", .max, 1),
    ]

    @Test(arguments: forms) func areExactSeconds(text: String, top: Int64, bottom: Int64) throws {
        let time = try TimeText.read(text)
        #expect(try time.seconds(at: FrameRate(25)) == RationalTime(top, bottom))
        // What is printed reads as the same time.
        #expect(try TimeText.read(time.description) == time)
    }

    @Test func frameNumbersAreNoTimes() throws {
        #expect(try TimeText.read("#120") == .frameNumber(120))
        let error = #expect(throws: TimeTextError.self) { try EditTime.frameNumber(120).seconds(at: FrameRate(25)) }
        #expect(error?.rule == .frameNumber)
    }

    static let wrong: [(String, String?)] = [
        ("", nil), ("2.5", "\"2.5s\""), ("15", "\"15s\""), (".5s", "\"0.5s\""), ("2.5S", "\"2.5s\""), ("2 s", "\"2s\""),
        ("15 frames", "\"15f\""), ("3 sec", "\"3s\""), ("2.s", nil), ("s", nil), ("1.5f", nil), ("1e3s", nil),
        ("+1s", nil),
        ("1/0", nil), ("1/-2", nil), ("1:02", nil), ("00:00:01", nil), ("0:00:01:12", "\"00:00:01:12\""),
        ("00:00;01;12", nil),
        ("00:00:1:12", nil), ("-00:00:01:12", nil), ("1@0", nil), ("-1@44100", nil), ("#", nil), ("#-1", nil),
        ("#1.5", nil),
        ("7m", "\"420s\""), ("2 h", "\"7200s\""), ("٣s", nil), ("1\u{301}s", nil), ("NaN", nil), ("infs", nil),
        ("--1s", nil), ("1/2s", nil),
    ]

    @Test(arguments: wrong) func refusesWhatIsNoTime(text: String, suggestion: String?) {
        let error = #expect(throws: TimeTextError.self) { try TimeText.read(text) }
        #expect(error?.rule == .syntax)
        #expect(error?.suggestion == suggestion)
    }

    @Test(arguments: [
        "9223372036854775808s", "9223372036854775808f", "1/9223372036854775808", "0.00000000000000000001s",
        "99999999999999999999999999999999999999999s", "0.9999999999999999999999999999999999999999999s",
        "1@9223372036854775808", "#9223372036854775808", "9223372036854775808:00:00:00",
    ]) func overflowIsAnError(text: String) {
        let error = #expect(throws: TimeTextError.self) { try TimeText.read(text) }
        #expect(error?.rule == .overflow)
    }

    @Test func overflowAtTheRateIsAnError() throws {
        let error = #expect(throws: TimeTextError.self) { try EditTime.frames(.max).seconds(at: FrameRate(1, 1000)) }
        #expect(error?.rule == .overflow)
    }

    /// Any text is a time or an error, in no time at all.
    @Test func randomTextNeverCrashes() {
        var random = SplitMix(seed: 6)
        let letters = Array("0123456789:;@/#.-+smf ef\u{301}é")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0..<14, using: &random)).map { _ in letters.randomElement(using: &random)! }
            )
            guard let time = try? TimeText.read(text) else { continue }
            #expect((try? TimeText.read(time.description)) == time, "\(text)")
        }
    }
}
