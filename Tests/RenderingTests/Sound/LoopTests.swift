import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Null tests: a loop is what a file is in which the piece stands as often, whole and to the bit: before its first
/// sample and behind its last run too, which a resampler hears.
@Suite struct LoopTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Noise of `count` samples, and a file that has it `runs` times.
    private func noise(_ count: Int, rate: Int, runs: Int) async throws -> [String: TestMovie] {
        let source = "anoisesrc=r=\(rate):a=0.4:seed=\(rate):d=2,atrim=end_sample=\(count)"
        let codec = ["-ac", "2", "-c:a", "pcm_s24le"]
        let piece = try await TestMovie.make("piece.wav", in: folder, ["-f", "lavfi", "-i", source] + codec)
        let again = ["-stream_loop", "\(runs - 1)", "-i", piece.path, "-c", "copy"]
        let many = try await TestMovie.make("many.wav", in: folder, again)
        try #require(many.facts.audio[0].sampleCount == Int64(count * runs))
        return ["piece": piece, "many": many]
    }

    /// The samples of an edit whose sound is `segment`, and of one whose sound is `other`.
    private func sounds(
        _ segment: String,
        _ other: String,
        _ movies: [String: TestMovie],
        picture: String = ""
    ) throws -> (heard: [Int32], wanted: [Int32]) {
        let assets = movies.keys.sorted().map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        let sounds = try [segment, other].map { segment in
            let text = """
                { "schema": "edit/1",
                  "format": { "size": [64, 64], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "assets": { \(assets) },
                  "tracks": [ { "kind": "audio", "segments": [ \(segment), { "gap": "0.1s" } ] }\(picture) ] }
                """
            return try PlannedEdit(text, movies).sound(in: folder)
        }
        return (sounds[0], sounds[1])
    }

    private static let words = [
        "", #", "speed": 2"#, #", "speed": "7/10""#, #", "speed": -1"#, #", "speed": -2"#, #", "speed": "-13/10""#,
        #", "speed": "3/2", "pitch": "keep""#, #", "speed": "-3/4", "pitch": "keep""#,
    ]

    @Test(arguments: [48_000, 44_100], words)
    func aLoopIsTheFileOfItsRuns(rate: Int, words: String) async throws {
        let movies = try await noise(3333, rate: rate, runs: 10)
        let (heard, wanted) = try sounds(
            #"{ "asset": "piece", "loop": 10\#(words) }"#,
            #"{ "asset": "many"\#(words) }"#,
            movies
        )
        #expect(heard == wanted && Set(heard).count > 1500, "\(difference(heard, wanted))")
    }

    /// At 0.2 s, in the middle of a run: what is behind it is heard by the resampler in both.
    @Test(arguments: [48_000, 44_100], words)
    func aLoopThatIsCutIsTheFileThatIsCut(rate: Int, words: String) async throws {
        var movies = try await noise(3333, rate: rate, runs: 10)
        let frames = TestPattern.movie("testsrc", "64x64", frames: 5)
        movies["picture"] = try await TestMovie.make("picture.mp4", in: folder, frames)
        let picture = #", { "kind": "video", "segments": [{ "asset": "picture" }] }"#
        let (heard, wanted) = try sounds(
            #"{ "asset": "piece", "loop": 10, "until": "picture"\#(words) }"#,
            #"{ "asset": "many", "until": "picture"\#(words) }"#,
            movies,
            picture: picture
        )
        #expect(heard == wanted && Set(heard).count > 1500, "\(difference(heard, wanted))")
        #expect(heard[9599] != 0 && heard[19_200...].allSatisfy { $0 == 0 })
    }

    /// Down to one sample, which is a constant as long as the runs.
    @Test(arguments: [1, 2, 79], ["", #", "speed": -2"#]) func aLoopMayBeShort(count: Int, words: String) async throws {
        let movies = try await noise(count, rate: 44_100, runs: 9000 / count)
        let (heard, wanted) = try sounds(
            #"{ "asset": "piece", "loop": \#(9000 / count)\#(words) }"#,
            #"{ "asset": "many"\#(words) }"#,
            movies
        )
        #expect(heard == wanted && heard[2000] != 0, "\(difference(heard, wanted))")
    }

    /// A piece of an asset: what lies around it there is not heard.
    @Test func aPieceOfAnAssetIsHeardAlone() async throws {
        let movies = try await noise(4410, rate: 44_100, runs: 10)
        let part = try await TestMovie.make(
            "part.wav",
            in: folder,
            ["-i", movies["piece"]?.path ?? "", "-af", "atrim=start_sample=441:end_sample=1323", "-c:a", "pcm_s24le"]
        )
        let again = ["-stream_loop", "6", "-i", part.path, "-c", "copy"]
        let many = try await TestMovie.make("parts.wav", in: folder, again)
        let (heard, wanted) = try sounds(
            #"{ "asset": "piece", "range": ["0.01s", "0.02s"], "loop": 7 }"#,
            #"{ "asset": "many" }"#,
            ["piece": movies["piece"] ?? part, "many": many]
        )
        #expect(heard == wanted && heard[2000] != 0, "\(difference(heard, wanted))")
    }

    private func difference(_ heard: [Int32], _ wanted: [Int32]) -> String {
        let places = zip(heard, wanted).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        return "\(heard.count), \(wanted.count); \(places.count) differ, \(places.first ?? -1) … \(places.last ?? -1)"
    }
}
