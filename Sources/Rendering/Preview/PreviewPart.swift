import CompositionModel
import Foundation
import Media
import Planning

/// One part of the picture, read as if it were a movie of its own: its packets fit into one track, and their times count
/// the part's frames from 0.
final class PreviewPart {
    let video: PacketFileHeader.VideoContent
    /// What the part's own sample entry says, such as its parameter sets as NAL units with start codes.
    let track: MovieWriter.VideoTrack
    private let packets: PartSequence

    /// - Throws: ``RenderError`` of ``PacketFileReader``, and `parts_differ` for a part of sound.
    init(path: String) throws(RenderError) {
        let reader = try PacketFileReader(path: path)
        guard case .video(let video) = reader.header.content else {
            throw RenderError("parts_differ", "A picture part holds sound.", isPermanent: true)
        }
        let task = StitchTask(wholeOf: video, frameCount: reader.summary.packetCount)
        let list = try PartList(paths: [path], task: task)
        let shared = try list.sharedTrack(task)
        var track = MovieWriter.VideoTrack(
            codec: video.codec,
            size: video.size,
            color: video.color,
            frameRate: video.frameRate,
            extradata: list.header.extradata
        )
        shared?.describe(&track)
        (self.video, self.track) = (video, track)
        packets = PartSequence(
            paths: [path],
            frameCounts: task.partFrameCounts,
            reorderDelay: list.reorderDelay,
            joins: nil,
            track: shared
        )
    }

    /// The next packet in decode order; nil after the last one.
    /// - Throws: ``RenderError`` `frames_missing`, and those of ``PacketFileReader``.
    func next() throws(RenderError) -> EncodedPacket? { try packets.next() }
}

extension StitchTask {
    /// The task of a movie that one part makes up, without sound.
    fileprivate init(wholeOf video: PacketFileHeader.VideoContent, frameCount: Int64) {
        self.init(
            container: .mp4,
            frameRate: video.frameRate,
            frameCount: frameCount,
            sampleRate: 48_000,
            sampleCount: 0,
            size: video.size,
            color: video.color,
            partFrameCounts: [frameCount],
            hasSound: false,
            rendererVersion: Renderer.version
        )
    }
}
