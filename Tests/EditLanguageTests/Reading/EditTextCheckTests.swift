import Testing

@testable import CompositionModel
@testable import EditLanguage

@Suite struct EditTextCheckTests {
    private func check(_ text: String) throws -> [Finding] {
        let result = EditReader.read(text)
        return EditTextCheck.findings(try #require(result.document, "\(result.findings)"))
    }

    static let second = #""duration": "1s""#
    static let dissolve = #"{ "transition": "dissolve", "duration": "15f" }"#

    /// items of the track, rule, pointer
    static let wrong: [(String, String, String)] = [
        (
            #"{ "asset": "a", "duration": "2s" }, { "asset": "a", "at": "1s", "duration": "1s" }"#, "segments-overlap",
            "1/at"
        ),
        (
            #"{ "asset": "a", "range": ["5s", "2s"] }, { "asset": "a", "at": "49f", "duration": "1s" }"#,
            "segments-overlap", "1/at"
        ),
        (
            #"{ "asset": "a", "duration": "1s" }, \#(dissolve), { "asset": "a", "duration": "14f" }"#,
            "transition-too-long", "1"
        ),
        (
            #"{ "asset": "a", "duration": "1s" }, \#(dissolve), { "asset": "a", "duration": "29f" }, \#(dissolve), { "asset": "a", "duration": "1s" }"#,
            "transitions-meet", "2"
        ),
        (#"{ "asset": "a", "duration": "0.5s" }"#, "off-frame", "0/duration"),
        (#"{ "gap": "10ms" }, { "asset": "a", "duration": "1s" }"#, "off-frame", "0/gap"),
        (
            #"{ "asset": "a", "duration": "1s" }, \#(dissolve), { "asset": "a", "at": "1s", "duration": "1s" }"#,
            "at-contradiction", "2/at"
        ),
        (#"{ "asset": "a", "duration": "1s" }, \#(dissolve), { "asset": "a" }"#, "", ""),
        (#"{ "asset": "a", "duration": "10f" }, \#(dissolve), { "asset": "a" }"#, "transition-too-long", "1"),
    ]

    @Test(arguments: wrong) func findsWhatTheTextShows(items: String, rule: String, pointer: String) throws {
        let findings = try check(SampleEdits.video(items))
        #expect(findings.map(\.rule) == (rule.isEmpty ? [] : [rule]))
        #expect(findings.map(\.pointer) == (rule.isEmpty ? [] : ["/tracks/0/segments/" + pointer]))
    }

    /// No media, no guesses: unknown lengths, tracks and languages, in points beyond any asset.
    @Test(arguments: [
        #"{ "asset": "a" }, { "asset": "a", "at": "1s", "duration": "1s" }"#,
        #"{ "asset": "a", "duration": "1s", "track": "audio/7" }, { "asset": "a", "at": "1s", "duration": "1s" }"#,
        ##"{ "asset": "a", "duration": "1s", "language": "xx" }, { "asset": "a", "in": "#99999", "duration": "1s" }"##,
        #"{ "asset": "a", "in": "99:00:00:00", "duration": "1s" }"#,
        #"{ "asset": "a", "in": "0.5s", "duration": "1s" }"#,
    ]) func saysNothingOfWhatItCannotKnow(items: String) throws {
        #expect(try check(SampleEdits.video(items)).isEmpty)
        #expect(try check(SampleEdits.audio(items)).isEmpty)
    }

    @Test func soundNeedNotFallOnFrames() throws {
        #expect(try check(SampleEdits.audio(#"{ "asset": "a", "duration": "0.5s" }"#)).isEmpty)
    }

    @Test func withoutARateThereIsNothingToSay() throws {
        let text = SampleEdits.video(#"{ "asset": "a", "duration": "0.5s" }"#).replacing(
            "\"frameRate\": \"25\"",
            with: ""
        )
        #expect(try check(text).isEmpty)
    }

    @Test func snapsWhereTheEditSaysSo() throws {
        let text = SampleEdits.video(#"{ "asset": "a", "duration": "0.5s" }"#, more: #""snap": "nearest","#)
        #expect(try check(text).isEmpty)
    }
}
