import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Copies that begin at intra pictures of open groups: what is decoded of them is what ffmpeg decodes of the source.
@Suite struct OpenGroupTests {
    /// x264's parameters, and the file that holds the stream.
    struct Kind: Sendable, CustomTestStringConvertible {
        let file: String
        let parameters: String
        var testDescription: String { "\(parameters) in \(file)" }
    }

    static let kinds = [
        Kind(file: "a.mp4", parameters: "bframes=4:b-pyramid=normal:b-adapt=0:ref=4"),
        Kind(file: "b.mkv", parameters: "bframes=3:b-pyramid=strict:ref=3:cabac=0"),
        Kind(file: "c.ts", parameters: "bframes=2:b-pyramid=none:ref=1:slices=4"),
        Kind(file: "d.mp4", parameters: "bframes=5:b-pyramid=normal:ref=8:weightp=2:weightb=1"),
        Kind(file: "e.mov", parameters: "bframes=3:ref=2:direct=temporal:weightb=1:cabac=0:slices=3"),
        Kind(file: "f.mkv", parameters: "bframes=8:b-pyramid=normal:ref=6:direct=temporal:b-adapt=2"),
        Kind(file: "g.ts", parameters: "bframes=1:ref=5:weightp=1"),
        Kind(file: "h.mp4", parameters: "bframes=0:ref=3"),
        Kind(file: "i.mp4", parameters: "bframes=3:fake-interlaced=1:ref=4"),
    ]

    private static let frames = 240

    private func make(_ kind: Kind, frames: Int = frames, in folder: TemporaryFolder) async throws -> TestMovie {
        let picture = "testsrc2=s=160x96:r=25,noise=alls=12:allf=t:all_seed=9"
        let parameters = kind.parameters + ":keyint=24:min-keyint=24:scenecut=0:open-gop=1"
        return try await TestMovie.make(
            kind.file,
            in: folder,
            ["-f", "lavfi", "-i", picture, "-frames:v", "\(frames)", "-c:v", "libx264", "-preset", "medium"]
                + ["-crf", "30", "-pix_fmt", "yuv420p", "-x264-params", parameters] + TestPattern.bt709
        )
    }

