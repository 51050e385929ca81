import Bitstream
import CompositionModel
import Foundation
import Media
import Planning
import TestSupport
import Testing
import Timing

/// Movies of the preset `match`: copied frames beside encoded ones in the raster, the container and the quality of the
/// source that they follow.
@Suite struct MatchedMovieTests {
    /// A source of 130 frames, and how it is shown.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let coded: PictureSize
        let shown: PictureSize
        var rotation = 0
        var aspect = "1:1"
        var profile = H264Profile.high

        var testDescription: String { name }
    }

    static let kinds = [
        Kind(name: "90.mp4", coded: size(160, 96), shown: size(96, 160), rotation: 90),
        Kind(name: "180.mov", coded: size(160, 96), shown: size(160, 96), rotation: 180),
        Kind(name: "270.mov", coded: size(160, 96), shown: size(96, 160), rotation: 270),
        Kind(name: "wide.mp4", coded: size(180, 144), shown: size(256, 144), aspect: "64:45"),
        Kind(name: "wide.mkv", coded: size(180, 144), shown: size(256, 144), aspect: "64:45"),
        Kind(name: "main.mp4", coded: size(160, 96), shown: size(160, 96), profile: .main),
        Kind(name: "baseline.mp4", coded: size(160, 96), shown: size(160, 96), profile: .baseline),
        Kind(name: "plain.ts", coded: size(160, 96), shown: size(160, 96)),
        Kind(name: "turned wide.mp4", coded: size(144, 96), shown: size(96, 192), rotation: 90, aspect: "4:3"),
    ]

    private static func size(_ width: Int, _ height: Int) -> PictureSize { PictureSize(width: width, height: height) }

    private func make(_ kind: Kind, in folder: TemporaryFolder) async throws -> TestMovie {
        let picture = "testsrc2=s=\(kind.coded.width)x\(kind.coded.height):r=25,noise=alls=6:allf=t:all_seed=4"
        let shape = "setsar=\(kind.aspect.replacingOccurrences(of: ":", with: "/"))"
        let sound = ["-f", "lavfi", "-i", "sine=300:r=48000", "-c:a", "aac", "-ac", "2", "-t", "5.2"]
        let coding =
            ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-g", "25", "-bf", "2"]
            + ["-profile:v", kind.profile.rawValue]
        let upright = try await TestMovie.make(
            kind.rotation == 0 ? kind.name : "upright " + kind.name,
            in: folder,
            ["-f", "lavfi", "-i", "\(picture),\(shape)"] + sound + ["-pix_fmt", "yuv420p", "-frames:v", "130"] + coding
                + TestPattern.bt709
        )
        guard kind.rotation != 0 else { return upright }
        return try await TestMovie.make(
            kind.name,
            in: folder,
            ["-i", upright.path, "-c", "copy", "-metadata:s:v:0", "rotate=\(360 - kind.rotation)"]
        )
    }

    private static let clips = """
        { "asset": "a", "in": "13f", "duration": "70f" },
        { "asset": "a", "in": "30f", "duration": "80f", "opacity": 0.5 },
        { "asset": "a", "in": "60f", "duration": "60f" }
        """

    private func edit(_ kind: Kind, _ movie: TestMovie, _ clips: String = clips) throws -> PlannedEdit {
        let text = """
            { "schema": "edit/1",
              "format": { "size": [\(kind.shown.width), \(kind.shown.height)], "frameRate": "25", "sampleRate": 48000 },
              "assets": { "a": "a" },
              "tracks": [
                { "kind": "video", "segments": [ \(clips) ] } ],
              "outputs": [{ "preset": "match" }] }
            """
        return try PlannedEdit(text, ["a": movie], preset: nil)
    }

    /// The output is turned and shaped as its source; copied frames are the source's, encoded ones are what is
    /// composited, upright and not stretched.
    @Test(arguments: kinds) func theOutputLiesAsItsSource(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let source = try await make(kind, in: folder)
        let edit = try edit(kind, source)
        let plan = try edit.plan(2)
        let wanted = kind.name.hasSuffix(".ts") ? "mp4" : String(kind.name.suffix(3))
        #expect(plan.output.fileExtension == wanted)
        let movie = try await edit.copiedMovie(plan, in: folder, name: "out." + wanted, hasSound: true)
        // PCM in Matroska names no loudspeakers.
        let messages = try await movie.decoderMessages().split(separator: "\n")
        #expect(messages.filter { !$0.contains("Guessed Channel Layout") } == [])
        let facts = try TestMovie(path: movie.path).facts
        let (own, video) = (try #require(source.facts.defaultVideo), try #require(facts.defaultVideo))
        #expect(video.orientation == own.orientation && own.orientation.degrees == kind.rotation)
        #expect(video.pixelAspect == own.pixelAspect && video.displaySize == kind.shown)
        #expect(facts.brand == source.facts.brand || wanted != "mov")
        let found = try await movie.stream("v:0", ["sample_aspect_ratio", "width", "height"])
        #expect(found["width"] == "\(kind.coded.width)" && found["height"] == "\(kind.coded.height)")
        #expect(found["sample_aspect_ratio"] == kind.aspect, "\(found)")
        // Copied and encoded pictures have the source's profile.
        let record = try AVCConfiguration([UInt8](try #require(video.copy?.forms.first).configuration)[...])
        #expect(record.sps.allSatisfy { $0.dropFirst().first == UInt8(kind.profile.number) } && !record.sps.isEmpty)
        for sps in try H264ParameterSets(record).sps.values {
            let ratio = sps.vui?.aspectRatio?.ratio.map { "\($0.width):\($0.height)" }
            #expect(ratio == kind.aspect)
        }
        let (hashes, sources) = (
            try await movie.frameHashes(), try await StitchedMovie(path: source.path).frameHashes()
        )
        #expect(hashes.count == 210 && plan.copiedSpans.count == 2)
        for span in plan.copiedSpans {
            let shown = sources[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
            #expect(Array(hashes[Int(span.frames.start)..<Int(span.frames.end)]) == Array(shown), "\(span)")
        }
        try await checkEncoded(edit, kind, plan, movie)
    }

    /// Upright and not stretched as ffmpeg shows them; it turns chroma without minding where that is, so that this is
    /// about luma. With their chroma as an edit shows them that has the movie as its source.
    private func checkEncoded(
        _ edit: PlannedEdit,
        _ kind: Kind,
        _ plan: RenderPlan,
        _ movie: StitchedMovie
    ) async throws {
        let scale = ["-vf", "scale=\(kind.shown.width):\(kind.shown.height):flags=bicubic"]
        let decoded = try await RawPictures(movie.path, size: kind.shown, scale)
        let clip = #"{ "asset": "a", "in": "0f", "duration": "210f" }"#
        let again = try self.edit(kind, TestMovie(path: movie.path), clip).frames()
        let composited = try edit.frames()
        let luma = kind.shown.width * kind.shown.height
        for frame in composited.indices where !plan.copiedSpans.contains(where: { $0.frames.contains(Int64(frame)) }) {
            let wanted = composited[frame]
            let error = decoded[frame].prefix(luma).squaredError(from: wanted.prefix(luma))
            #expect(error < 60, "frame \(frame)")
            #expect(again[frame].squaredError(from: wanted) < 60, "frame \(frame)")
        }
    }

    /// Untouched frames that are encoded, because they stand between a cut and a key picture, are encoded from the
    /// pictures as they were decoded, neither turned nor scaled: 42 dB, with at most 1.5 times the bytes of the source's.
    @Test(arguments: kinds) func encodedFramesBesideCopiesAreNearTheSource(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let source = try await make(kind, in: folder)
        let edit = try edit(kind, source)
        let plan = try edit.plan(1)
        let movie = try await edit.copiedMovie(plan, in: folder, name: "out.\(plan.output.fileExtension)")
        // As they are coded.
        let raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-fps_mode", "passthrough", "-"]
        let found = try await Shell.ffmpeg(["-noautorotate", "-i", movie.path, "-an"] + raw)
        let shown = try await Shell.ffmpeg(["-noautorotate", "-i", source.path, "-an"] + raw)
        let length = kind.coded.width * kind.coded.height * 3 / 2
        #expect(found.count == 210 * length && shown.count == 130 * length)
        let touched = FrameRange(start: 70, count: 80)
        let (sizes, sourceSizes) = (
            try await movie.packetSizes(), try await StitchedMovie(path: source.path).packetSizes()
        )
        var errors: [Double] = []
        var bytes = 0
        for frame in 0..<210 where !touched.contains(Int64(frame)) {
            guard !plan.copiedSpans.contains(where: { $0.frames.contains(Int64(frame)) }) else { continue }
            let own = frame < 70 ? frame + 13 : frame - 150 + 60
            let picture = [UInt8](found[frame * length..<(frame + 1) * length])
            let error = picture.squaredError(from: [UInt8](shown[own * length..<(own + 1) * length]))
            errors.append(error)
            bytes += sizes[frame]
        }
        // 10 · log10(255² / 4.1) = 42 dB.
        let mean = errors.reduce(0, +) / Double(max(errors.count, 1))
        #expect(errors.count > 20 && mean < 4.1 && errors.allSatisfy { $0 < 6.5 }, "\(mean)")
        let share = Double(bytes) / Double(errors.count) * 130 / Double(sourceSizes.reduce(0, +))
        #expect(sizes.count == 210 && share < 1.5, "\(share)")
    }
}
