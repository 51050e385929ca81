import Foundation
import Planning

/// What the heads and ends of all picture parts say, read before anything is written. One file is open at a time.
struct PartList {
    /// Equal in all parts, but for the headers of copied streams, which are left out.
    let header: PacketFileHeader
    /// The distinct global headers of all parts, in order of first use; the first is the encoder's, where there is one.
    let headers: [Data]
    /// The largest of all parts.
    let reorderDelay: Int64
    let packetCount: Int64
    /// Bits per second: the most of all parts that last a second or more, and of the whole.
    let bitRate: Int

    /// - Throws: ``RenderError`` `parts_differ`, `frames_missing`, and those of ``PacketFileReader``.
    init(paths: [String], task: StitchTask) throws(RenderError) {
        guard paths.count == task.partFrameCounts.count, let first = paths.first else {
            throw RenderError(
                "parts_missing",
                "\(paths.count) of \(task.partFrameCounts.count) picture parts are there."
            )
        }
        var header = try RenderError.blaming(partAt: first) { () throws(RenderError) in
            let header = try PacketFileReader(path: first).header
            try PartList.requireFormat(header, of: task)
            return header
        }
        header.copied = nil
        self.header = header
        var headers = header.extradata.isEmpty ? [] : [header.extradata]
        var (delay, count): (Int64, Int64) = (0, 0)
        var load = BitLoad(task.frameRate)
        for (number, path) in paths.enumerated() {
            let part = try RenderError.blaming(partAt: path) { () throws(RenderError) in
                let part = try PacketFileReader(path: path)
                try PartList.require(part, number: number, of: task, as: header)
                return part
            }
            for copied in part.header.copied ?? [] where !headers.contains(copied) { headers.append(copied) }
            delay = max(delay, part.summary.reorderDelay)
            count += part.summary.packetCount
            load.add(part.summary)
        }
        (reorderDelay, packetCount) = (delay, count)
        bitRate = load.bitRate
        self.headers = headers
        try requireWhole(task)
    }

    var video: PacketFileHeader.VideoContent {
        get throws(RenderError) {
            guard case .video(let video) = header.content else {
                throw RenderError("parts_differ", "A picture part holds sound.", isPermanent: true)
            }
            return video
        }
    }

    private static func require(
        _ part: PacketFileReader,
        number: Int,
        of task: StitchTask,
        as header: PacketFileHeader
    ) throws(RenderError) {
        var own = part.header
        own.copied = nil
        guard own == header else {
            throw RenderError(
                "parts_differ",
                "Part \(number) has other coding parameters than part 0; render it again with the same version.",
                isPermanent: true
            )
        }
        let wanted = task.partFrameCounts[number]
        guard part.summary.unitCount == wanted, part.summary.packetCount == wanted, wanted > 0 else {
            throw RenderError("frames_missing", "Part \(number) holds \(part.summary.unitCount) of \(wanted) frames.")
        }
    }

    private func requireWhole(_ task: StitchTask) throws(RenderError) {
        guard packetCount == task.frameCount else {
            throw RenderError("frames_missing", "The parts hold \(packetCount) of \(task.frameCount) frames.")
        }
    }

    private static func requireFormat(_ header: PacketFileHeader, of task: StitchTask) throws(RenderError) {
        guard case .video(let video) = header.content, video.frameRate == task.frameRate, video.size == task.size,
            video.color == task.color
        else {
            throw RenderError(
                "parts_differ",
                "The parts have another size, rate or colour than the output.",
                isPermanent: true
            )
        }
    }
}
