import CompositionModel
import EditLanguage
import Foundation
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Movies of codecs that nothing here encodes: every frame is copied, in whatever number of segments, and decodes to what
/// it is in its source.
@Suite struct WholeCopyTests {
    /// Clips of random lengths, from any frame to any frame.
    @Test(arguments: WholeSource.intra.indices) func intraCodecsAreCopiedAtAnyFrame(number: Int) async throws {
        let (source, container) = WholeSource.intra[number]
        let folder = try TemporaryFolder()
        let movie = try await source.make(in: folder, seed: number)
        let hashes = try await StitchedMovie(path: movie.path).frameHashes()
        #expect(hashes.count == 130)
        var random = SplitMix(seed: UInt64(number) &+ 31)
        var (clips, wanted): ([String], [String]) = ([], [])
        for _ in 0..<6 {
            let start = Int.random(in: 0..<129, using: &random)
            let count = Int.random(in: 1...130 - start, using: &random)
            clips.append("{ \"asset\": \"a\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\" }")
            wanted += hashes[start..<start + count]
        }
        let edit = try PlannedEdit(Self.text(clips, movie), ["a": movie], preset: nil)
        let plan = try edit.plan(1)
        #expect(plan.encoded == [] && plan.output.container == container)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "one." + plan.output.fileExtension)
        #expect(try await copied.frameHashes() == wanted)
        #expect(try await copied.decoderMessages() == "")
        let divided = try await edit.copiedMovie(edit.plan(3), in: folder, name: "three." + plan.output.fileExtension)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: divided.path))
                == Data(contentsOf: URL(fileURLWithPath: copied.path))
        )
        let (own, found) = (
            try #require(movie.facts.defaultVideo), try #require(TestMovie(path: copied.path).facts.defaultVideo)
        )
        #expect(found.codec == own.codec && found.profile == own.profile && found.pixelFormat == own.pixelFormat)
        #expect(found.color == own.color)
    }

    @Test(arguments: WholeSource.hevc.indices) func hevcIsCopiedFromEntriesToEnds(number: Int) async throws {
        // HEVC of Main may stand beside encoded pictures, where shorter clips are encoded.
        try await check(WholeSource.hevc[number].sources, number, codec: .hevc, shortest: number == 0 ? 12 : 1)
    }

    /// Profiles of more bits or samples of chroma than the encoder's.
    @Test(arguments: WholeSource.h264.indices) func h264OfOtherProfilesIsCopiedFromEntriesToEnds(
        number: Int
    ) async throws {
        try await check(WholeSource.h264[number].sources, number, codec: .h264, shortest: 1)
    }

    /// Clips from an entry to an end of sources of one format, one behind the other in one track.
    private func check(
        _ sources: [WholeSource],
        _ number: Int,
        codec: VideoEncoding.Codec,
        shortest: Int64
    ) async throws {
        let folder = try TemporaryFolder()
        var movies: [(movie: TestMovie, hashes: [String])] = []
        for (seed, source) in sources.enumerated() {
            let movie = try await source.make(in: folder, seed: seed)
            movies.append((movie, try await StitchedMovie(path: movie.path).frameHashes()))
            #expect(movies[seed].hashes.count == source.frames, "\(source)")
        }
        var random = SplitMix(seed: UInt64(number) &+ 7)
        for list in 0..<(number == 0 ? 8 : 2) {
            var (clips, wanted): ([String], [String]) = ([], [])
            for clip in 0..<(number == 0 ? 20 : 6) {
                let seed = clip < movies.count ? clip : Int.random(in: movies.indices, using: &random)
                let stretch = try #require(movies[seed].movie.facts.defaultVideo?.copy?.stretches.first)
                let entries = stretch.entries.frames.filter { $0 + shortest <= stretch.frames.end }
                let start = try #require(entries.randomElement(using: &random))
                let ends = stretch.ends.frames.filter { $0 >= start + shortest }
                let end = try #require(ends.randomElement(using: &random))
                clips.append("{ \"asset\": \"a\(seed)\", \"in\": \"\(start)f\", \"duration\": \"\(end - start)f\" }")
                wanted += movies[seed].hashes[Int(start)..<Int(end)]
            }
            let names = Dictionary(uniqueKeysWithValues: movies.enumerated().map { ("a\($0)", $1.movie) })
            let edit = try PlannedEdit(Self.text(clips, movies[0].movie, movies.count), names, preset: nil)
            let plan = try edit.plan(nil)
            #expect(plan.encoded == [] && plan.output.video?.codec == codec)
            #expect(plan.output.video?.isCopyOnly == (shortest == 1))
            let copied = try await edit.copiedMovie(plan, in: folder, name: "\(list)." + plan.output.fileExtension)
            #expect(try await copied.decoderMessages() == "")
            for threads in [
                ["-threads", "1"], ["-threads", "4", "-thread_type", "frame"],
                ["-threads", "3", "-thread_type", "slice"],
            ] {
                #expect(try await Self.hashes(copied.path, threads) == wanted, "\(threads)")
            }
            try await checkTrack(copied, movies[0].movie)
            // A forced number of segments divides copies where pictures may be encoded.
            guard plan.output.video?.isCopyOnly == true else { continue }
            let name = "d\(list)." + plan.output.fileExtension
            let divided = try await edit.copiedMovie(edit.plan(4), in: folder, name: name)
            #expect(try await Self.hashes(divided.path, []) == wanted)
        }
    }

    /// The track is of the source's profile, pixel format and colour, as other programs read it too.
    private func checkTrack(_ movie: StitchedMovie, _ source: TestMovie) async throws {
        let own = try #require(source.facts.defaultVideo)
        let found = try #require(TestMovie(path: movie.path).facts.defaultVideo)
        #expect(found.profile == own.profile && found.pixelFormat == own.pixelFormat && found.color == own.color)
        let (stream, info) = (try await movie.stream("v:0", ["profile"]), try await movie.mediaInfo())
        let profile = info["Format_Profile"]?.split(separator: "@").first.map(String.init)
        #expect(profile == (stream["profile"] == "Rext" ? "Format Range" : stream["profile"]), "\(stream), \(info)")
    }

    static func hashes(_ path: String, _ threads: [String]) async throws -> [String] {
        let output = ["-map", "0:v", "-fps_mode", "passthrough", "-f", "framehash", "-hash", "sha256", "-"]
        let text = try await Shell.ffmpeg(threads + ["-i", path] + output)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// - Parameter count: of the assets a0, a1, …; nil is one, a.
    static func text(_ clips: [String], _ movie: TestMovie, _ count: Int? = nil) throws -> String {
        let size = try #require(movie.facts.defaultVideo?.displaySize)
        let assets = count.map { (0..<$0).map { "\"a\($0)\": \"a\($0)\"" } } ?? ["\"a\": \"a\""]
        return """
            { "schema": "edit/1", "format": { "size": [\(size.width), \(size.height)], "frameRate": "25" },
              "assets": { \(assets.joined(separator: ", ")) },
              "tracks": [{ "kind": "video", "segments": [ \(clips.joined(separator: ", ")) ] }],
              "outputs": [{ "preset": "match" }] }
            """
    }
}
