import CompositionModel
import Testing

@testable import EditLanguage

/// Words that are misspelt, or belong to another program: each is said with what is meant, and hides nothing else.
@Suite struct MisspeltWordTests {
    private func findings(_ tracks: String, outputs: String = "") -> [Finding] {
        EditReader.read(
            #"{ "schema": "edit/1", "assets": { "a": "a.mov" }, "tracks": [\#(tracks)]\#(outputs) }"#
        ).findings.filter { $0.severity == .error }
    }

    @Test(arguments: [
        (#"{ "trasition": "dissolve", "duration": "1s" }"#, "\"transition\""),
        (#"{ "transtion": "wipe", "duration": "1s" }"#, "\"transition\""), (#"{ "gpa": "1s" }"#, "\"gap\""),
    ])
    func anEntryIsKnownByItsMisspeltKey(entry: String, meant: String) {
        let found = findings(
            #"{ "kind": "video", "segments": [{ "asset": "a" }, \#(entry), { "asset": "a" }] }"#
        )
        #expect(found.map(\.rule) == ["unknown-key"] && found.first?.suggestion == meant, "\(found)")
    }

    /// What else is wrong with a transition is said at once.
    @Test func aMisspeltKeyHidesNothing() {
        let entry = #"{ "trasition": "disolve", "duration": 1 }"#
        let found = findings(#"{ "kind": "video", "segments": [{ "asset": "a" }, \#(entry), { "asset": "a" }] }"#)
        #expect(Set(found.map(\.rule)) == ["unknown-key", "unknown-value", "time-is-number"], "\(found)")
    }

    @Test(arguments: ["vidoe", "Video", "film"]) func aMisspeltKindHidesNoTrack(kind: String) {
        let found = findings(#"{ "kind": "\#(kind)", "segments": [{ "asset": "b" }, { "asset": "a", "in": 3 }] }"#)
        #expect(Set(found.map(\.rule)) == ["unknown-value", "unknown-asset", "time-is-number"], "\(found)")
    }

    @Test func aTitleTrackIsKnownByItsTitles() {
        let found = findings(#"{ "kind": "text", "segments": [{ "text": "x", "at": 0, "duration": "1s" }] }"#)
        #expect(found.map(\.rule) == ["unknown-value", "time-is-number"], "\(found)")
    }

    @Test(arguments: [
        ("crf", "its preset says the encoding"), ("bitrate", "its preset says the encoding"),
        ("size", "\"format\" says the size"), ("pix_fmt", "its preset says the encoding"),
        ("fps", "\"format\" says the frame rate"), ("vcodec", "its preset says codecs"),
        ("audioBitrate", "its preset says the bit rate of sound"), ("channels", "\"format\" says sample rate"),
    ])
    func settingsOfOtherProgramsAreShownTheirPlace(key: String, sentence: String) {
        let found = findings(
            #"{ "kind": "video", "segments": [{ "asset": "a" }] }"#,
            outputs: #", "outputs": [{ "preset": "h264", "\#(key)": 20 }]"#
        )
        #expect(found.map(\.rule) == ["unknown-key"], "\(found)")
        #expect(found.first?.message.contains(sentence) == true, "\(found)")
    }
}
