import CLibAV
import CompositionModel
import Timing

/// The way to a part in the middle of a long file without reading what stands before it.
///
/// MP4 and QuickTime files have an index of every packet with exact times, so a seek is known to land before what is
/// needed. Other containers are read from their start: their times are rounded, and samples have to be counted.
struct ExportJump {
    /// What is left before the entry, for the packets that decoders of sound need, and for readers' looseness.
    private static let margin = RationalTime(whole: 2)
    /// Packets that are looked at to find out where a seek has landed.
    private static let patience = 4096

    /// Seconds by the file's clock before which nothing is needed.
    let entry: RationalTime
    private let part: ExportPart
    private let streams: [ExportStream]

    /// - Returns: nil where a seek would save nothing, or nothing is known of where it lands.
    init?(_ part: ExportPart, _ streams: [ExportStream]) throws {
        guard part.source.facts.container.hasPrefix("mov,"), let lead = part.lead, let picture = part.pictures[lead]
        else {
            return nil
        }
        let sounds = streams.filter { $0.kind == .sound }
        let areExact = sounds.allSatisfy { stream in
            let base = stream.stream.pointee.time_base
            return Int64(base.den) == Int64(stream.parameters.pointee.sample_rate) * Int64(base.num)
        }
        var first = try RationalTime(
            picture.index.packets[picture.cut.packets.lowerBound].pts,
            of: picture.index.timeBase
        )
        for other in part.pictures.values {
            let time = try RationalTime(other.index.packets[other.cut.packets.lowerBound].pts, of: other.index.timeBase)
            first = min(first, time)
        }
        entry = try first.subtracting(Self.margin)
        guard areExact, entry > (try part.zero.adding(RationalTime(whole: 1))) else { return nil }
        (self.part, self.streams) = (part, streams)
    }

    /// Moves `demuxer` before the part.
    /// - Returns: the number of the first packet of each picture stream that comes; nil where they are not recognised:
    ///   then the file has to be opened anew and read from its start.
    func land(_ demuxer: Demuxer) throws(MediaError) -> [Int: Int]? {
        guard let lead = streams.first(where: { $0.index == part.lead }) else { return nil }
        try Self.seek(demuxer, lead, to: entry)
        guard let found = try recognise(demuxer) else { return nil }
        try Self.seek(demuxer, lead, to: entry)
        return found
    }

    private func recognise(_ demuxer: Demuxer) throws(MediaError) -> [Int: Int]? {
        var found: [Int: Int] = [:]
        let packet = try Packet()
        for _ in 0..<Self.patience where found.count < part.pictures.count {
            guard try demuxer.next(into: packet) else { return nil }
            guard let picture = part.pictures[packet.streamIndex], found[packet.streamIndex] == nil else { continue }
            let matches = picture.index.packets.indices.filter { number in
                let entry = picture.index.packets[number]
                return entry.pts == packet.pts && entry.dts == packet.dts && entry.position == packet.raw.pointee.pos
            }
            guard matches.count == 1, matches[0] <= picture.cut.packets.lowerBound else { return nil }
            found[packet.streamIndex] = matches[0]
        }
        return found.count == part.pictures.count ? found : nil
    }

    /// Moves `demuxer` to the last key packet of `stream` at or before a time, and the other streams to the same time.
    static func seek(_ demuxer: Demuxer, _ stream: ExportStream, to time: RationalTime) throws(MediaError) {
        let base = stream.stream.pointee.time_base
        let ticks = (try? time.count(of: RationalTime(ratio: base), rounding: .down).value) ?? 0
        if try !demuxer.seek(stream: stream.index, timestamp: ticks, flags: AVSEEK_FLAG_BACKWARD) {
            // Before the first packet there is nothing to go back to.
            _ = try demuxer.seek(stream: stream.index, timestamp: ticks, flags: 0)
        }
    }
}
