package import CompositionModel
import Foundation
import Media
package import Planning
import Synchronization

/// Renders one segment's pictures: decode and composite on one thread, encode and store the packets as a packet file on
/// the other.
package enum SegmentRenderer {
    /// Frames of `size` that are composed before the encoder takes them: three, fewer where they would fill 256 MB.
    static func framesAhead(_ size: PictureSize) -> Int {
        min(max((256 << 20) / max(size.width * size.height * 3 / 2, 1), 1), 3)
    }

    /// Writes the packet file of `task` to `path`: exactly `task.frameCount` packets, the first an IDR, without any
    /// reference to what lies outside. The same task and sources give the same bytes.
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
        let encoder = try VideoEncoder(
            encoding: task.encoding,
            size: task.size,
            color: task.color,
            frameRate: task.frameRate
        )
        let digests = task.digestRecorder(extradata: encoder.extradata)
        let writer = try SegmentWriter(
            path: path,
            header: task.packetFileHeader(extradata: encoder.extradata),
            frameCount: task.frameCount,
            digests: digests
        )
        let total = task.frameCount + task.postRollCount
        // Handed over: from here on only the composing thread uses them.
        nonisolated(unsafe) let handedSources = sources
        let warnings = Mutex<[Failure]>([])
        let pictures = PictureQueue(count: total, room: framesAhead(task.size)) {
            let compositor = try Compositor(task: task, sources: handedSources)
            return { frame in
                let picture = try compositor.picture(at: frame)
                if frame < task.frameCount { warnings.withLock { $0 = compositor.warnings } }
                return picture
            }
        }
        defer { pictures.stop() }
        var frame: Int64 = 0
        while frame < total, !writer.isComplete {
            let picture = try pictures.next()
            if frame < task.frameCount { digests.composited(picture, frame: frame) }
            let isBorder = frame == 0 || frame == task.frameCount
            for packet in try encoder.send(picture, frame: frame, forceKey: isBorder) { try writer.write(packet) }
            frame += 1
            progress(Int(frame * 1000 / (total + 1)))
        }
        while !writer.isComplete, let packet = try encoder.drain() { try writer.write(packet) }
        try writer.finish()
        warnings.withLock(\.self).forEach(warn)
        progress(1000)
        return task.frameCount
    }
}

extension PictureTask {
    fileprivate func packetFileHeader(extradata: Data) -> PacketFileHeader {
        PacketFileHeader(
            content: .video(.init(codec: encoding.codec, size: size, frameRate: frameRate, color: color)),
            extradata: extradata
        )
    }

    fileprivate func digestRecorder(extradata: Data) -> any DigestRecorder {
        switch encoding.codec {
        case .ffv1: LosslessDigests(frameCount: frameCount)
        case .h264:
            DecodedDigests(frameCount: frameCount) { [size, color] () throws(MediaError) in
                try VideoDecoder(codec: .h264, extradata: extradata, size: size, color: color, threads: 1)
            }
        }
    }
}