    /// Each entry but the stream's own start, and ends where they fall.
    @Test(arguments: kinds) func copiesBeginAtOpenGroups(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let movie = try await make(kind, in: folder)
        let hashes = try await StitchedMovie(path: movie.path).frameHashes()
        let stretch = try #require(movie.facts.defaultVideo?.copy?.stretches.first)
        #expect(stretch.entries.frames.count >= 10 && stretch.frames.count == Self.frames, "\(stretch)")
        var random = SplitMix(seed: 5)
        var clips: [String] = []
        for entry in stretch.entries.frames where entry > 0 {
            let start = max(1, entry - Int64.random(in: 0...6, using: &random))
            let end = min(Int64(Self.frames), entry + Int64.random(in: 14...90, using: &random))
            clips.append("{ \"asset\": \"a\", \"in\": \"\(start)f\", \"duration\": \"\(end - start)f\" }")
        }
        let edit = try PlannedEdit(CopyCutList.text(clips: clips, of: "a"), ["a": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        let found = try await copied.frameHashes()
        #expect(found.count == Int(plan.frameCount))
        #expect(try await copied.decoderMessages() == "")
        let spans = plan.copiedSpans
        #expect(spans.filter { $0.sourceFrame > 0 }.count >= clips.count - 1, "\(spans)")
        for span in spans {
            let wanted = hashes[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
            #expect(Array(found[Int(span.frames.start)..<Int(span.frames.end)]) == Array(wanted), "\(span)")
        }
    }

    /// A stream that begins at an open group, as one that was cut out of another: what stands before the first IDR
    /// picture is not shown, or encoded.
    @Test(arguments: ["cut.ts", "cut.mp4"]) func aStreamThatBeginsAtAnOpenGroup(file: String) async throws {
        let folder = try TemporaryFolder()
        let whole = try await make(Self.kinds[0], in: folder)
        // Parameter sets stand before each key picture of a transport stream, not before IDR pictures alone.
        let filter = file.hasSuffix("ts") ? ["-bsf:v", "h264_mp4toannexb,dump_extra=freq=keyframe"] : []
        let cut = ["-ss", "1.9", "-i", whole.path, "-c", "copy"] + filter
        let movie = try await TestMovie.make(file, in: folder, cut)
        let hashes = try await StitchedMovie(path: movie.path).frameHashes()
        let video = try #require(movie.facts.defaultVideo)
        let stretch = try #require(video.copy?.stretches.first, "\(String(describing: video.copy))")
        let last = Int64(hashes.count) - 20
        let clip = "{ \"asset\": \"a\", \"in\": \"0f\", \"duration\": \"\(last)f\" }"
        let edit = try PlannedEdit(CopyCutList.text(clips: [clip], of: "a"), ["a": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        let found = try await copied.frameHashes()
        #expect(try await copied.decoderMessages() == "")
        #expect(found.count == Int(last) && Int64(hashes.count) == video.frameCount)
        #expect(stretch.frames.count > 120 && !plan.copiedSpans.isEmpty)
        for span in plan.copiedSpans {
            let wanted = hashes[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
            #expect(Array(found[Int(span.frames.start)..<Int(span.frames.end)]) == Array(wanted), "\(span)")
        }
    }

    /// A stream of open groups has one IDR picture, its first: where it is copied whole, the copy begins anew at an entry
    /// of each 250 frames, so that players need not decode from the start of the movie to show its end.
    @Test func aLongCopyCanBeSought() async throws {
        let folder = try TemporaryFolder()
        let movie = try await make(Self.kinds[0], frames: 800, in: folder)
        let hashes = try await StitchedMovie(path: movie.path).frameHashes()
        let clip = #"{ "asset": "a", "in": "0f", "duration": "800f" }"#
        let edit = try PlannedEdit(CopyCutList.text(clips: [clip], of: "a"), ["a": movie], preset: nil, copies: true)
        let plan = try edit.plan(nil)
        let copied = try await edit.copiedMovie(plan, in: folder, name: "out.mp4")
        let list = ["-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", copied.path]
        let text = try await Shell.run("ffprobe", ["-v", "error"] + list).text
        let flags = text.split(separator: "\n").map { $0.hasPrefix("K") }
        let keys = flags.indices.filter { flags[$0] } + [flags.count]
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 250 + 24 }, "\(keys)")
        let found = try await copied.frameHashes()
        #expect(found.count == 800)
        #expect(plan.copiedSpans.reduce(0) { $0 + $1.frames.count } >= 800 - 4 * 4)
        for span in plan.copiedSpans {
            let wanted = hashes[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
            #expect(Array(found[Int(span.frames.start)..<Int(span.frames.end)]) == Array(wanted), "\(span)")
        }
    }

    /// An intra picture at a cut of the scene is no entry where pictures behind it may refer to what came before; with a
    /// single reference none can, and it is one. Intra refresh has one entry, its first picture.
    @Test(arguments: [
        ("ref=4:keyint=250:min-keyint=100:scenecut=40", [0]), ("ref=1:keyint=250:min-keyint=100:bframes=0", [0, 40]),
        ("keyint=30:intra-refresh=1:scenecut=0", [0]),
    ])
    func intraPicturesAloneAreNoEntries(parameters: String, entries: [Int64]) async throws {
        let folder = try TemporaryFolder()
        let scenes = [
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1.6", "-f", "lavfi", "-i", "mandelbrot=s=160x96:r=25",
        ]
        let movie = try await TestMovie.make(
            "a.mp4",
            in: folder,
            scenes + ["-filter_complex", "[0][1]concat", "-frames:v", "90", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
                + ["-x264-params", parameters]
        )
        #expect(movie.facts.defaultVideo?.copy?.stretches.map(\.entries.frames) == [entries])
        let types = ["-v", "error", "-show_entries", "frame=pict_type", "-of", "csv=p=0", movie.path]
        let intra = try await Shell.run("ffprobe", types).text.split(separator: "\n").enumerated().filter {
            $0.element.hasPrefix("I")
        }
        #expect(intra.map(\.offset) == (parameters.contains("refresh") ? [0] : [0, 40]))
    }
}
