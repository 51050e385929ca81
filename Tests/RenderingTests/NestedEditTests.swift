import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing

/// Edits as sources of edits: frame for frame what they show by themselves.
@Suite struct NestedEditTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func movies() async throws -> [String: TestMovie] {
        let sine = ["-f", "lavfi", "-i", "sine=330:r=44100:d=5"]
        let a = try await TestMovie.make(
            "a.mp4",
            in: folder,
            sine + TestPattern.movie("testsrc2", "96x64", frames: 120) + ["-c:a", "pcm_s16le", "-f", "mov"]
        )
        let b = try await TestMovie.make(
            "b.mp4",
            in: folder,
            TestPattern.movie("mandelbrot", "96x64", rate: "24", frames: 100)
        )
        return ["a": a, "b": b]
    }

    private func text(
        _ items: String,
        rate: String = "25",
        size: String = "[96, 64]",
        sound: String = #""sampleRate": 48000, "channels": 2"#,
        tracks: String = "",
        nested: Bool = false
    ) -> String {
        let part = nested ? #", "part": { "edit": "part.json" }"# : ""
        return """
            { "schema": "edit/1", "format": { "size": \(size), "frameRate": "\(rate)", \(sound) },
              "assets": { "a": "a.mp4", "b": "b.mp4"\(part) },
              "tracks": [{ "kind": "video", "segments": [ \(items) ] }\(tracks)] }
            """
    }

    /// 2.4 s, a dissolve of 0.4 s into 2 s that turn, half a second of nothing: 4.5 s.
    private let pieces = """
        { "asset": "a", "in": "0.6s", "duration": "60f" }, { "transition": "dissolve", "duration": "10f" },
        { "asset": "b", "duration": "50f", "rotate": [{ "at": "0s", "value": 0 }, { "at": "2s", "value": 40 }] },
        { "gap": "13f" }
        """
    private let overlay = """
        , { "kind": "video", "sound": false, "segments": [
            { "gap": "20f" }, { "asset": "b", "duration": "30f", "scale": 0.5, "opacity": 0.7 } ] }
        """

    /// The mask is a movie, whatever plays beside it.
    @Test func aMaskFollowsAnEdit() async throws {
        let movies = try await movies()
        let effect = #""effects": [{ "effect": "mask", "asset": "b", "channel": "luma" }]"#
        let outer = text("{ \"asset\": \"part\", \"duration\": \"40f\", \"speed\": 2, \(effect) }", nested: true)
        let nested = try PlannedEdit(outer, movies, nested: ["part": text(pieces)])
        #expect(try nested.firstDifference() == nil)
        #expect(Set(try nested.frames()).count == 40)
    }

    @Test func usedAsItIsItGivesTheFramesOfItsSegments() async throws {
        let movies = try await movies()
        let inner = text(pieces, tracks: overlay)
        let outer = text(#"{ "asset": "part" }"#, nested: true)
        let nested = try PlannedEdit(outer, movies, nested: ["part": inner])
        let written = try PlannedEdit(inner, movies)
        #expect(try nested.plan(1).segments[0].task.nested == nil)
        #expect(try nested.frames() == written.frames())
    }

    /// Where the first frame is and how far the next one, in frames of the nested edit.
    @Test(arguments: [
        ("", 0, 1.2), (#", "in": "0.95s""#, 28.5, 1.2), (#", "speed": "3/2""#, 0, 1.8),
        (#", "speed": "1/3""#, 0, 0.4), (#", "range": ["1s", "2s"], "speed": -1"#, 88.8, -1.2),
        (#", "freeze": "1.5s""#, 45, 0),
    ])
    func atAnotherRateItShowsItsOwnFrames(words: String, start: Double, step: Double) async throws {
        let movies = try await movies()
        let pieces = pieces.replacing("60f", with: "72f").replacing("10f", with: "12f").replacing("50f", with: "60f")
            .replacing("13f", with: "15f")
        let inner = text(pieces, rate: "30")
        let duration = words.contains("range") ? "" : #", "duration": "45f""#
        let outer = text(#"{ "asset": "part", "sound": false\#(duration)\#(words) }"#, nested: true)
        let own = try PlannedEdit(inner, movies).frames()
        let edit = try PlannedEdit(outer, movies, nested: ["part": inner])
        let frames = try edit.frames()
        for (number, frame) in frames.enumerated() {
            let shown = Int((start + step * Double(number) + 1e-9).rounded(.down))
            #expect(frame == own[shown], "\(words): frame \(number) is not frame \(shown)")
        }
        #expect(try edit.firstDifference() == nil)
    }

    /// Of another size, turned, mixed, faded, at a speed that changes, and with an edit inside: any cut gives the same.
    @Test func anyNumberOfSegmentsGivesTheSameFrames() async throws {
        let movies = try await movies()
        let inner = text(pieces, rate: "24", size: "[64, 64]", tracks: overlay)
        let items = """
            { "asset": "part", "duration": "40f", "sound": false, "opacity": 0.8, "fit": "cover",
              "effects": [{ "effect": "sepia" }] },
            { "transition": "push", "duration": "10f" },
            { "asset": "part", "duration": "40f", "sound": false, "rotateY": 30,
              "speed": [{ "at": "0s", "value": 2 }, { "at": "1s", "value": -0.5 }, { "at": "2s", "value": 1 }] },
            { "transition": "dissolve", "duration": "10f" },
            { "asset": "part", "range": ["1s", "1.2s"], "speed": "-1", "sound": false, "blending": "frames" },
            { "transition": "iris", "duration": "9f" }
            """
        let edit = try PlannedEdit(text(items, nested: true), movies, nested: ["part": inner])
        #expect(try edit.firstDifference() == nil)
    }

    /// A picture of its own is put into the frame as any source: fitted and resampled once.
    @Test func aPictureOfAnotherSizeIsFittedAsAFile() async throws {
        let movies = try await movies()
        let inner = text(pieces, size: "[64, 64]")
        let own = try PlannedEdit(inner, movies).frames()
        let raw = folder.path("own.yuv")
        try Data(own.joined()).write(to: URL(fileURLWithPath: raw))
        let file = try await TestMovie.make(
            "own.mkv",
            in: folder,
            ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "64x64", "-r", "25", "-i", raw, "-c:v", "ffv1"]
                + TestPattern.bt709
        )
        for words in ["", #", "fit": "cover""#, #", "scale": 0.8, "rotate": 20"#, #", "speed": 2"#] {
            let nested = try PlannedEdit(
                text(#"{ "asset": "part", "duration": "50f", "sound": false\#(words) }"#, nested: true),
                movies,
                nested: ["part": inner]
            )
            let flat = try PlannedEdit(
                text(#"{ "asset": "a", "duration": "50f", "sound": false\#(words) }"#),
                ["a": file, "b": file]
            )
            #expect(try nested.frames() == flat.frames(), "\(words)")
        }
    }

    @Test func itsSoundIsMixedAsItSoundsAlone() async throws {
        let movies = try await movies()
        let music = """
            , { "kind": "audio", "volume": 0.3, "segments": [
                { "asset": "a", "in": "1s", "duration": "2s", "volume": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 1 }] }
            ] }
            """
        let inner = text(pieces, tracks: music)
        let own = try PlannedEdit(inner, movies).sound(in: folder)
        let outer = text(#"{ "asset": "part", "in": "0.48s", "duration": "2s" }"#, nested: true)
        let nested = try PlannedEdit(outer, movies, nested: ["part": inner]).sound(in: folder)
        let start = 2 * 48 * 480
        #expect(nested == Array(own[start..<start + 2 * 96_000]) && nested.contains { $0 != 0 })
    }

    /// One resampling, from the nested edit's rate to that of the edit.
    @Test func soundAtAnotherRateIsResampledAsAFilesIs() async throws {
        let movies = try await movies()
        let inner = text(#"{ "asset": "a" }"#, sound: #""sampleRate": 44100, "channels": 1"#)
        for words in ["", #", "speed": 2"#, #", "speed": "-1", "range": ["0s", "2s"]"#] {
            let duration = words.contains("range") ? "" : #", "duration": "2s""#
            let nested = try PlannedEdit(
                text(#"{ "asset": "part"\#(duration)\#(words) }"#, nested: true),
                movies,
                nested: ["part": inner]
            )
            let direct = try PlannedEdit(text(#"{ "asset": "a"\#(duration)\#(words) }"#), movies)
            #expect(try nested.sound(in: folder) == direct.sound(in: folder), "\(words)")
        }
    }
}
