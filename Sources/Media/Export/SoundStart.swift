import CLibAV
import Timing

/// Finds in one pass over the sound of a file where the packets begin that a part of it needs.
struct SoundStartFinder {
    struct Wanted {
        var stream: ExportStream
        var clock: SoundClock
        var lengths: SoundPacketLength
        /// The first sample of the part.
        var sample: Int64
        /// Whether the container hides what the decoder needs before it, and whether it does so by an edit list.
        var isPrimed: Bool
        var hasEditList: Bool
    }

    private struct Search {
        let wanted: Wanted
        var clock: SoundClock
        /// The first samples of the last packets.
        var recent: [Int64] = []
        var found: Int64?

        mutating func add(_ packet: Packet) {
            let length = wanted.lengths.samples(packet)
            let start = clock.place(pts: packet.pts, count: length)
            recent.append(start)
            guard start + length > wanted.sample || wanted.sample <= 0 else {
                if recent.count > 512 { recent.removeFirst() }
                return
            }
            guard wanted.sample > 0 else {
                found = recent.first
                return
            }
            let (packets, samples) =
                wanted.isPrimed
                ? SoundPacketLength.priming(wanted.stream.parameters.pointee.codec_id, isFree: wanted.hasEditList)
                : (0, 0)
            var place = max(0, recent.count - 1 - packets)
            while place > 0, recent[place] > wanted.sample - samples, samples > 0 { place -= 1 }
            found = recent[place]
        }
    }

    /// - Parameter entry: seconds by the file's clock before which nothing is needed; nil reads from the file's start.
    /// - Returns: the first sample of the first packet, counted from the first audible one, by stream index; a stream
    ///   without packets there has none. Priming has negative numbers.
    static func find(
        _ wanted: [Wanted],
        _ source: any ByteSource,
        from entry: RationalTime?
    ) throws(MediaError) -> [Int: Int64] {
        guard !wanted.isEmpty else { return [:] }
        var searches = Dictionary(
            wanted.map { ($0.stream.index, Search(wanted: $0, clock: $0.clock)) },
            uniquingKeysWith: { first, _ in first }
        )
        let demuxer = try Demuxer(source)
        demuxer.select(Set(searches.keys))
        if let entry, let first = wanted.first { try ExportJump.seek(demuxer, first.stream, to: entry) }
        let packet = try Packet()
        while searches.values.contains(where: { $0.found == nil }), try demuxer.next(into: packet) {
            if searches[packet.streamIndex]?.found == nil { searches[packet.streamIndex]?.add(packet) }
        }
        return searches.compactMapValues(\.found)
    }
}
