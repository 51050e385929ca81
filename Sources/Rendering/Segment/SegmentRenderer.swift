package import CompositionModel
import Foundation
import Media
package import Planning
import Synchronization
import Timing

/// Renders one segment's pictures: decode and composite on one thread, encode and store the packets as a packet file on
/// the other.
package enum SegmentRenderer {
    /// Frames of `size` that are composed before the encoder takes them: three, fewer where they would fill 256 MB.
    static func framesAhead(_ size: PictureSize) -> Int {
        min(max((256 << 20) / max(size.width * size.height * 3 / 2, 1), 1), 3)
    }

    /// Writes the packet file of `task` to `path`: exactly `task.frameCount` packets, the first an IDR, without any
    /// reference to what lies outside. The same task and sources give the same bytes. Its copied spans are copied; each
    /// part between them is encoded by itself.
    ///
    /// The `postRollCount` frames after them are composited too, the first of them forced to an IDR, so that the
    /// encoder's lookahead sees past the end; it is stopped as soon as the segment's own packets are out.
    /// - Parameters:
    ///   - sources: in the order of `task.assets`.
    ///   - progress: 0 … 1000, ascending.
    ///   - warn: told at the end what is wrong with the sources although they could be shown.
    /// - Returns: frames written.
    /// - Throws: ``RenderError`` or ``MediaError``. The file is then incomplete and recognised as such.
    package static func render(
        _ task: PictureTask,
        sources: [RenderSource],
        to path: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> Int64 {
        guard task.frameCount > 0, task.postRollCount >= 0, sources.count == task.assets.count else {
            throw RenderError(
                "invalid_task",
                "A segment needs at least one frame and all its sources.",
                isPermanent: true
            )
        }
        if task.encoding.isCopyOnly {
            try CopiedSegment.write(task, sources: sources, to: path, progress: progress)
            return task.frameCount
        }
        let parts = task.parts
        var encoder = try task.encoder()
        let headers = try task.copiedHeaders()
        let digests = task.digestRecorder(extradata: encoder.extradata)
        let writer = try SegmentWriter(
            path: path,
            header: task.packetFileHeader(extradata: encoder.extradata, copied: headers),
            frameCount: task.frameCount,
            digests: digests
        )
        let rendered = parts.flatMap(\.composited)
        // Handed over: from here on only the composing thread uses them.
        nonisolated(unsafe) let handedSources = sources
        let warnings = Mutex<[Failure]>([])
        let pictures = PictureQueue(count: Int64(rendered.count), room: framesAhead(task.size)) {
            let compositor = try RasterPictures(task: task, sources: handedSources)
            return { number in
                let frame = rendered[Int(number)]
                let picture = try compositor.picture(at: frame)
                if frame < task.frameCount { warnings.withLock { $0 = compositor.warnings } }
                return picture
            }
        }
        defer { pictures.stop() }
        func report(_ frame: Int64) { progress(Int(frame * 1000 / (task.frameCount + task.postRollCount + 1))) }
        var isFirst = true
        let messages = CarriedMessages(task, sources: sources)
        func write(_ packet: EncodedPacket, of frames: FrameRange) throws {
            var packet = packet
            if packet.pts < frames.count { try messages.add(to: &packet, frame: frames.start + packet.pts) }
            try writer.write(packet)
        }
        for part in parts {
            writer.begin(part.frames)
            switch part {
            case .copied(let span):
                try span.copy(task.encoding.codec, from: sources[span.asset], headers, to: writer, progress: report)
            case .encoded(let frames, let postRoll):
                // An encoder makes one part: what it has seen of another would decide about this one.
                if !isFirst { encoder = try task.encoder() }
                isFirst = false
                for frame in frames.start..<frames.end + postRoll where !writer.isPartComplete {
                    let picture = try pictures.next()
                    if frame < frames.end { digests.composited(picture, frame: frame) }
                    let isBorder = frame == frames.start || frame == frames.end
                    let number = frame - frames.start
                    for packet in try encoder.send(picture, frame: number, forceKey: isBorder) {
                        try write(packet, of: frames)
                    }
                    report(frame + 1)
                }
                while !writer.isPartComplete, let packet = try encoder.drain() { try write(packet, of: frames) }
            }
        }
        try writer.finish()
        warnings.withLock(\.self).forEach(warn)
        progress(1000)
        return task.frameCount
    }
}

extension PictureTask {
    fileprivate func encoder() throws(MediaError) -> VideoEncoder {
        try VideoEncoder(encoding: encoding, size: codedSize, color: color, frameRate: frameRate)
    }

    fileprivate func digestRecorder(extradata: Data) -> any DigestRecorder {
        // Copied pictures are proved by their bytes (docs/copying.md).
        guard copies == nil else { return NoDigests() }
        switch encoding.codec {
        case .ffv1: return LosslessDigests(frameCount: frameCount)
        case .h264, .hevc:
            let codec = encoding.codec
            return DecodedDigests(frameCount: frameCount) { [size = codedSize, color] () throws(MediaError) in
                try VideoDecoder(codec: codec, extradata: extradata, size: size, color: color, threads: 1)
            }
        case .prores, .dnxhd, .mjpeg: return NoDigests()
        }
    }
}
