// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import Planning
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// What is heard, from which sample to which.
@Suite struct CompileSoundTests {
    static let rate = try! FrameRate(30_000, 1001)

    let assets = [
        "a": SampleAsset.asset("a", [SampleAsset.video(rate: rate, seconds: 60)], [SampleAsset.audio(seconds: 60)]),
        "b": SampleAsset.asset(
            "b",
            [SampleAsset.video(rate: rate, seconds: 60)],
            [SampleAsset.audio(sampleRate: 44_100, seconds: 60, start: try! RationalTime(1, 8))]
        ),
        "silent": SampleAsset.asset("silent", [SampleAsset.video(rate: rate, seconds: 60)]),
        "many": SampleAsset.asset(
            "many",
            [SampleAsset.video(rate: rate, seconds: 60), SampleAsset.video(rate: rate, seconds: 50, streamIndex: 4)],
            [
                SampleAsset.audio(seconds: 60, streamIndex: 1, language: "eng"),
                SampleAsset.audio(seconds: 60, streamIndex: 2, language: "ger", isDefault: false),
                SampleAsset.audio(seconds: 60, streamIndex: 3, isDefault: false),
            ]
        ),
        "music": SampleAsset.asset("music", [], [SampleAsset.audio(sampleRate: 44_100, seconds: 100, streamIndex: 0)]),
    ]

