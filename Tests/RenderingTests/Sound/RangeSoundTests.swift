import Foundation
import TestSupport
import Testing
import Timing

/// What is heard of a part of an edit is that part of what is heard of the whole.
@Suite struct RangeSoundTests {
    /// A loud tone up to frame 20, a soft one from there on and a loud one from frame 45 on: the limiter still lowers
    /// what comes behind the first, and looks ahead to the last.
    private static func text(_ master: String) -> String {
        """
        { "schema": "edit/1", "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "tone": "tone.wav" }, "master": { \(master) },
          "tracks": [{ "kind": "audio", "segments": [
            { "asset": "tone", "duration": "20f", "volume": "17dB" }, { "asset": "tone", "duration": "25f" },
            { "asset": "tone", "duration": "10f", "volume": "15dB" } ] }] }
        """
    }

    /// At 30000/1001 a frame has 1601.6 samples of 48 kHz: ranges side by side share none and lack none.
    @Test(arguments: ["30000/1001", "24000/1001", "25"]) func rangesSideBySideAreTheWhole(rate: String) async throws {
        let folder = try TemporaryFolder()
        let noise = ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-ac", "2", "-c:a", "pcm_s24le"]
        let movies = ["noise": try await TestMovie.make("noise.wav", in: folder, noise)]
        let text = """
            { "schema": "edit/1", "format": { "size": [64, 36], "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
              "assets": { "noise": "noise.wav" },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "noise", "duration": "60f" }] }] }
            """
        let edit = try PlannedEdit(text, movies)
        let cuts: [Int64] = [0, 1, 2, 3, 8, 30, 31, 44, 59, 60]
        let parts = try zip(cuts, cuts.dropFirst()).flatMap { start, end in
            try edit.sound(of: FrameRange(start: start, count: end - start), in: folder)
        }
        let whole = try edit.sound(in: folder)
        #expect(parts.count == whole.count && parts.elementsEqual(whole))
    }

    @Test(arguments: [
        #""limiter": { "ceiling": "-14dB" }"#, #""volume": "6dB", "limiter": { "ceiling": "-14dB" }"#,
        #""processors": [{ "processor": "limiter", "ceiling": "-14dB" }]"#,
    ])
    func theMastersLimiterHearsWhatLiesBesideARange(master: String) async throws {
        let folder = try TemporaryFolder()
        let arguments = ["-f", "lavfi", "-i", "sine=330:r=48000:d=3", "-c:a", "pcm_s16le"]
        let tone = try await TestMovie.make("tone.wav", in: folder, arguments)
        let edit = try PlannedEdit(Self.text(master), ["tone": tone])
        let whole = try edit.sound(in: folder)
        // Of each frame 1920 samples of two channels.
        func loudest(_ frame: Int) -> Int32 { whole[frame * 3840..<(frame + 1) * 3840].map(abs).max() ?? 0 }
        #expect(loudest(20) < loudest(40))
        for (start, count) in [(20, 10), (21, 4), (30, 15), (0, 20), (44, 11)] as [(Int64, Int64)] {
            let part = try edit.sound(of: FrameRange(start: start, count: count), in: folder)
            let expected = whole[Int(start) * 3840..<Int(start + count) * 3840]
            let wrong = zip(part, expected).enumerated().first { $1.0 != $1.1 }?.offset
            #expect(part.count == expected.count)
            #expect(wrong == nil, "\(count) frames from \(start) on")
        }
    }
}
