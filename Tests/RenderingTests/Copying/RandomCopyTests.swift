import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Seeded cut lists over sources of all kinds: what ffmpeg decodes of a copied frame is, bit for bit, what it decodes of
/// the source's; every other frame is the composited one; every count is exact, for any program that reads the file.
@Suite struct RandomCopyTests {
    private static let seeds = TestSeeds.asked(usual: 20, thorough: 300)

    /// Cut lists of sources of all kinds, with a dissolve, a title, another speed, a second picture or a gap here and
    /// there.
    @Test func randomCutLists() async throws {
        let folder = try TemporaryFolder()
        var movies: [CopySource: (movie: TestMovie, hashes: [String])] = [:]
        var tally = CopyTally()
        for seed in Self.seeds {
            let list = CopyCutList(seed: seed)
            for (number, source) in CopySource.all.enumerated()
            where source.raster == list.raster && movies[source] == nil {
                let movie = try await source.make(in: folder, seed: number)
                movies[source] = (movie, try await StitchedMovie(path: movie.path).frameHashes())
            }
            let own = movies.filter { $0.key.raster == list.raster }
            let names = Dictionary(uniqueKeysWithValues: own.map { ($0.key.asset, $0.value.movie) })
            let edit = try PlannedEdit(list.text, names, preset: nil, copies: list.raster == .square)
            let plan = try edit.plan(nil)
            let name = "\(seed).\(plan.output.fileExtension)"
            let movie = try await edit.copiedMovie(plan, in: folder, name: name, hasSound: true)
            let hashes = try await movie.frameHashes()
            for span in plan.copiedSpans {
                let source = try #require(own.first { edit.digest(of: $0.value.movie) == span.digest })
                tally.count(span: span.frames.count, of: source.key.name)
                let wanted = source.value.hashes[Int(span.sourceFrame)..<Int(span.sourceFrame + span.frames.count)]
                let found = hashes[Int(span.frames.start)..<Int(span.frames.end)]
                #expect(Array(found) == Array(wanted), "seed \(seed): \(span)")
            }
            tally.count(frames: plan.frameCount, segments: plan.segments.count)
            try await checkFile(movie, plan, hashes, in: folder, "seed \(seed)")
            try await checkEncoded(edit, plan, movie, list.raster, "seed \(seed)")
            try folder.remove(where: { $0.hasPrefix("\(seed).") })
        }
        print(tally)
        guard Self.seeds.count >= 20 else { return }
        for source in CopySource.all where source.copying == .none { #expect(tally.copied[source.name] == nil) }
        guard Self.seeds.count >= 100 else { return }
        for source in CopySource.all where source.copying == .most {
            #expect(tally.copied[source.name, default: 0] > 0, "\(source.name)")
        }
    }

    /// Every frame and every sample is there, at its time; other programs read the same; nothing is lost when the
    /// packets are copied into other containers.
    private func checkFile(
        _ movie: StitchedMovie,
        _ plan: RenderPlan,
        _ hashes: [String],
        in folder: TemporaryFolder,
        _ what: String
    ) async throws {
        let count = Int(plan.frameCount)
        #expect(hashes.count == count, "\(what)")
        let messages = try await movie.decoderMessages().split(separator: "\n")
        // PCM in Matroska names no loudspeakers.
        #expect(messages.filter { !$0.contains("Guessed Channel Layout") } == [], "\(what)")
        let packets = try await movie.packets()
        #expect(packets.map(\.pts).sorted() == Array(0..<count), "\(what)")
        let times = packets.compactMap(\.dts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(what)")
        let stream = try await movie.stream("v:0", ["nb_read_packets", "profile", "width", "height", "start_time"])
        let info = try await movie.mediaInfo()
        #expect(stream["nb_read_packets"] == "\(count)" && info["FrameCount"] == "\(count)", "\(what): \(info)")
        // Of HEVC with several sequence parameter sets mediainfo says profile, level and tier together.
        let profile = info["Format_Profile"]?.split(separator: "@").first.map(String.init)
        #expect(stream["profile"] == profile, "\(what): \(info)")
        #expect(stream["width"] == info["Width"] && stream["height"] == info["Height"], "\(what): \(info)")
        #expect(info["Duration"].flatMap(Double.init) == Double(count) / 25, "\(what): \(info)")
        #expect(info["FrameRate"] == "25.000" && info["FrameRate_Mode"] != "VFR", "\(what): \(info)")
        #expect(stream["start_time"].flatMap(Double.init) == 0, "\(what)")
        if plan.output.container.isISOMedia {
            let samples = try await movie.stream("a:0", ["duration_ts", "start_time"])
            #expect(samples["duration_ts"] == "\(plan.stitchTask().sampleCount)", "\(what)")
            #expect(samples["start_time"].flatMap(Double.init) == 0, "\(what)")
        }
        for copy in try await movie.remuxed(in: folder) {
            #expect(try await copy.frameHashes() == hashes, "\(what): \(copy.path)")
        }
    }

    /// Encoded frames are the composited ones, and no others: nearer to their own picture than to its neighbours. Where
    /// ffmpeg turns and scales them, that is about luma: it does not mind where chroma is.
    private func checkEncoded(
        _ edit: PlannedEdit,
        _ plan: RenderPlan,
        _ movie: StitchedMovie,
        _ raster: CopySource.Raster,
        _ what: String
    ) async throws {
        let size = edit.composition.format.size
        let scale = raster.isPlain ? [] : ["-vf", "scale=\(size.width):\(size.height):flags=bicubic"]
        let decoded = try await RawPictures(movie.path, size: size, scale)
        let composited = try edit.frames()
        let length = raster.isPlain ? size.width * size.height * 3 / 2 : size.width * size.height
        let spans = plan.copiedSpans
        for frame in composited.indices where !spans.contains(where: { $0.frames.contains(Int64(frame)) }) {
            let own = decoded[frame].prefix(length).squaredError(from: composited[frame].prefix(length))
            #expect(own < 120, "\(what), frame \(frame)")
        }
    }

    /// At a clip's tail no more frames are encoded than B pictures stand between two others: at most 4 with the usual
    /// settings.
    @Test(arguments: CopySource.all.filter { $0.copying == .most && $0.raster == .square })
    func tailsAreShort(source: CopySource) async throws {
        let folder = try TemporaryFolder()
        let movie = try await source.make(in: folder, seed: 5)
        var random = SplitMix(seed: 11)
        for _ in 0..<40 {
            let start = random.below(source.frames - 60)
            let count = 40 + random.below(source.frames - start - 40)
            let clip = "{ \"asset\": \"\(source.asset)\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\" }"
            let text = CopyCutList.text(tracks: [CopyCutList.track("video", [clip])], [(source.asset, source.file)])
            let edit = try PlannedEdit(text, [source.asset: movie], preset: nil, copies: true)
            let plan = try edit.plan(1)
            guard let last = plan.copiedSpans.last else { continue }
            #expect(plan.frameCount - last.frames.end <= source.longestTail, "\(start), \(count)")
        }
    }
}
