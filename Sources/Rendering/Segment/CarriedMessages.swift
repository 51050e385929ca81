import CompositionModel
import Media
import Planning
import Timing

/// Gives encoded pictures the messages of the source that they show.
final class CarriedMessages {
    private let spans: [CarriedSpan]
    private let codec: VideoEncoding.Codec
    private let sources: [RenderSource]
    /// The messages of the spans that were asked for, by their places in ``spans``.
    private var read: [Int: SourceMessages] = [:]

    /// - Parameter sources: in the order of the task's assets.
    init(_ task: PictureTask, sources: [RenderSource]) {
        spans = task.carried ?? []
        codec = task.encoding.codec
        self.sources = sources
    }

    /// Adds the messages of the picture that `frame` of the segment shows.
    /// - Throws: ``RenderError`` or ``MediaError`` when its source cannot be read.
    func add(to packet: inout EncodedPacket, frame: Int64) throws {
        guard let place = spans.firstIndex(where: { $0.frames.contains(frame) }) else { return }
        let span = spans[place]
        let own = frame - span.frames.start + span.sourceFrame
        packet.insert(try messages(place).messages(ofFrame: own, isKey: packet.isKey), of: codec)
    }

    private func messages(_ place: Int) throws -> SourceMessages {
        if let known = read[place] { return known }
        let span = spans[place]
        guard sources.indices.contains(span.asset), let index = sources[span.asset].indexes[span.stream] else {
            throw RenderError("invalid_task", "Messages are kept of a stream that has no index.", isPermanent: true)
        }
        let messages = try SourceMessages(
            source: sources[span.asset].bytes,
            index: index,
            frames: FrameRange(start: span.sourceFrame, count: span.frames.count),
            kinds: span.kinds
        )
        read[place] = messages
        return messages
    }
}
