import Foundation
import Planning
import TestSupport
import Testing
import Timing

@testable import CompositionModel

/// An edit of sound alone ends with its last sample, not with a frame.
@Suite struct SoundLengthTests {
    private func edit(_ segments: String, tracks: String = "", rate: String = "30000/1001") -> String {
        """
        { "schema": "edit/1", "format": { "size": [32, 32], "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
          "assets": { "a": "a" },
          "tracks": [\(tracks) { "kind": "audio", "segments": [\(segments)] }] }
        """
    }

    private func movie(in folder: TemporaryFolder) async throws -> TestMovie {
        let noise = ["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.4:seed=7:d=9"]
        let picture = ["-f", "lavfi", "-i", "color=s=32x32:r=25:d=9", "-c:v", "ffv1"]
        return try await TestMovie.make("a.mkv", in: folder, noise + picture + ["-ac", "2", "-c:a", "pcm_s24le"])
    }

    /// Lengths that end within a frame, a sample after one begins, and where one ends.
    @Test(arguments: [1, 100_001, 96_097, 96_096, 8008, 8009]) func itIsAsLongAsAsked(count: Int) async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(in: folder)]
        let whole = try PlannedEdit(edit(#"{ "asset": "a", "duration": "8s" }"#), movies).sound(in: folder)
        let asked = try PlannedEdit(edit(#"{ "asset": "a", "duration": "\#(count)@48000" }"#), movies)
        #expect(try asked.plan(nil).sampleCount == count)
        let sound = try asked.sound(in: folder)
        #expect(sound == Array(whole.prefix(2 * count)))
    }

    /// A range up to the last frame ends with the sound; the ranges before it have the samples of their frames.
    @Test func rangesSideBySideAreTheWhole() async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(in: folder)]
        let edit = try PlannedEdit(edit(#"{ "asset": "a", "duration": "100001@48000" }"#), movies)
        let frames = edit.composition.frameCount
        #expect(frames == 63)
        let parts = try [0..<20, 20..<62, 62..<frames].map { range in
            try edit.sound(of: FrameRange(start: range.lowerBound, count: Int64(range.count)), in: folder)
        }
        #expect(try edit.sound(in: folder) == parts.flatMap { $0 })
        #expect(parts.map { $0.count / 2 }.reduce(0, +) == 100_001)
    }

    /// Ranges of samples, none of which begins or ends with a frame.
    @Test func rangesOfSamplesAreTheWhole() async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(in: folder)]
        let text = edit(#"{ "asset": "a", "duration": "100001@48000" }"#)
        let borders = [0, 1, 33_333, 99_999, 100_001]
        let parts = try zip(borders, borders.dropFirst()).map { start, end in
            try PlannedEdit(text, movies, range: ["\(start)@48000", "\(end - start)@48000"]).sound(in: folder)
        }
        #expect(parts.map(\.count) == [2, 66_664, 133_332, 4])
        #expect(try PlannedEdit(text, movies).sound(in: folder) == parts.flatMap { $0 })
    }

    /// Where there is a picture, the sound is as long as the picture's frames.
    @Test func besideAPictureItEndsWithAFrame() async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(in: folder)]
        let picture = #"{ "kind": "video", "segments": [{ "asset": "a", "volume": 0, "duration": "3f" }] },"#
        let text = edit(#"{ "asset": "a", "duration": "100001@48000" }"#, tracks: picture)
        let plan = try PlannedEdit(text, movies).plan(nil)
        #expect(plan.frameCount == 63 && plan.sampleCount == 100_901)
    }

    /// What a nested edit of sound alone plays ends where it does, and what follows it in the outer edit follows at once.
    @Test func asAnAssetOfAnotherEditToo() async throws {
        let folder = try TemporaryFolder()
        let movies = ["a": try await movie(in: folder)]
        let inner = edit(#"{ "asset": "a", "duration": "100001@48000" }"#)
        let outer = edit(#"{ "asset": "n" }, { "asset": "a", "in": "100001@48000", "duration": "2s" }"#)
            .replacingOccurrences(of: #""a": "a" }"#, with: #""a": "a", "n": { "edit": "nested.json" } }"#)
        let sound = try PlannedEdit(outer, movies, nested: ["n": inner]).sound(in: folder)
        let plain = try PlannedEdit(edit(#"{ "asset": "a", "duration": "196001@48000" }"#), movies).sound(in: folder)
        #expect(sound == plain)
    }
}
