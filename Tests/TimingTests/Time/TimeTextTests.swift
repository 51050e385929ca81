import TestSupport
import Testing

@testable import Timing

@Suite struct TimeTextTests {
    @Test(arguments: SampleTimes.forms) func areExactSeconds(text: String, top: Int64, bottom: Int64) throws {
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

    @Test(arguments: SampleTimes.wrong) func refusesWhatIsNoTime(text: String, suggestion: String?) {
        let error = #expect(throws: TimeTextError.self) { try TimeText.read(text) }
        #expect(error?.rule == .syntax)
        #expect(error?.suggestion == suggestion)
        let bare = #expect(throws: TimeTextError.self) { try TimeText.read(text, suggests: false) }
        #expect(bare?.message == error?.message && bare?.suggestion == nil)
    }

    @Test(arguments: [
        "9223372036854775808s", "9223372036854775808f", "1/9223372036854775808", "0.00000000000000000001s",
        "99999999999999999999999999999999999999999s", "0.9999999999999999999999999999999999999999999s",
        "99999999999999999999999999999999999999999.xs",
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
