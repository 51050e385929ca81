import Foundation
import Media

/// The packets of all picture parts, one after the other, with the times they have in the movie. One file is open at a
/// time.
final class PartSequence {
    private let paths: [String]
    private let frameCounts: [Int64]
    private let reorderDelay: Int64
    private let joins: JoinVerifier?
    /// How packets are fitted into the movie's track; nil when they stay as they are.
    private let track: (any SharedTrack)?
    /// The idr_pic_id of the packet before; nil when that was no IDR picture.
    private var lastIDR: Int?
    private var number = 0
    private var part: PacketFileReader?
    private var seen: [Bool] = []
    /// The movie's frame that is the open part's frame 0, and the packets before it.
    private(set) var firstFrame: Int64 = 0
    private(set) var packetCount: Int64 = 0

    /// - Parameters:
    ///   - reorderDelay: largest of all parts: frames by which decoding runs ahead of display.
    ///   - joins: proves joins by decoding; nil where the movie's bitstream proves them.
    ///   - track: how packets are fitted into the movie's track; nil when they stay as they are.
    init(
        paths: [String],
        frameCounts: [Int64],
        reorderDelay: Int64,
        joins: JoinVerifier?,
        track: (any SharedTrack)?
    ) {
        self.track = track
        self.paths = paths
        self.frameCounts = frameCounts
        self.reorderDelay = reorderDelay
        self.joins = joins
    }

    /// The next packet in decode order: pts is its frame in the movie, dts its place in the movie less the delay.
    /// - Returns: nil after the last part.
    /// - Throws: ``RenderError`` `frames_missing`, `join_damaged`, and those of ``PacketFileReader``.
    func next() throws(RenderError) -> EncodedPacket? {
        while number < paths.count {
            let packet = try RenderError.blaming(partAt: paths[number]) { () throws(RenderError) in
                try openPart().next().map { (packet) throws(RenderError) in try place(packet) }
            }
            if let packet { return packet }
            closePart()
        }
        return nil
    }

    private func openPart() throws(RenderError) -> PacketFileReader {
        if let part { return part }
        let opened = try PacketFileReader(path: paths[number])
        seen = Array(repeating: false, count: Int(frameCounts[number]))
        joins?.begin(opened.summary, firstFrame: firstFrame)
        part = opened
        return opened
    }

    private func closePart() {
        joins?.end()
        part = nil
        firstFrame += frameCounts[number]
        number += 1
    }

    private func place(_ packet: CodedPacket) throws(RenderError) -> EncodedPacket {
        guard seen.indices.contains(Int(packet.displayIndex)), !seen[Int(packet.displayIndex)],
            packet.decodeIndex > 0 || packet.isKey
        else {
            throw RenderError(
                "frames_missing",
                "Part \(number) gives frame \(packet.displayIndex) twice, out of range, or does not begin with a keyframe."
            )
        }
        seen[Int(packet.displayIndex)] = true
        let placed = EncodedPacket(
            pts: firstFrame + packet.displayIndex,
            dts: packetCount - reorderDelay,
            duration: 1,
            isKey: packet.isKey,
            data: try data(of: packet)
        )
        packetCount += 1
        try joins?.add(placed, decodeIndex: packet.decodeIndex)
        return placed
    }

    /// The packet's data with the ids that its parameter sets have in the movie.
    private func data(of packet: CodedPacket) throws(RenderError) -> Data {
        guard let track, let header = part?.header else { return packet.data }
        let coded = packet.headerNumber == 0 ? header.extradata : header.copied?[packet.headerNumber - 1]
        let (data, idrID) = try track.packet(
            packet.data,
            isKey: packet.isKey,
            header: coded ?? Data(),
            after: lastIDR
        )
        lastIDR = idrID
        return data
    }
}
