import CompositionModel
import Media
import Planning
import Timing

/// The open readers of a task's sources: one for each clip that is on screen, and a few that may be needed again.
final class SourcePictures {
    private struct Open {
        let reader: any TimedPictures
        var lastFrame: Int64
    }

    /// Open readers beside those that the current frame needs: each holds a decoder with its reference pictures.
    private static let spareLimit = 2

    private let sources: [RenderSource]
    private let assets: [ContentDigest]
    private let nested: any NestedEdits
    private let color: ColorDescription
    private let frameRate: FrameRate
    private var open: [Playback: Open] = [:]
    /// Source time of the first picture that was shown damaged, by the asset's position.
    private(set) var concealed: [Int: RationalTime] = [:]

    /// - Parameters:
    ///   - sources: in the order of `task.assets`.
    ///   - nested: opens the edits nested in the task.
    init(task: PictureTask, sources: [RenderSource], nested: any NestedEdits) {
        self.sources = sources
        assets = task.assets
        color = task.color
        frameRate = task.frameRate
        self.nested = nested
    }

    /// Facts of `playback`'s stream.
    /// - Throws: ``RenderError`` `unknown_stream`.
    func facts(of playback: Playback) throws(RenderError) -> VideoStreamFacts {
        if playback.isNested { return try nested.facts(of: playback.asset) }
        guard sources.indices.contains(playback.asset),
            let facts = sources[playback.asset].facts.video.first(where: { $0.streamIndex == playback.stream })
        else {
            throw RenderError(
                "unknown_stream",
                "Source \(playback.asset) has no picture stream \(playback.stream).",
                isPermanent: true
            )
        }
        return facts
    }

    /// The picture of `playback` at source time `time`. The readers of ``FrameContext/playing`` stay open.
    /// - Throws: ``RenderError``, which names the asset where its bytes are at fault.
    func picture(of playback: Playback, at time: RationalTime, in context: FrameContext) throws -> Picture {
        let reader =
            if let known = open[playback]?.reader { known } else { try take(for: playback, context.playing) }
        open[playback] = Open(reader: reader, lastFrame: context.frame)
        do {
            return try reader.picture(at: time, direction: playback.isBackwards(in: context) ? .backwards : .forwards)
        } catch let error as MediaError where !playback.isNested {
            throw RenderError(error, of: assets[playback.asset])
        }
    }

    /// Closes the reader of what is not asked for again.
    func close(_ playback: Playback) { open[playback] = nil }

    /// An idle reader of the same stream, else a new one.
    private func take(for playback: Playback, _ playing: Set<Playback>) throws -> any TimedPictures {
        let idle = open.filter { !playing.contains($0.key) }.sorted { $0.value.lastFrame > $1.value.lastFrame }
        if let same = idle.first(where: { playback.canTakeReader(of: $0.key) }) {
            open[same.key] = nil
            return same.value.reader
        }
        for spare in idle.dropFirst(SourcePictures.spareLimit - 1) { open[spare.key] = nil }
        return try reader(for: playback)
    }

    private func reader(for playback: Playback) throws -> any TimedPictures {
        let facts = try facts(of: playback)
        let pictures = try pictures(of: playback, facts)
        guard playback.blending != nil else { return pictures }
        return BlendedPictures(pictures, stream: facts, color: color)
    }

    private func pictures(of playback: Playback, _ facts: VideoStreamFacts) throws -> any TimedPictures {
        if playback.isNested {
            return try nested.pictures(of: playback.asset) { [unowned self] asset, time in note(asset, time) }
        }
        if facts.codec == GeneratedPicture.codec { return try generator(playback) }
        guard let index = sources[playback.asset].indexes[playback.stream] else {
            throw RenderError(
                "index_missing",
                "Source \(playback.asset) has no frame index of stream \(playback.stream)."
            )
        }
        do throws(MediaError) {
            let bytes = sources[playback.asset].bytes
            let asset = playback.asset
            let reader = try PictureReader(source: bytes, stream: facts, index: index, threads: 1) { [unowned self] in
                note(asset, $0)
            }
            let pictures = DeinterlacedPictures(reader, stream: facts, editRate: frameRate)
            return ToneCurve.map(of: facts.color).map { ToneMappedPictures(pictures, map: $0) } ?? pictures
        } catch {
            throw RenderError(error, of: assets[playback.asset])
        }
    }

    private func note(_ asset: Int, _ time: RationalTime) {
        if concealed[asset] == nil { concealed[asset] = time }
    }

    private func generator(_ playback: Playback) throws -> PictureGenerator {
        guard let picture = try GeneratedPicture(sources[playback.asset].bytes) else {
            throw RenderError("asset_changed", "Source \(playback.asset) is no generated picture any more.")
        }
        return try PictureGenerator(picture)
    }
}

extension Playback {
    /// Whether a reader that was opened for `other` gives this one's pictures too.
    fileprivate func canTakeReader(of other: Playback) -> Bool {
        asset == other.asset && stream == other.stream && isNested == other.isNested && blending == other.blending
    }
}
