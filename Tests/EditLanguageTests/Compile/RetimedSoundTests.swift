// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Sound along a speed that changes: where it is in its source, and what cannot be.
@Suite struct RetimedSoundTests {
    private let assets: [String: CompilerAsset] = {
        var music = SampleAsset.audio(seconds: 60, streamIndex: 0)
        (music.sampleRate, music.sampleCount) = (44_100, 60 * 44_100)
        return ["a": SampleAsset.minute("a"), "music": SampleAsset.asset("music", [], [music])]
    }()

    private func compiled(_ tracks: String..., rate: String = "25", sampleRate: Int = 48_000) throws -> Compiled {
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "\(rate)", "sampleRate": \(sampleRate), "channels": 2 },
              "assets": { "a": "a.mp4", "music": "music.wav" },
              "tracks": [ \(tracks.joined(separator: ", ")) ],
              "outputs": [{ "preset": "h264" }] }
            """
        return try Compiled(text, assets)
    }

    private func picture(_ words: String) -> String {
        #"{ "kind": "video", "segments": [ { "asset": "a", \#(words) } ] }"#
    }

    private func sound(_ words: String) -> String {
        #"{ "kind": "audio", "segments": [ { "asset": "music", \#(words) } ] }"#
    }

    /// From speed 1 to 3 in 2 s: after t seconds t + t² / 2 of the source are gone, then 3 a second. Three numbers say
    /// it.
    @Test func aLineNeedsItsEndsAlone() throws {
        let keys = #"[ { "at": "0s", "value": 1 }, { "at": "2s", "value": 3 } ]"#
        let words = #""in": "1s", "duration": "4s", "speed": \#(keys)"#
        let composition = try #require(try compiled(picture(words)).composition)
        let segment = composition.audioTracks[0].segments[0]
        let curve = try #require(segment.curve)
        #expect(segment.sourceStart == 48_000 && segment.count == 192_000)
        #expect(segment.speed == nil && segment.keepsPitch == nil && curve.holds == nil)
        #expect(curve.samples == [0, 96_000_000_000, 192_000_000_000])
        #expect(curve.positions == [0, 192_000_000_000, 480_000_000_000])
        #expect(curve.speeds == [1_000_000, 3_000_000, 3_000_000])
        let path = SoundPath(curve, sourceRate: 48_000, sampleRate: 48_000)
        var knot = 0
        for sample in stride(from: Int64(0), to: 192_000, by: 1013) {
            let time = Double(sample) / 48_000
            let way = time < 2 ? time + time * time / 2 : 4 + 3 * (time - 2)
            let place = path.place(at: sample, near: &knot)
            #expect(abs(Double(place.sample) + place.part - way * 48_000) < 1e-6, "\(sample)")
            #expect(abs(place.slope - min(1 + time, 3)) < 1e-9)
        }
    }

    /// At the start of every frame the sound is where the picture is, whatever the ease, the rates, and where the clip
    /// begins.
    @Test(
        arguments: [
            #"[{ "at": "0s", "value": 1 }, { "at": "1s", "value": 2 }, { "at": "5/3", "value": 0.5 }]"#,
            #"[{ "at": "0.31s", "value": 3, "ease": "inOutSine" }, { "at": "2.2s", "value": "1/20" }]"#,
            #"[{ "at": "0s", "value": 0.1, "ease": "outBounce" }, { "at": "1.5s", "value": 4 }]"#,
            #"[{ "at": "0s", "value": 2, "ease": "outElastic" }, { "at": "2s", "value": -1 }]"#,
            """
            [{ "at": "0s", "value": 1, "ease": "hold" }, { "at": "0.7s", "value": 0, "ease": "hold" },
             { "at": "1.01s", "value": -2 }]
            """,
            """
            [{ "at": "0.5s", "value": -1 }, { "at": "0.5s", "value": 2, "ease": "cubicBezier(0.9,0,0.1,1)" },
             { "at": "2s", "value": 1 }]
            """,
        ],
        [("25", 48_000), ("30000/1001", 44_100), ("12", 48_000)] as [(String, Int)]
    )
    func soundIsWhereThePictureIs(keys: String, rates: (frames: String, samples: Int)) throws {
        let parts = rates.frames.split(separator: "/").compactMap { Int64($0) }
        let unit = try FrameRate(parts[0], parts.count > 1 ? parts[1] : 1).frameDuration
        let track = """
            { "kind": "video", "segments": [ { "asset": "a", "duration": "7f" },
              { "asset": "a", "in": "20.123s", "duration": "60f", "speed": \(keys) } ] }
            """
        let compiled = try compiled(track, rate: rates.frames, sampleRate: rates.samples)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        let (shown, heard) = (composition.videoTracks[0].segments[1], composition.audioTracks[0].segments[1])
        let (retimed, curve) = try (#require(shown.curve), #require(heard.curve))
        #expect(curve.isSound && heard.keepsPitch == nil)
        let path = SoundPath(curve, sourceRate: 48_000, sampleRate: rates.samples)
        var knot = 0
        for frame in 0..<shown.target.count {
            let way = try RationalTime(retimed.progress(at: frame), 1_000_000).multiplied(by: unit)
            let picture = try shown.sourceStart.adding(way).approximateSeconds * 48_000
            let time = try RationalTime(shown.target.start + frame, of: unit).approximateSeconds * Double(rates.samples)
            let sample = Int64(time)
            let place = path.place(at: sample - heard.start, near: &knot)
            let sound = Double(heard.sourceStart + place.sample) + place.part + (time - Double(sample)) * place.slope
            #expect(abs(sound - picture) < 0.02, "frame \(frame): \(sound - picture) samples")
        }
        // Every sample lies within the bounds of those about it, and any part of the curve says the same.
        for start in stride(from: Int64(0), to: heard.count - 900, by: 7919) {
            let range = start..<start + 900
            let bounds = path.bounds(of: range)
            let part = curve.counting(in: range, sampleRate: rates.samples)
            #expect(part.isSound)
            let own = SoundPath(part, sourceRate: 48_000, sampleRate: rates.samples)
            var other = 0
            for sample in range {
                let place = path.place(at: sample, near: &knot)
                #expect(own.place(at: sample, near: &other) == place && own.gain(at: sample) == path.gain(at: sample))
                #expect((bounds.lowest...bounds.highest).contains(place.sample))
                #expect(abs(place.slope) <= bounds.steepest + 1e-9)
            }
        }
    }

    /// Between the frames too the speed is what its ease says: a tone is right to a cent.
    @Test(arguments: ["inOutSine", "inQuint", "outExpo", "outElastic", "outBack", "cubicBezier(0.4,0,0.6,1)"])
    func theSpeedIsWhatItsEaseSays(name: String) throws {
        let keys = #"[{ "at": "0s", "value": 1, "ease": "\#(name)" }, { "at": "0.6s", "value": 2 }]"#
        let compiled = try compiled(picture(#""in": "9s", "duration": "1s", "speed": \#(keys)"#))
        let curve = try #require(compiled.composition?.audioTracks[0].segments[0].curve, "\(compiled.errors)")
        let path = SoundPath(curve, sourceRate: 48_000, sampleRate: 48_000)
        let ease = try #require(Easing(name))
        var knot = 0
        for sample in stride(from: Int64(0), to: 28_800, by: 97) {
            let speed = 1 + ease.value(at: Double(sample) / 28_800)
            let place = path.place(at: sample, near: &knot)
            #expect(abs(1200 * log2(place.slope / speed)) < 1, "\(sample): \(place.slope), not \(speed)")
        }
    }

    /// Where the speed stays 0 nothing is heard, faded over 5 ms on both sides; where it only passes 0 all is.
    @Test func whatStandsStillIsSilent() throws {
        let keys = """
            [{ "at": "0s", "value": 1 }, { "at": "1s", "value": 0 }, { "at": "2s", "value": 0 },
             { "at": "3s", "value": 2 }]
            """
        func path(_ keys: String, _ words: String = "") throws -> SoundPath {
            let compiled = try compiled(picture(#""in": "9s", "duration": "4s", "speed": \#(keys)\#(words)"#))
            let curve = try #require(compiled.composition?.audioTracks[0].segments[0].curve, "\(compiled.errors)")
            return SoundPath(curve, sourceRate: 48_000, sampleRate: 48_000)
        }
        let still = try path(keys)
        #expect(still.hasSilence)
        #expect([0, 47_760, 96_240, 191_999].allSatisfy { still.gain(at: $0) == 1 })
        #expect([48_000, 70_000, 96_000].allSatisfy { still.gain(at: $0) == 0 })
        #expect(abs(still.gain(at: 47_880) - 0.5) < 1e-9 && abs(still.gain(at: 96_120) - 0.5) < 1e-9)
        let kept = try path(keys, #", "pitch": "keep", "sound": "hold""#)
        #expect(!kept.hasSilence && kept.gain(at: 70_000) == 1)
        let passing = try path(#"[{ "at": "0s", "value": 1 }, { "at": "2s", "value": -1 }]"#)
        #expect(!passing.hasSilence)
        let ending = try path(#"[{ "at": "0s", "value": 1 }, { "at": "4s", "value": 0 }]"#)
        #expect(ending.gain(at: 191_999) < 0.001 && ending.gain(at: 190_000) == 1)
    }

    /// On a track of sound too, also with its pitch kept; positions count samples of the source.
    @Test func aTrackOfSoundFollowsItsSpeed() throws {
        let keys = #"[{ "at": "0s", "value": 2 }, { "at": "1.5s", "value": 1 }]"#
        let words = #""in": "0.5s", "duration": "100001@48000", "pitch": "keep", "speed": \#(keys)"#
        let segment = try #require(try compiled(sound(words)).composition).audioTracks[0].segments[0]
        let curve = try #require(segment.curve)
        #expect(segment.count == 100_001 && segment.sourceStart == 22_050 && segment.keepsPitch == true)
        #expect(curve.samples.prefix(2) == [0, 72_000_000_000])
        #expect(curve.positions.prefix(2) == [0, 99_225_000_000] && curve.speeds.prefix(2) == [2_000_000, 1_000_000])
        #expect(curve.samples.last ?? 0 >= 100_001_000_000)
    }

    @Test func soundMayEndWithItsSource() throws {
        // 1.5 s and then 58.5 s: all of the minute.
        let keys = #"[{ "at": "0s", "value": 2 }, { "at": "1s", "value": 1 }]"#
        #expect(try compiled(sound(#""duration": "59.5s", "speed": \#(keys)"#)).errors.isEmpty)
        let errors = try compiled(sound(#""duration": "59.7s", "speed": \#(keys)"#)).errors
        #expect(errors.map(\.rule) == ["past-end"])
    }

    @Test func aSilencedClipHasNoCurveOfSound() throws {
        let keys = #"[{ "at": "0s", "value": 2 }]"#
        let compiled = try compiled(picture(#""duration": "1s", "sound": false, "speed": \#(keys)"#))
        #expect(try #require(compiled.composition).audioTracks.isEmpty)
        let plain = try CanonicalJSON.data(try #require(try self.compiled(sound(#""duration": "1s""#)).composition))
        #expect(!String(decoding: plain, as: UTF8.self).contains("curve"))
    }

    @Test(arguments: [
        (#""duration": "1s", "loop": 3, "speed": [{ "at": "0s", "value": 2 }]"#, "speed", "/loop"),
        (#""duration": "1s", "loop": "picture", "speed": [{ "at": "0s", "value": 2 }]"#, "speed", "/loop"),
        (#""speed": [{ "at": "0s", "value": 2 }]"#, "no-length", ""),
        (#""in": "1s", "duration": "2s", "speed": [{ "at": "0s", "value": -1 }]"#, "past-end", "/duration"),
        (
            #""duration": "1s", "speed": [{ "at": "1s", "value": 1 }, { "at": "0s", "value": 2 }]"#, "speed",
            "/speed/1/at"
        ),
    ])
    func isWrong(words: String, rule: String, pointer: String) throws {
        let errors = try compiled(sound(words)).errors
        #expect(errors.map(\.rule) == [rule])
        #expect(errors.map(\.pointer) == ["/tracks/0/segments/0" + pointer])
    }

    /// 48 kHz at speed 20 in an edit of 8 kHz would be 120 times too fast.
    @Test func tooFastIsSaid() throws {
        let keys = #"[{ "at": "0s", "value": 1 }, { "at": "1s", "value": 20 }]"#
        func errors(_ value: String) throws -> [Finding] {
            let words = #""duration": "1s", "speed": \#(keys.replacing("20", with: value))"#
            return try compiled(picture(words), sampleRate: 8_000).errors
        }
        #expect(try errors("10").isEmpty)
        let found = try errors("20")
        #expect(found.map(\.rule) == ["speed"] && found.first?.suggestion == "\"sound\": false")
    }

    @Test func holdGoesWithKeysThatKeepThePitch() throws {
        let text = #"{ "schema": "edit/1", "assets": { "a": "a" }, "tracks": [ { "kind": "video", "segments": [ "#
        func rules(_ words: String) -> [String] {
            let item = #"{ "asset": "a", "duration": "2s", "sound": "hold", \#(words) } ] } ] }"#
            return EditReader.read(text + item).findings.filter { $0.severity == .error }.map(\.rule)
        }
        #expect(rules(#""speed": [{ "at": "0s", "value": 1 }], "pitch": "keep""#).isEmpty)
        #expect(rules(#""speed": [{ "at": "0s", "value": 1 }]"#) == ["contradiction"])
        #expect(rules(#""speed": 2, "pitch": "keep""#) == ["contradiction"])
    }

    /// A canonical form may say what it likes.
    @Test func aCanonicalCurveIsChecked() throws {
        let compiled = try compiled(sound(#""duration": "1s""#))
        func rules(_ change: (inout AudioTrackSegment) -> Void) throws -> [String] {
            var composition = try #require(compiled.composition)
            change(&composition.audioTracks[0].segments[0])
            return EditCompiler.compile(.composition(composition), assets: assets).findings.map(\.rule)
        }
        let fine = SoundCurve(samples: [0, 9], positions: [0, 9], speeds: [1_000_000, 1_000_000])
        #expect(try rules { $0.curve = fine } == [])
        #expect(try rules { ($0.curve, $0.speed) = (fine, RationalTime(whole: 2)) } == ["speed"])
        #expect(try rules { ($0.curve, $0.loop) = (fine, SampleLoop(start: 0, count: 100)) } == ["speed"])
        for wrong in [
            SoundCurve(samples: [], positions: [], speeds: []),
            SoundCurve(samples: [0, 9], positions: [0], speeds: [0, 0]),
            SoundCurve(samples: [9, 0], positions: [0, 0], speeds: [0, 0]),
            SoundCurve(samples: [9, 9], positions: [0, 1], speeds: [0, 0]),
            SoundCurve(samples: [0], positions: [.min], speeds: [0]),
            SoundCurve(samples: [0], positions: [0], speeds: [.min]),
        ] {
            #expect(try rules { $0.curve = wrong } == ["speed"], "\(wrong)")
        }
    }

    /// A piece of a long sound names the part of the curve that it hears, unless its pitch is kept; the rest of the
    /// plan does not change.
    @Test func aPieceHasThePartOfTheCurveThatItHears() throws {
        var music = SampleAsset.audio(seconds: 3000, streamIndex: 0)
        music.sampleCount = 3000 * 48_000
        music.cells = SoundCells(preRoll: 0, origin: 0, isByPosition: nil)
        let assets = ["s": SampleAsset.asset("s", [], [music])]
        func plan(_ words: String) throws -> RenderPlan {
            let keys = #"[{ "at": "0s", "value": 0.5, "ease": "inOutSine" }, { "at": "500s", "value": 2 }]"#
            let text = """
                { "schema": "edit/1",
                  "format": { "size": [64, 36], "frameRate": "10", "sampleRate": 48000, "channels": 2 },
                  "assets": { "s": "s.wav" },
                  "tracks": [ { "kind": "audio", "segments": [
                    { "asset": "s", "duration": "500s", \(words) "speed": \(keys) } ] } ],
                  "outputs": [{ "preset": "wav" }] }
                """
            return try Compiled(text, assets).plan()
        }
        let long = try plan("")
        let whole = try #require(long.sound?.tracks[0].segments[0].curve)
        #expect(whole.samples.count > 10_000 && long.soundPieces.count > 2)
        let path = SoundPath(whole, sourceRate: 48_000, sampleRate: 48_000)
        for piece in long.soundPieces {
            let curve = try #require(piece.task.tracks[0].segments[0].curve)
            #expect(curve.samples.count < 2 * whole.samples.count / long.soundPieces.count)
            let own = SoundPath(curve, sourceRate: 48_000, sampleRate: 48_000)
            var (one, other) = (0, 0)
            for sample in stride(from: piece.task.mixed.lowerBound, to: piece.task.mixed.upperBound, by: 9973) {
                #expect(own.place(at: sample, near: &one) == path.place(at: sample, near: &other))
            }
        }
        #expect(try plan(#""pitch": "keep","#).soundPieces.count == 1)
    }
}
