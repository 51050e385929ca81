import CLibAV
import CompositionModel
import Timing

/// Where the copied packets of a sound stream begin.
struct SoundStart: Equatable {
    /// The number of the first packet of the stream that is copied.
    var packet = 0
    /// Its first sample, counted from the first audible one; priming has negative numbers.
    var sample: Int64 = 0
}

/// Finds in one pass over the sound of a file where the packets begin that a part of it needs.
struct SoundStartFinder {
    struct Wanted {
        var stream: ExportStream
        var clock: SoundClock
        var lengths: SoundPacketLength
        /// The first sample of the part.
        var sample: Int64
        /// Whether the container hides what the decoder needs before it.
        var isPrimed: Bool
    }

    private struct Search {
        let wanted: Wanted
        var clock: SoundClock
        var count = 0
        var recent: [SoundStart] = []
        var found: SoundStart?

        mutating func add(_ packet: Packet) {
            let length = wanted.lengths.samples(packet)
            let start = SoundStart(packet: count, sample: clock.place(pts: packet.pts, count: length))
            count += 1
            recent.append(start)
            guard start.sample + length > wanted.sample || wanted.sample <= 0 else {
                if recent.count > 64 { recent.removeFirst() }
                return
            }
            guard wanted.sample > 0 else {
                found = recent.first
                return
            }
            let (packets, samples) =
                wanted.isPrimed ? SoundPacketLength.priming(wanted.stream.parameters.pointee.codec_id) : (0, 0)
            var place = max(0, recent.count - 1 - packets)
            while place > 0, recent[place].sample > wanted.sample - samples, samples > 0 { place -= 1 }
            found = recent[place]
        }
    }

    /// - Returns: by stream index; a stream without packets there has none.
    static func find(_ wanted: [Wanted], _ source: any ByteSource) throws(MediaError) -> [Int: SoundStart] {
        guard !wanted.isEmpty else { return [:] }
        var searches = Dictionary(
            wanted.map { ($0.stream.index, Search(wanted: $0, clock: $0.clock)) },
            uniquingKeysWith: { first, _ in first }
        )
        let demuxer = try Demuxer(source)
        demuxer.select(Set(searches.keys))
        let packet = try Packet()
        while searches.values.contains(where: { $0.found == nil }), try demuxer.next(into: packet) {
            if searches[packet.streamIndex]?.found == nil { searches[packet.streamIndex]?.add(packet) }
        }
        return searches.compactMapValues(\.found)
    }
}
