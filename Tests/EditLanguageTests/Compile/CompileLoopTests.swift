// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// Segments that are played more than once, and those that end with the picture.
@Suite struct CompileLoopTests {
    static let rate = try! FrameRate(25)

    let assets = [
        "a": SampleAsset.asset("a", [SampleAsset.video(rate: rate, seconds: 60)], [SampleAsset.audio(seconds: 60)]),
        "music": SampleAsset.asset("music", [], [SampleAsset.audio(sampleRate: 44_100, seconds: 2, streamIndex: 0)]),
    ]

    private func compiled(_ tracks: String) throws -> Compiled {
        try Compiled(
            """
            { "schema": "edit/1", "format": { "size": [640, 360], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a", "music": "music" }, "tracks": [ \(tracks) ] }
            """,
            assets
        )
    }

    private func composition(_ tracks: String) throws -> Composition {
        let compiled = try compiled(tracks)
        return try #require(compiled.composition, "\(compiled.errors)")
    }

    private func audio(_ items: String) -> String { "{ \"kind\": \"audio\", \"segments\": [ \(items) ] }" }
    private func video(_ items: String) -> String { "{ \"kind\": \"video\", \"segments\": [ \(items) ] }" }

    /// 44,100 Hz, 1471.47 samples a run: the wrap is at 1471 each time, and three runs are that three times.
    @Test func aRunIsWholeSamplesOfTheSource() throws {
        let found = try composition(
            audio(#"{ "asset": "music", "range": ["0.5s", "1001/30000"], "loop": 3 }, { "asset": "music" }"#)
        )
        let segments = found.audioTracks[0].segments
        #expect(segments[0].loop == SampleLoop(start: 22_050, count: 1471, runs: 3))
        #expect(segments[0].sourceStart == 22_050)
        // round(3 × 1471 × 48000 / 44100), 4803.27.
        #expect(segments[0].count == 4803 && segments[1].start == 4803)
        #expect(segments[1].loop == nil)
    }

    @Test func theWholeAssetIsRepeated() throws {
        let once = try composition(audio(#"{ "asset": "music", "loop": 1 }"#)).audioTracks[0].segments[0]
        #expect(once.loop == nil && once.count == 96_000)
        let found = try composition(audio(#"{ "asset": "music", "loop": 100, "speed": 2 }"#)).audioTracks[0].segments[0]
        #expect(found.loop == SampleLoop(start: 0, count: 88_200, runs: 100) && found.count == 4_800_000)
    }

    /// A run may be one sample; its end is that of all runs, whatever cuts them.
    @Test func aRunMayBeOneSample() throws {
        let picture = video(#"{ "asset": "a", "duration": "1f", "sound": false }"#)
        let words = #"{ "asset": "music", "duration": "1/44100", "loop": 44100, "until": "picture" }"#
        let segment = try composition(picture + "," + audio(words)).audioTracks[0].segments[0]
        #expect(segment.loop == SampleLoop(start: 0, count: 1, runs: 44_100) && segment.count == 1920)
        let endless = #"{ "asset": "music", "duration": "1/44100", "loop": "picture" }"#
        let again = try composition(picture + "," + audio(endless)).audioTracks[0].segments[0]
        #expect(again.loop == SampleLoop(start: 0, count: 1) && again.count == 1920)
    }

    /// Backwards each run begins with the last sample of the piece.
    @Test func aLoopRunsBackwards() throws {
        let words = #"{ "asset": "music", "range": ["0.5s", "1s"], "speed": -1, "loop": 4 }"#
        let segment = try composition(audio(words)).audioTracks[0].segments[0]
        #expect(segment.loop == SampleLoop(start: 22_050, count: 44_100, runs: 4))
        #expect(segment.sourceStart == 66_149 && segment.count == 192_000)
    }

    @Test func soundEndsWithThePicture() throws {
        let picture = video(#"{ "asset": "a", "duration": "127f", "sound": false }"#)
        let words = #"{ "asset": "music", "at": "1s", "loop": "picture" }"#
        let found = try composition(audio(words) + "," + picture)
        #expect(found.frameCount == 127 && found.audioTracks[0].segments.map(\.start) == [48_000])
        #expect(found.audioTracks[0].segments[0].count == 127 * 1920 - 48_000)
        #expect(found.audioTracks[0].segments[0].loop == SampleLoop(start: 0, count: 88_200))
        let cut = try composition(picture + "," + audio(#"{ "asset": "music", "loop": 9, "until": "picture" }"#))
        #expect(cut.frameCount == 127 && cut.audioTracks[0].segments[0].count == 127 * 1920)
        let short = try composition(picture + "," + audio(#"{ "asset": "music", "until": "picture" }"#))
        #expect(short.audioTracks[0].segments[0].count == 96_000)
    }

    /// Names of tracks do not depend on which is placed first.
    @Test func tracksKeepTheirNamesAndOrder() throws {
        let clip = #"{ "asset": "a", "duration": "5f" }"#
        let found = try composition(
            [audio(#"{ "asset": "music" }"#), video(clip), audio(#"{ "asset": "music" }"#)].joined(separator: ",")
        )
        #expect(found.audioTracks.map(\.id) == ["a1", "v1.a.sound", "a2"])
    }

    /// ```
    /// runs      |01234|01234|01234|     keys of the segment go on through all of them
    /// ```
    @Test func picturesAreShownAgain() throws {
        let clip = """
            { "asset": "a", "in": "1s", "duration": "5f", "loop": 3, "volume": [{ "at": "7f", "value": 0.5 }],
              "balance": [{ "at": "2f", "value": -0.5 }, { "at": "12f", "value": 0.5 }],
              "effects": [{ "effect": "blur", "radius": [{ "at": "0f", "value": 0 }, { "at": "15f", "value": 3 }] }],
              "opacity": [{ "at": "0f", "value": 0 }, { "at": "15f", "value": 1 }] }
            """
        let found = try composition(
            video(clip + #", { "transition": "dissolve", "duration": "2f" }, { "asset": "a", "duration": "9f" }"#)
        )
        #expect(found.frameCount == 15 + 9 - 2)
        let clips = found.videoTracks.flatMap(\.segments).sorted { $0.target.start < $1.target.start }
        #expect(clips.map(\.target.start) == [0, 5, 10, 13])
        #expect(clips.prefix(3).allSatisfy { $0.sourceStart == RationalTime(whole: 1) && $0.target.count == 5 })
        let looks = clips.prefix(3).map(\.appearance)
        #expect(looks[0] != nil && looks[0] != looks[1] && looks[1] != looks[2])
        let sounds = found.audioTracks.flatMap(\.segments).sorted { $0.start < $1.start }
        let places = sounds.prefix(3).compactMap { $0.volume.first?.at }
        #expect(places == [13_440, 3840, -5760])
        #expect(sounds.prefix(3).compactMap { $0.balance?.first?.at } == [3840, -5760, -15_360])
        let effects = looks.map { $0?.effects }
        #expect(effects[0] != nil && effects[0] != effects[1] && effects[1] != effects[2])
        #expect(sounds[2].fadeOut?.count == 3840 && sounds[0].fadeOut == nil && sounds[0].fadeIn == nil)
    }

    @Test(arguments: [
        (#"{ "asset": "music", "loop": "picture" }"#, "no-picture"),
        (#"{ "asset": "music", "until": "picture" }"#, "no-picture"),
        (#"{ "asset": "music", "duration": "1/48000", "speed": "1/20", "loop": 5 }"#, "too-short"),
        (#"{ "asset": "music", "loop": 1000000 }"#, "too-long"),
        (#"{ "asset": "music", "duration": "3s", "loop": 2 }"#, "past-end"),
    ])
    func soundIsRefused(item: String, rule: String) throws {
        #expect(try compiled(audio(item)).errors.map(\.rule) == [rule])
    }

    @Test func whatIsPastThePictureIsRefused() throws {
        let picture = video(#"{ "asset": "a", "duration": "25f" }"#)
        let found = try compiled(picture + "," + audio(#"{ "asset": "music", "at": "1s", "loop": "picture" }"#))
        #expect(found.errors.map(\.rule) == ["past-end"])
        #expect(try compiled(video(#"{ "asset": "a", "loop": 900000 }"#)).errors.map(\.rule) == ["too-many"])
    }

    @Test(arguments: [
        (#"{ "kind": "audio", "segments": [{ "asset": "a", "loop": 0 }] }"#, "number-range"),
        (#"{ "kind": "audio", "segments": [{ "asset": "a", "loop": "pictures" }] }"#, "wrong-type"),
        (#"{ "kind": "video", "segments": [{ "asset": "a", "loop": "picture" }] }"#, "contradiction"),
        (#"{ "kind": "video", "segments": [{ "asset": "a", "until": "picture" }] }"#, "unsupported"),
        (
            #"{ "kind": "video", "segments": [{ "asset": "a", "freeze": "1s", "duration": "1s", "loop": 2 }] }"#,
            "contradiction"
        ),
        (#"{ "kind": "audio", "segments": [{ "asset": "a", "until": "sound" }] }"#, "unknown-value"),
    ])
    func readingRefuses(track: String, rule: String) {
        let text = #"{ "schema": "edit/1", "assets": { "a": "a.mp4" }, "tracks": [ "# + track + " ] }"
        #expect(EditReader.read(text).findings.map(\.rule) == [rule])
    }
}
