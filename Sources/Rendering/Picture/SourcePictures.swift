import Media
import Shared

/// Open readers of a task's sources: one for each clip that is on screen, and a few that may be needed again.
final class SourcePictures {
    private struct Open {
        let reader: PictureReader
        var lastFrame: Int64
    }

    /// Open readers beside those that the current frame needs: each holds a decoder with its reference pictures.
    private static let spareLimit = 2

    private let sources: [RenderSource]
    private var open: [Clip: Open] = [:]

    init(sources: [RenderSource]) { self.sources = sources }

    /// Facts of `clip`'s stream.
    /// - Throws: ``RenderError`` `unknown_stream`.
    func facts(of clip: Clip) throws(RenderError) -> VideoStreamFacts {
        guard sources.indices.contains(clip.asset),
            let facts = sources[clip.asset].facts.video.first(where: { $0.streamIndex == clip.stream })
        else {
            throw RenderError(
                "unknown_stream",
                "Source \(clip.asset) has no picture stream \(clip.stream).",
                isPermanent: true
            )
        }
        return facts
    }

    /// The picture of `clip` at source time `time`.
    /// - Parameters:
    ///   - frame: number of the frame that is made.
    ///   - needed: all clips of that frame; their readers stay open.
    func picture(of clip: Clip, at time: RationalTime, frame: Int64, needed: Set<Clip>) throws -> Picture {
        let reader = try open[clip]?.reader ?? take(for: clip, needed: needed)
        open[clip] = Open(reader: reader, lastFrame: frame)
        return try reader.picture(at: time)
    }

    /// An idle reader of the same stream, else a new one.
    private func take(for clip: Clip, needed: Set<Clip>) throws -> PictureReader {
        let idle = open.filter { !needed.contains($0.key) }.sorted { $0.value.lastFrame > $1.value.lastFrame }
        if let same = idle.first(where: { $0.key.asset == clip.asset && $0.key.stream == clip.stream }) {
            open[same.key] = nil
            return same.value.reader
        }
        for spare in idle.dropFirst(SourcePictures.spareLimit - 1) { open[spare.key] = nil }
        return try reader(for: clip)
    }

    private func reader(for clip: Clip) throws -> PictureReader {
        let facts = try facts(of: clip)
        guard let index = sources[clip.asset].indexes[clip.stream] else {
            throw RenderError("index_missing", "Source \(clip.asset) has no frame index of stream \(clip.stream).")
        }
        return try PictureReader(source: sources[clip.asset].bytes, stream: facts, index: index, threads: 1)
    }
}
