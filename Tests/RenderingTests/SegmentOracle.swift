import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import Timing

/// The packets that a segment must have: those of an encoder that sees the whole edit's own pictures from the segment's
/// first one on, with those of its post-roll behind it.
enum SegmentOracle {
    /// - Parameters:
    ///   - whole: the task of the same edit in one segment.
    ///   - change: put in place of each picture of the post-roll.
    static func packets(
        of segment: PlannedSegment,
        whole: PictureTask,
        sources: () throws -> [RenderSource],
        change: (Picture) throws -> Picture = { $0 }
    ) throws -> [Data] {
        let compositor = try Compositor(task: whole, sources: sources())
        let task = segment.task
        let encoder = try VideoEncoder(
            encoding: task.encoding,
            size: task.size,
            color: task.color,
            frameRate: task.frameRate
        )
        let end = segment.frames.start + task.frameCount
        let last = end + task.postRollCount
        var packets: [EncodedPacket] = []
        for frame in segment.frames.start..<last {
            let picture = try compositor.picture(at: frame)
            let shown = frame < end ? picture : try change(picture)
            let isKey = frame == segment.frames.start || frame == end
            packets += try encoder.send(shown, frame: frame - segment.frames.start, forceKey: isKey)
        }
        while let packet = try encoder.drain() { packets.append(packet) }
        return packets.filter { $0.pts < task.frameCount }.map(\.data)
    }

    /// The packets of a packet file.
    static func packets(_ path: String) throws -> [Data] {
        let reader = try PacketFileReader(path: path)
        var packets: [Data] = []
        while let packet = try reader.next() { packets.append(packet.data) }
        return packets
    }
}
