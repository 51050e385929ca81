import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing

@Suite struct SegmentRendererTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func packets(_ path: String) throws -> [CodedPacket] {
        let reader = try PacketFileReader(path: path)
        var packets: [CodedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return packets
    }

    @Test func aSegmentHasItsFramesAndBeginsWithAKeyframe() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let paths = try edit.render([0..<20, 20..<55, 55..<62], in: folder)
        for (path, count) in zip(paths, [20, 35, 7] as [Int64]) {
            let packets = try packets(path)
            #expect(packets.map(\.displayIndex).sorted() == Array(0..<count))
            #expect(packets.first?.isKey == true)
            #expect(packets.first?.displayIndex == 0)
            #expect(packets.map(\.decodeIndex) == Array(0..<count))
        }
    }

    @Test func theSameTaskGivesTheSameBytes() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let first = try edit.render([10..<40], in: folder, name: "first")
        let second = try edit.render([10..<40], in: folder, name: "second")
        let bytes = try (first + second).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let areEqual = bytes[0] == bytes[1]
        #expect(areEqual)
    }

    /// The post-roll reaches the encoder: with it the last frames are coded otherwise, and none of its packets is kept.
    @Test func thePostRollChangesOnlyHowTheEndIsCoded() async throws {
        var edit = try await TestTimeline.example(encoding: .testH264)
        let with = try packets(edit.render([0..<30], in: folder, name: "with")[0])
        edit.encoding.postRoll = 0
        let without = try packets(edit.render([0..<30], in: folder, name: "without")[0])
        #expect(with.count == without.count)
        #expect(with.first?.data == without.first?.data)
        #expect(with.map(\.data) != without.map(\.data))
    }

    /// The planner's segments are coded as by an encoder that sees the edit's own pictures behind their end: up to a cut,
    /// through a dissolve, and none at the end of the edit.
    @Test func thePostRollShowsTheEditsOwnPictures() async throws {
        let movies = try await ExampleMovies.shared.movies(rate: "25/1")
        let text = """
            { "schema": "edit/1",
              "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a", "b": "b" },
              "tracks": [ { "kind": "video", "sound": false, "segments": [
                { "asset": "a", "duration": "24f" }, { "asset": "b", "duration": "24f" },
                { "transition": "dissolve", "duration": "9f" }, { "asset": "a", "in": "1s", "duration": "21f" } ] } ] }
            """
        let edit = try PlannedEdit(text, ["a": movies[0], "b": movies[1]], preset: "h264")
        let whole = try #require(try edit.plan(1).segments.first?.task)
        let segments = try edit.plan(3).segments
        #expect(segments.map(\.task.frameCount) == [20, 20, 20])
        #expect(segments.map(\.task.postRollCount) == [4, 20, 0])
        for (number, segment) in segments.enumerated() {
            let path = folder.path("segment-\(number)")
            let sources = try edit.sources(of: segment.task.assets)
            _ = try SegmentRenderer.render(segment.task, sources: sources, to: path) { _ in }
            let rendered = try SegmentOracle.packets(path)
            let all = { try edit.sources(of: whole.assets) }
            #expect(try rendered == SegmentOracle.packets(of: segment, whole: whole, sources: all))
            // Other pictures there are other packets here.
            guard segment.task.postRollCount > 0 else { continue }
            let black = try Picture.make(320, 180) { plane, _, _ in plane == 0 ? 16 : 128 }
            let other = try SegmentOracle.packets(of: segment, whole: whole, sources: all) { _ in black }
            #expect(rendered != other, "segment \(number)")
        }
    }

    /// Recorded digests are those of ffmpeg's decode of the same packets.
    @Test func digestsAreThoseOfTheDecodedFrames() async throws {
        let edit = try await TestTimeline.example(encoding: .testLossless)
        let ranges: [Range<Int64>] = [0..<62]
        let parts = try edit.render(ranges, in: folder)
        let movie = folder.path("movie.mkv")
        _ = try Stitcher.stitch(edit.stitchTask(ranges), parts: parts, sounds: [], to: movie) { _ in }
        let hashes = try await StitchedMovie(path: movie).frameHashes()
        let digests = try PacketFileReader(path: parts[0]).summary.digests
        #expect(digests.map(\.displayIndex) == Array(0..<16) + [61])
        for frame in digests { #expect(frame.digest.hex == hashes[Int(frame.displayIndex)]) }
    }

    @Test func progressRisesToAThousand() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        var seen: [Int] = []
        let sources = try edit.movies.map { try $0.source() }
        _ = try SegmentRenderer.render(edit.task(0..<30), sources: sources, to: folder.path("part")) { seen.append($0) }
        #expect(seen == seen.sorted())
        #expect(seen.last == 1000)
        #expect(Set(seen).count > 20)
    }

    @Test func aSegmentOfOneFrameIsRendered() async throws {
        let edit = try await TestTimeline.example(encoding: .testH264)
        let packets = try packets(edit.render([61..<62], in: folder)[0])
        #expect(packets.count == 1)
        #expect(packets.first?.isKey == true)
    }

    @Test func aFullDiskIsSaidInOneSentence() async throws {
        let edit = try await TestTimeline.example()
        let sources = try edit.movies.map { try $0.source() }
        #expect { try SegmentRenderer.render(edit.task(0..<5), sources: sources, to: "/dev/full") { _ in } } throws: {
            ($0 as? RenderError)?.failure.code == "no_space"
        }
    }

    @Test(arguments: [(0, 0), (-1, 10), (11, 10), (8, 10), (0, 1 << 40)] as [(Int64, Int64)])
    func aDissolveThatEndsBeforeItsInstructionIsRefused(firstStep: Int64, steps: Int64) async throws {
        var edit = try await TestTimeline.example()
        edit.instructions[1].layers[0].transition = TransitionRamp(firstStep: firstStep, steps: steps)
        #expect { try edit.render([15..<25], in: folder) } throws: {
            ($0 as? RenderError)?.failure.code == "invalid_task"
        }
    }

    @Test func aMissingSourceIsRefused() async throws {
        let edit = try await TestTimeline.example()
        #expect {
            try SegmentRenderer.render(edit.task(0..<5), sources: [], to: folder.path("part")) { _ in }
        } throws: {
            ($0 as? RenderError)?.failure.code == "invalid_task"
        }
    }
}