    private func tracks(_ tracks: String) throws -> [AudioTrack] {
        let names = assets.keys.sorted().map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", "format": { "size": [640, 360], "frameRate": "30000/1001", "sampleRate": 48000,
              "channels": 2 }, "assets": { \(names) }, "tracks": [ \(tracks) ] }
            """
        let compiled = try Compiled(text, assets)
        return try #require(compiled.composition, "\(compiled.errors)").audioTracks
    }

    /// Sound ends at the sample that is nearest to the end of its last frame, which may lie a little behind that.
    @Test(arguments: [1, 2, 3, 4, 5, 1001, 2991]) func soundIsAsLongAsItsFrames(count: Int64) throws {
        let text = """
            { "schema": "edit/1", "format": { "size": [640, 360], "frameRate": "30000/1001", "sampleRate": 48000,
              "channels": 2 }, "assets": { "music": "music" }, "tracks": [ { "kind": "audio", "segments": [
                { "asset": "music", "duration": "\(count)f" } ] } ] }
            """
        let compiled = try Compiled(text, assets.filter { $0.key == "music" })
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        #expect(composition.frameCount == count)
    }

    private func picture(_ items: String..., track: String = "") throws -> [AudioTrack] {
        try tracks(
            "{ \"kind\": \"video\", \"id\": \"main\", \(track) \"segments\": [ \(items.joined(separator: ", ")) ] }"
        )
    }

    private func sound(_ items: String..., track: String = "") throws -> [AudioTrack] {
        try tracks(
            "{ \"kind\": \"audio\", \"id\": \"m\", \(track) \"segments\": [ \(items.joined(separator: ", ")) ] }"
        )
    }

    /// round(frame × 1001 / 30000 × 48000).
    private func sample(_ frame: Int64) -> Int64 { (frame * 1001 * 48_000 * 2 + 30_000) / 60_000 }

    @Test func clipsSoundWithTheSameCuts() throws {
        let found = try picture(
            #"{ "asset": "a", "in": "1s", "duration": "7f" }"#,
            #"{ "asset": "b", "duration": "9f" }"#
        )
        #expect(found.map(\.id) == ["main.a.sound"])
        let segments = found[0].segments
        #expect(segments.map(\.start) == [0, sample(7)])
        #expect(segments.map { $0.start + $0.count } == [sample(7), sample(16)])
        #expect(segments[0].sourceStart == 48_000 && segments[0].stream == 1)
        // Its sound begins an eighth of a second after its picture: 5512.5 samples before its first one.
        #expect(segments[1].sourceStart == -5513)
        #expect(segments.allSatisfy { $0.volume.isEmpty && $0.fadeIn == nil && $0.fadeOut == nil })
    }

    @Test func aDissolveFadesTheSoundOfBothOverIt() throws {
        let found = try picture(
            #"{ "asset": "a", "duration": "20f" }"#,
            #"{ "transition": "dissolve", "duration": "7f", "audio": "linear" }"#,
            #"{ "asset": "b", "duration": "20f" }"#,
            #"{ "transition": "dissolve", "duration": "4f" }"#
        )
        #expect(found.map(\.id) == ["main.a.sound", "main.b.sound"])
        let fade = Crossfade(shape: .linear, count: sample(20) - sample(13))
        #expect(found[0].segments[0].fadeOut == fade && found[0].segments[0].fadeIn == nil)
        #expect(found[1].segments[0].fadeIn == fade)
        #expect(found[1].segments[0].start == sample(13))
        #expect(found[1].segments[0].fadeOut == Crossfade(shape: .equalPower, count: sample(33) - sample(29)))
    }

    @Test func soundCanBeSwitchedOff() throws {
        #expect(try picture(#"{ "asset": "a", "duration": "9f" }"#, track: #""sound": false,"#).isEmpty)
        let found = try picture(
            #"{ "asset": "a", "duration": "9f", "sound": true }"#,
            #"{ "asset": "b", "duration": "9f" }"#,
            track: #""sound": false,"#
        )
        #expect(found.flatMap(\.segments).map(\.asset) == [0])
        #expect(try picture(#"{ "asset": "a", "duration": "9f", "sound": false }"#).isEmpty)
        #expect(try picture(#"{ "asset": "silent", "duration": "9f" }"#).isEmpty)
    }

    @Test func anEditWithoutSoundMakesAFileWithoutSound() throws {
        let text = editText([#"{ "asset": "silent", "duration": "9f" }"#], assets: ["silent"], rate: "30000/1001")
        let plan = try Compiled(text, assets).plan()
        #expect(plan.output.audio == nil && plan.sound == nil && !plan.stitchTask().hasSound)
    }

    @Test(arguments: [
        (#""track": "audio/2""#, 3), (#""language": "de""#, 2), (#""language": "deu""#, 2), (#""language": "en""#, 1),
        (#""track": "audio/0""#, 1), (#""track": "video/1""#, 1),
    ])
    func alternateTracksAreChosen(words: String, stream: Int) throws {
        let found = try picture("{ \"asset\": \"many\", \"duration\": \"9f\", \(words) }")
        #expect(found[0].segments.map(\.stream) == [stream])
        let again =
            try words.contains("video") ? found : sound("{ \"asset\": \"many\", \"duration\": \"9f\", \(words) }")
        #expect(again[0].segments.map(\.stream) == [stream])
    }

    @Test func aTrackOfSoundNeedsNoFrames() throws {
        let found = try sound(
            #"{ "asset": "music", "in": "0.1s", "duration": "1000@44100" }"#,
            #"{ "transition": "dissolve", "duration": "7ms", "audio": "sum" }"#,
            #"{ "asset": "music", "duration": "1.5s" }"#,
            #"{ "asset": "music", "at": "2.00001s", "duration": "1s" }"#
        )
        let segments = found[0].segments
        #expect(found.map(\.id) == ["m"])
        // 1000 samples at 44100 Hz are 1088.435… at 48000; 7 ms are 336.
        #expect(segments[0].start == 0 && segments[0].count == 1088 && segments[0].sourceStart == 4410)
        #expect(segments[1].start == 752 && segments[1].count == 72_000)
        #expect(segments[0].fadeOut == Crossfade(shape: .sum, count: 336) && segments[1].fadeIn == segments[0].fadeOut)
        #expect(segments[2].start == 96_000)
    }

    private func errors(_ channels: String, _ item: String, preset: String = "lossless") throws -> [Finding] {
        let text = """
            { "schema": "edit/1", "format": { "sampleRate": 48000, "channels": \(channels) },
              "assets": { "music": "m", "many": "n" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "music", "duration": "1s" }, \(item) ] } ],
              "outputs": [ { "preset": "\(preset)" } ] }
            """
        var assets = assets
        assets["many"] = SampleAsset.asset("n", [], [SampleAsset.audio(seconds: 9, channels: 1000, streamIndex: 0)])
        return try Compiled(text, assets).errors
    }

    /// One sentence each, with what to write.
    @Test func channelsAreChecked() throws {
        let plain = #"{ "asset": "music", "duration": "1s" }"#
        #expect(try errors("\"7.1\"", plain).isEmpty)
        let unknown = try errors("2", #"{ "asset": "many", "duration": "1s" }"#)
        #expect(unknown.map(\.rule) == ["channels"] && unknown.first?.suggestion == "\"channels\": [0, 1]")
        #expect(unknown.first?.message.contains("has 1000 channels for loudspeakers that are not known") == true)
        #expect(try errors("2", #"{ "asset": "many", "duration": "1s", "channels": [63, "none"] }"#).isEmpty)
        let few = try errors("2", #"{ "asset": "music", "duration": "1s", "channels": [0] }"#)
        #expect(few.map(\.rule) == ["channels"])
        let past = try errors("2", #"{ "asset": "music", "duration": "1s", "channels": [0, 2] }"#)
        let sentence = #""channels" names channel 2, counted from 0, but asset "music" has 2 channels"#
        #expect(past.first?.message == sentence)
        #expect(try errors("6", #"{ "asset": "music", "duration": "1s", "pan": 0.5 }"#).map(\.rule) == ["channels"])
        let coded = try errors("\"5.1\"", plain, preset: "mp3")
        #expect(coded.map(\.rule) == ["channels"])
        #expect(coded.first?.message.hasPrefix("MP3 has no 5.1 sound; write \"channels\" of mono, stereo") == true)
    }

    /// Silent, or what is heard about the frame, far enough from the ends of the source.
    @Test func aHeldFrameIsSilentOrHoldsItsSound() throws {
        #expect(try picture(#"{ "asset": "a", "freeze": "10s", "duration": "9f" }"#).isEmpty)
        for (time, sample) in [("10s", 480_000 as Int64), ("0s", 2401), ("1797f", 60 * 48_000 - 2401)] {
            let words = "{ \"asset\": \"a\", \"freeze\": \"\(time)\", \"duration\": \"9f\", \"sound\": \"hold\" }"
            let segment = try picture(words)[0].segments[0]
            #expect(segment.speed == .zero && segment.keepsPitch == true)
            #expect(segment.count == self.sample(9) && abs(segment.sourceStart - sample) <= 2)
        }
        let text = #"{ "schema": "edit/1", "assets": { "a": "a" }, "tracks": [ { "kind": "video", "segments": [ "#
        for (sound, rule) in [(#""hold""#, "contradiction"), (#""held""#, "unknown-value")] {
            let found = EditReader.read(text + "{ \"asset\": \"a\", \"sound\": \(sound) } ] } ] }").findings
            #expect(found.map(\.rule) == [rule])
        }
    }

    @Test func aClipSaysWhatItsChannelsAre() throws {
        let words = #"{ "asset": "music", "duration": "1s", "channels": [1, "none"] }"#
        #expect(try sound(words)[0].segments[0].channels == [[0, 1_000_000], []])
        let gains = #"{ "asset": "music", "duration": "1s", "channels": [[0.5, -0.25], 0] }"#
        #expect(try sound(gains)[0].segments[0].channels == [[500_000, -250_000], [1_000_000]])
        #expect(try sound(#"{ "asset": "music", "duration": "1s" }"#)[0].segments[0].channels == nil)
    }

    @Test func volumeKeepsItsUnitAndItsPlace() throws {
        let found = try sound(
            #"{ "asset": "music", "at": "1s", "duration": "9s", "volume": [ { "at": "0s", "value": 0.5, "ease": "hold" },"#
                + #" { "at": "15f", "value": "-6.5dB" } ] }"#,
            track: #""volume": "-14dB","#
        )
        #expect(found[0].volume == [VolumeKey(at: 0, millionths: -14_000_000, unit: .decibel)])
        #expect(
            found[0].segments[0].volume == [
                VolumeKey(at: 0, millionths: 500_000, unit: .linear, holds: true),
                VolumeKey(at: 24_024, millionths: -6_500_000, unit: .decibel),
            ]
        )
    }

    @Test func keysMustBeInOrder() throws {
        let text = """
            { "schema": "edit/1", "assets": { "music": "m" }, "tracks": [ { "kind": "audio", "segments": [
                { "asset": "music", "volume": [ { "at": "2s", "value": 1 }, { "at": "1s", "value": 0 } ] } ] } ] }
            """
        let read = EditReader.read(text)
        guard read.document != nil else {
            #expect(read.findings.contains { $0.severity == .error })
            return
        }
        #expect(try Compiled(text, assets).errors.map(\.rule) == ["volume-order"])
    }

    /// Far before the timeline as far behind it: no count of samples may run over.
    @Test(arguments: ["-192153584151141s", "192153584151141s", "-360001s"])
    func keysLieWithinTheLimits(at: String) throws {
        let text = """
            { "schema": "edit/1", "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000 },
              "assets": { "music": "m" }, "tracks": [ { "kind": "audio", "segments": [
                { "asset": "music", "at": "100000s", "duration": "1s", "volume": [ { "at": "\(at)", "value": 1 } ] } ] } ] }
            """
        let compiled = try Compiled(text, assets)
        #expect(compiled.errors.map(\.rule) == ["too-long"])
    }

    @Test func processorsPansAndPitchAreCompiled() throws {
        let clip = #"""
            { "asset": "music", "duration": "4s", "in": "0s", "speed": 2, "pitch": "keep", "pan": -0.5,
              "balance": [{ "at": "1s", "value": 0, "ease": "inSine" }, { "at": "2s", "value": 1 }],
              "processors": [{ "processor": "highPass", "frequency": "2kHz" }, { "processor": "gate", "after": "volume" }] }
            """#
        let track = try #require(
            sound(clip, track: #""processors": [{ "processor": "limiter", "ceiling": -3 }],"#).first
        )
        #expect(track.processors == [SoundProcessor(.limiter, [.ceiling: -3_000_000])])
        let segment = track.segments[0]
        #expect(segment.keepsPitch == true && segment.speed == RationalTime(whole: 2))
        #expect(segment.pan == [SoundKey(at: 0, millionths: -500_000)])
        #expect(
            segment.balance == [
                SoundKey(at: 48_000, millionths: 0, ease: .curve(.sine, .in)),
                SoundKey(at: 96_000, millionths: 1_000_000),
            ]
        )
        #expect(
            segment.processors == [
                SoundProcessor(.highPass, [.frequency: 2_000_000_000]), SoundProcessor(.gate, isAfterVolume: true),
            ]
        )
        // What does nothing leaves no trace: the canonical form stays as it was.
        let plain = try #require(sound(#"{ "asset": "music", "pan": 0, "pitch": "keep", "processors": [] }"#).first)
        #expect(
            plain.segments[0].pan == nil && plain.segments[0].keepsPitch == nil && plain.segments[0].processors == nil
        )
    }

    private static let voice =
        #"{ "kind": "audio", "id": "voice", KEYS "segments": [{ "asset": "b", "duration": "1s" }] }"#
    private static let music = #"""
        { "kind": "audio", "id": "music", KEYS "duck": { "under": "voice", "by": "-12dB", "attack": "0.1s" },
          "segments": [{ "asset": "music", "duration": "2s" }] }
        """#

    @Test func aDuckNamesTracksByTheirPlaces() throws {
        let pieces = [Self.music, Self.voice].map { $0.replacing("KEYS", with: "") }
        let found = try tracks(pieces.joined(separator: ","))
        #expect(
            found[0].duck
                == Duck(
                    under: [1],
                    depth: 12_000_000,
                    attack: 100_000,
                    hold: 300_000,
                    release: 600_000,
                    threshold: -40_000_000
                )
        )
        // The sound of a track of picture stands on two tracks.
        let picture =
            #"{ "kind": "video", "id": "voice", "segments": [{ "asset": "a", "duration": "30f" }, { "transition": "dissolve", "duration": "5f" }, { "asset": "b", "duration": "30f" }] }"#
        #expect(try tracks([picture, pieces[0]].joined(separator: ",")).last?.duck?.under == [0, 1])
    }

    @Test func muteAndSoloLeaveTracksOut() throws {
        let muted = [Self.music.replacing("KEYS", with: ""), Self.voice.replacing("KEYS", with: #""mute": true,"#)]
        let found = try tracks(muted.joined(separator: ","))
        #expect(found.map(\.id) == ["music"] && found[0].duck == nil)
        let solo = [Self.music.replacing("KEYS", with: #""solo": true,"#), Self.voice.replacing("KEYS", with: "")]
        #expect(try tracks(solo.joined(separator: ",")).map(\.id) == ["music"])
    }

    @Test(arguments: ["voices": "\"voice\"", "music": nil as String?, "zzz": nil]) func aDuckNeedsItsTrack(
        name: String,
        nearest: String?
    ) throws {
        let pieces = [Self.music.replacing("\"voice\"", with: "\"\(name)\""), Self.voice].map {
            $0.replacing("KEYS", with: "")
        }
        let text = """
            { "schema": "edit/1", "format": { "size": [640, 360], "frameRate": "25" }, "assets": { "music": "m", "b": "b" },
              "tracks": [ \(pieces.joined(separator: ",")) ] }
            """
        let compiled = try Compiled(text, assets)
        #expect(compiled.errors.map(\.rule) == ["unknown-track"])
        #expect(compiled.errors[0].pointer == "/tracks/0/duck/under" && compiled.errors[0].suggestion == nearest)
    }

    /// Each of very many tracks may be ducked under none, and have a name of any length, also of a single character.
    @Test(arguments: ["n", "\u{200D}"]) func ofManyTracksTheFirstAreNamed(letter: String) throws {
        let long = "n" + String(repeating: letter, count: 10_000)
        let tracks = (0..<200).map { number in
            Self.music.replacing("KEYS", with: "").replacing("\"music\", \"duration", with: "\"b\", \"duration")
                .replacing("\"id\": \"music\"", with: "\"id\": \"\(number)\(long)\"")
        }
        let text = """
            { "schema": "edit/1", "format": { "size": [640, 360], "frameRate": "25" }, "assets": { "b": "b" },
              "tracks": [ \(tracks.joined(separator: ",")) ] }
            """
        let meter = WorkMeter()
        let compiled = try WorkMeter.$current.withValue(meter) { try Compiled(text, assets) }
        let message = try #require(compiled.errors.first?.message)
        #expect(message.contains("\"voice\", only \"1") && message.hasSuffix("…\" and 187 more"), "\(message)")
        #expect(message.utf8.count > 1000)
        #expect(meter.steps < 10_000)
    }

    @Test func theMasterIsCompiled() throws {
        let text = """
            { "schema": "edit/1", "format": { "size": [640, 360], "frameRate": "25", "sampleRate": 48000 }, "assets": { "b": "b" },
              "master": { "volume": [{ "at": "1s", "value": 1, "ease": "inOutQuad" }, { "at": "2s", "value": "-6dB" }],
                          "limiter": {}, "loudness": { "target": "-16.5 LUFS" } },
              "tracks": [ { "kind": "audio", "segments": [{ "asset": "b" }] } ] }
            """
        let master = try #require(try Compiled(text, assets).composition?.master)
        #expect(master.ceiling == -1_000_000)
        #expect(master.loudness == LoudnessTarget(integrated: -16_500_000, truePeak: -1_000_000))
        #expect(
            master.volume == [
                VolumeKey(at: 48_000, millionths: 1_000_000, unit: .linear, ease: .curve(.quad, .inOut)),
                VolumeKey(at: 96_000, millionths: -6_000_000, unit: .decibel),
            ]
        )
    }
}
