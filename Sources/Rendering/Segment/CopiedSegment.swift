import CompositionModel
import Foundation
import Media
import Planning
import Timing

/// Writes packet files of segments all of whose pictures are copied.
enum CopiedSegment {
    /// Writes the packet file of `task`, whose codec is only copied, to `path`.
    /// - Parameters:
    ///   - sources: in the order of `task.assets`.
    ///   - progress: 0 … 1000, ascending.
    /// - Throws: ``RenderError`` `invalid_task` when a frame would have to be encoded; ``MediaError``.
    static func write(
        _ task: PictureTask,
        sources: [RenderSource],
        to path: String,
        progress: (Int) -> Void
    ) throws {
        guard task.copiedCount == task.frameCount else {
            let codec = task.encoding.codec.title
            let message = "A segment of \(codec) has frames that are not copied."
            throw RenderError("invalid_task", message, isPermanent: true)
        }
        let headers = try task.copiedHeaders()
        let writer = try SegmentWriter(
            path: path,
            header: task.packetFileHeader(extradata: Data(), copied: headers),
            frameCount: task.frameCount
        )
        let streams = CopiedStreams(sources)
        for span in task.copies ?? [] {
            writer.begin(span.frames)
            try span.copy(task.encoding.codec, from: streams, headers, to: writer) { frame in
                progress(Int(frame * 1000 / (task.frameCount + 1)))
            }
        }
        try writer.finish()
        progress(1000)
    }
}

extension CopiedSpan {
    /// Copies the span's packets.
    /// - Parameters:
    ///   - streams: of the segment.
    ///   - headers: the global headers of the segment's copies.
    ///   - progress: told frames of the segment, ascending.
    func copy(
        _ codec: VideoEncoding.Codec,
        from streams: CopiedStreams,
        _ headers: [Data],
        to writer: SegmentWriter,
        progress: (Int64) -> Void
    ) throws {
        var copier = try PictureCopying.copier(
            of: codec,
            from: streams.stream(stream, of: asset),
            frames: FrameRange(start: sourceFrame, count: frames.count),
            configuration: configuration
        )
        let header = try PictureCopying.header(configuration, codec: codec)
        let number = (headers.firstIndex(of: header) ?? 0) + 1
        while let packet = try copier.next() {
            try writer.write(packet, headerNumber: number)
            if packet.dts % 64 == 0 { progress(frames.start + packet.dts) }
        }
    }
}

extension PictureTask {
    /// The distinct global headers of the copied spans, in order of first use.
    func copiedHeaders() throws(MediaError) -> [Data] {
        var headers: [Data] = []
        for span in copies ?? [] {
            let header = try PictureCopying.header(span.configuration, codec: encoding.codec)
            if !headers.contains(header) { headers.append(header) }
        }
        return headers
    }

    /// The head of the segment's packet file.
    /// - Parameters:
    ///   - extradata: the encoder's global header; empty where nothing is encoded.
    ///   - copied: the global headers of the copied spans.
    func packetFileHeader(extradata: Data, copied: [Data]) -> PacketFileHeader {
        PacketFileHeader(
            content: .video(.init(codec: encoding.codec, size: codedSize, frameRate: frameRate, color: color)),
            extradata: extradata,
            copied: copied.isEmpty ? nil : copied
        )
    }
}
