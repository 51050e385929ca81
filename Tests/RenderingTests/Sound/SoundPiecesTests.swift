import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing

@testable import Rendering

/// Seeded random mixes: the same PCM for any number of pieces. `CUTFARM_THOROUGH=1` mixes 200, `CUTFARM_SEED=17` that
/// one alone, `101-200` those.
@Suite struct SoundPiecesTests {
    private static let counts = [1, 2, 7, 31]
    private static let seeds = TestSeeds.asked(usual: 20, thorough: 200)

    @Test func anyNumberOfPiecesGivesTheSameSamples() async throws {
        let folder = try TemporaryFolder()
        var movies: [String: TestMovie] = [:]
        for source in RandomSoundEdit.sources {
            movies[source.name] = try await TestMovie.make(source.file, in: folder, source.arguments)
        }
        #expect(movies.values.allSatisfy { $0.facts.defaultAudio?.cells?.starts.count == 1 })
        for seed in Self.seeds {
            let mix = RandomSoundEdit(seed: seed)
            try Self.check(mix, movies, folder)
            await Task.yield()
        }
    }

    /// Frames of stretched sound begin behind a piece's end, and at a great speed far behind it in the source.
    @Test func aFastClipKeepsItsPitchOverBorders() async throws {
        let folder = try TemporaryFolder()
        let noise = "0.3*sin(2*PI*(200+30*t)*t)+0.2*(random(0)-0.5)|0.4*(random(1)-0.5)"
        let input = ["-f", "lavfi", "-i", "aevalsrc='\(noise)':s=44100:d=60", "-c:a", "pcm_s16le"]
        let source = try await TestMovie.make("s.wav", in: folder, input)
        func text(_ asset: String, _ words: String) -> String {
            """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "30", "sampleRate": 48000, "channels": 2 },
              "assets": { "s": "s.wav"\(asset == "s" ? "" : ", \"part\": \"part.json\"") },
              "tracks": [ { "kind": "audio", "segments": [ { "gap": "1f" }, { "asset": "\(asset)", \(words) } ] } ] }
            """
        }
        let fast = #""range": ["0s", "50s"], "speed": "20", "pitch": "keep""#
        for nested in [false, true] {
            let edit = try PlannedEdit(
                nested ? text("part", fast) : text("s", fast),
                ["s": source],
                nested: nested ? ["part": text("s", #""duration": "55s""#)] : [:]
            )
            let whole = try edit.sound(in: folder)
            #expect(Set(whole.suffix(20_000)).count > 5000)
            for count in [2, 7, 11] {
                let pieces = try edit.plan(count).soundPieces
                #expect(pieces.count == count)
                let joined = try pieces.flatMap { try edit.rendered($0.task, in: folder).steps }
                #expect(joined == whole, "\(count) pieces, nested: \(nested)")
            }
        }
    }

    /// What forces one piece: a memory without end on a track or on the mix, of the edit or of one in it, and a nested
    /// edit that is brought to a loudness. On a clip it does not: a run of it is as long as the clip.
    @Test func whatRemembersAllIsOnePiece() async throws {
        let folder = try TemporaryFolder()
        let input = ["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.3:d=6", "-c:a", "pcm_s16le"]
        let source = try await TestMovie.make("s.wav", in: folder, input)
        let endless = "\"processors\": [{ \(RandomSoundEdit.endless) }]"
        func text(_ asset: String, clip: String = "", track: String = "", master: String = "") -> String {
            let words = clip.isEmpty ? "" : ", " + clip
            return """
                { "schema": "edit/1",
                  "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "assets": { "s": "s.wav"\(asset == "s" ? "" : ", \"part\": \"part.json\"") },
                  \(master.isEmpty ? "" : "\"master\": { \(master) },")
                  "tracks": [ { "kind": "audio", \(track.isEmpty ? "" : track + ",")
                    "segments": [ { "asset": "\(asset)", "duration": "5s"\(words) } ] } ] }
                """
        }
        func pieces(_ whole: String, part: String? = nil) throws -> Int {
            let edit = try PlannedEdit(whole, ["s": source], nested: part.map { ["part": $0] } ?? [:])
            return try edit.plan(7).soundPieces.count
        }
        let part = text("part")
        #expect(try pieces(text("s")) == 7 && pieces(part, part: text("s")) == 7)
        #expect(try pieces(text("s", clip: endless)) == 7 && pieces(part, part: text("s", clip: endless)) == 7)
        #expect(try pieces(text("s", track: endless)) == 1 && pieces(part, part: text("s", track: endless)) == 1)
        #expect(try pieces(text("s", master: endless)) == 1 && pieces(part, part: text("s", master: endless)) == 1)
        #expect(try pieces(part, part: text("s", master: #""loudness": { "target": "-16LUFS" }"#)) == 1)
    }

    private static func check(_ mix: RandomSoundEdit, _ movies: [String: TestMovie], _ folder: TemporaryFolder) throws {
        let edit = try PlannedEdit(mix.text, movies, nested: ["part": mix.part])
        // 31 pieces of a few seconds cost as much as all else: every fifth time.
        let counts = TestSeeds.isThorough || mix.seed % 5 == 1 ? counts : counts.dropLast()
        var whole = Data()
        for count in counts {
            let plan = try edit.plan(count)
            #expect(plan.soundPieces.count == count, "seed \(mix.seed)")
            #expect(plan.soundPieces.map(\.task.sampleCount).reduce(0, +) == plan.sampleCount)
            let bytes = try plan.soundPieces.reduce(into: Data()) { $0 += try edit.bytes(of: $1.task, in: folder) }
            #expect(Int64(bytes.count) == plan.sampleCount * 6)
            if count == 1 {
                whole = bytes
                #expect(Set(bytes.prefix(600_000)).count > 200, "seed \(mix.seed) is silent")
            } else if let place = zip(bytes, whole).enumerated().first(where: { $1.0 != $1.1 })?.offset {
                let borders = plan.soundPieces.map(\.start)
                Issue.record(
                    "seed \(mix.seed), \(count) pieces: sample \(place / 6) differs; \(borders)\n\(mix.text)\n\(mix.part)"
                )
            }
        }
    }
}
