import CompositionModel
import Foundation
import Planning
import Rendering
import Sandbox
import TestSupport
import Testing
import Timing
import WireProtocol

/// Movies of thousands of parts: whatever their number, few files are open at a time, and little memory is taken.
@Suite(.serialized) struct StitchScaleTests {
    private static let mostFiles = 64
    private static let mostBytes: Int64 = 200 << 20

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["parts", "out"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
    }

    /// Joins in a child that may have ``mostFiles`` files open, and ``mostBytes`` of memory of its own. What it says of its
    /// largest memory counts that of this process too, from which it was forked.
    private func stitch(_ task: StitchTask, parts: [String]) async throws -> StitchedMovie {
        let limits = "--nofile=\(Self.mostFiles) --data=\(Self.mostBytes)"
        let words = "#!/bin/sh\nexec /usr/bin/prlimit \(limits) '\(Programs.render)' \"$@\"\n"
        let process = RenderProcess(executable: try folder.program("limited", words))
        let movie = folder.path("out/movie." + task.container.fileExtension)
        let outcome = try await process.run(
            .stitch(StitchRequest(task: task, pictureParts: parts, soundParts: [], output: movie)),
            readable: [folder.path("parts")],
            writable: [folder.path("out")]
        )
        #expect(outcome.result == .artifact(unitCount: task.frameCount))
        print("\(parts.count) parts, \(task.frameCount) frames: CPU \(outcome.statistics.cpuMilliseconds) ms")
        return StitchedMovie(path: movie)
    }

    @Test func tenThousandParts() async throws {
        var edit = try await TestTimeline.example(encoding: .testH264)
        edit.size = PictureSize(width: 64, height: 48)
        let part = try edit.render([0..<4], in: folder, name: "parts/one")[0]
        let count: Int64 = 10_000
        edit.frameCount = 4 * count
        // Each is a file of its own.
        let parts = try (0..<count).map { number in
            let path = folder.path("parts/\(number)")
            try FileManager.default.linkItem(atPath: part, toPath: path)
            return path
        }
        let ranges = (0..<count).map { $0 * 4..<($0 + 1) * 4 }
        let movie = try await stitch(try edit.stitchTask(ranges, container: .mp4), parts: parts)
        let stream = try await movie.stream("v", ["nb_frames"])
        #expect(stream["nb_frames"] == "40000")
    }

    /// Copied spans of a hundred files, which share 30 kinds of parameter sets: all that one sample entry holds.
    @Test func thousandsOfCopiedSpans() async throws {
        let (kinds, sourceCount, clipCount) = (30, 100, TestSeeds.isThorough ? 5000 : 400)
        var movies: [String: TestMovie] = [:]
        var hashes: [[String]] = []
        for kind in 0..<kinds {
            let movie = try await make(kind)
            hashes.append(try await StitchedMovie(path: movie.path).frameHashes())
            for source in stride(from: kind, to: sourceCount, by: kinds) {
                let path = folder.path("source-\(source).mp4")
                try FileManager.default.copyItem(atPath: movie.path, toPath: path)
                movies["s\(source)"] = try TestMovie(path: path)
            }
        }
        // Groups of 20 frames, so that a clip from one on is copied wholly.
        var random = SplitMix(seed: 9)
        let clips = (0..<clipCount).map { number in
            (source: number % sourceCount, start: 20 * random.below(4), count: 20)
        }
        let items = clips.map { "{ \"asset\": \"s\($0.source)\", \"in\": \"\($0.start)f\", \"duration\": \"20f\" }" }
        let edit = try PlannedEdit(text(items, sourceCount), movies, preset: nil, copies: true)
        let found = try edit.plan(nil)
        #expect(found.copiedSpans.count == clipCount && found.encoded == [])
        let parts = try found.segments.enumerated().map { number, segment in
            let path = folder.path("parts/copied-\(number)")
            _ = try SegmentRenderer.render(segment.task, sources: edit.sources(of: segment.task.assets), to: path) {
                _ in
            }
            return path
        }
        var task = found.stitchTask()
        task.hasSound = false
        let movie = try await stitch(task, parts: parts)
        let wanted = clips.flatMap { hashes[$0.source % kinds][$0.start..<$0.start + $0.count] }
        let isEqual = try await movie.frameHashes() == wanted
        #expect(isEqual)
        #expect(try await movie.decoderMessages() == "")
    }

    /// 80 frames with other parameter sets than every other kind has.
    private func make(_ kind: Int) async throws -> TestMovie {
        let pattern = "testsrc2=s=64x48:r=25,hue=h=\(kind * 12),noise=alls=8:allf=t:all_seed=\(kind)"
        // SPS differ by the number of references, PPS by CABAC, weights and the quantisers' offset.
        let settings =
            "keyint=20:scenecut=0:bframes=2:ref=\(1 + kind % 5):cabac=\(kind / 5 % 2)"
            + ":chroma-qp-offset=\(kind / 10 - 1)"
        return try await TestMovie.make(
            "kind-\(kind).mp4",
            in: folder,
            ["-f", "lavfi", "-i", pattern, "-frames:v", "80", "-c:v", "libx264", "-preset", "veryfast", "-crf", "30"]
                + ["-x264-params", settings, "-pix_fmt", "yuv420p"] + TestPattern.bt709
        )
    }

    private func text(_ items: [String], _ sourceCount: Int) -> String {
        let assets = (0..<sourceCount).map { "\"s\($0)\": \"s\($0)\"" }.joined(separator: ", ")
        return """
            { "schema": "edit/1", "format": { "size": [64, 48], "frameRate": "25", "sampleRate": 48000 },
              "assets": { \(assets) },
              "tracks": [{ "kind": "video", "segments": [ \(items.joined(separator: ",\n")) ] }],
              "outputs": [{ "preset": "h264" }] }
            """
    }
}
