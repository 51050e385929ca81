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

    /// A track that does not say its kind is looked at as the one that it most likely is.
    @Test(arguments: [
        (#"{ "segments": [{ "asset": "b" }, { "asset": "a", "in": 3 }] }"#, ["missing-key"], "\"kind\": \"video\""),
        (
            #"{ "type": "video", "segments": [{ "asset": "b" }, { "asset": "a", "in": 3 }] }"#, ["unknown-key"],
            "\"kind\""
        ),
        (
            #"{ "type": "audio", "clips": [{ "asset": "b" }, { "asset": "a", "in": 3 }] }"#,
            ["unknown-key", "unknown-key"], "\"kind\""
        ),
    ])
    func aMissingKindHidesNothing(track: String, rules: [String], suggestion: String) {
        let found = findings(track)
        #expect(found.map(\.rule) == rules + ["unknown-asset", "time-is-number"], "\(found)")
        #expect(found.first?.suggestion == suggestion, "\(found)")
    }

    @Test func titlesWithoutAKindAreTitles() {
        let found = findings(#"{ "segments": [{ "text": "x", "at": 0, "duration": "1s" }] }"#)
        #expect(found.map(\.rule) == ["missing-key", "time-is-number"], "\(found)")
        #expect(found.first?.suggestion == "\"kind\": \"title\"", "\(found)")
    }

    /// What names an asset is a segment, whatever else it says.
    @Test(arguments: ["transition", "gap"]) func aSegmentIsNoTransition(key: String) {
        let segment = #"{ "asset": "a", "\#(key)": "dissolve", "duration": "1s", "scale": 1, "in": 3 }"#
        let found = findings(#"{ "kind": "video", "segments": [{ "asset": "a" }, \#(segment)] }"#)
        #expect(found.map(\.rule) == ["contradiction", "time-is-number"], "\(found)")
        #expect(found.first?.suggestion?.contains("{ \"\(key)\": ") == true, "\(found)")
    }

    @Test(
        arguments: [
            ("crf", "the preset of an output says the encoding", nil), ("width", "\"format\" says the size", "1080] }"),
            ("height", "\"format\" says the size", "1080] }"), ("fps", "\"format\" says the frame rate", "\"25\" }"),
            ("sampleRate", "\"format\" says sample rate", "48000"),
            ("preset", "the preset of an output", "\"outputs\": ["),
        ] as [(String, String, String?)]
    )
    func settingsOfTheWholeAreShownTheirPlace(key: String, sentence: String, suggestion: String?) {
        let found = findings(
            #"{ "kind": "video", "segments": [{ "asset": "a" }] }"#,
            outputs: #", "\#(key)": 20"#
        )
        #expect(found.map(\.rule) == ["unknown-key"], "\(found)")
        #expect(found.first?.message.contains(sentence) == true, "\(found)")
        #expect(suggestion.map { found.first?.suggestion?.contains($0) == true } ?? (found.first?.suggestion == nil))
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
