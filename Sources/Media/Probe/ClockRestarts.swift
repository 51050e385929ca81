import CLibAV

/// Finds out where the clock of an MPEG stream begins anew: several recordings were joined byte by byte, or a recorder
/// started again. Times go back there, in each stream at a packet of its own.
struct ClockRestarts {
    /// The times of one stream.
    fileprivate struct Track {
        /// Ticks by which a time is back that begins a new clock: a tenth of a second.
        let tolerance: Int64
        /// The last times, oldest first.
        var times: [Int64] = []
        /// The last known byte position.
        var position: Int64 = -1
        /// The times since one went back, and where that was.
        var pending: (times: [Int64], position: Int64)?
    }

    /// A packet with which a stream's clock begins anew.
    private struct Restart {
        let stream: Int
        let position: Int64
    }

    private var tracks: [Int: Track] = [:]
    private var restarts: [Restart] = []
    /// So many times before and behind must agree: a single wrong one is damage.
    private static let witnesses = 3
    /// MPEG clocks have 33 bits. libavformat adds 2^33 to what lies before a file's first time.
    fileprivate static let halfRound: Int64 = 1 << 32

    /// - Parameter container: libavformat's name.
    /// - Returns: nil for containers whose clock does not begin anew.
    init?(container: String) {
        guard ["mpegts", "mpeg"].contains(container) else { return nil }
    }

    /// The next packet of a stream with ticks of `timeBase`.
    mutating func add(_ packet: Packet, timeBase: AVRational) {
        guard let time = packet.dts ?? packet.pts else { return }
        let ticks = Int64(timeBase.den) / Int64(max(timeBase.num, 1))
        add(time, of: packet.streamIndex, at: packet.raw.pointee.pos, ticks: ticks)
    }

    /// - Parameters:
    ///   - position: the packet's first byte; −1 where it is not known.
    ///   - ticks: those of a second.
    mutating func add(_ time: Int64, of stream: Int, at position: Int64, ticks: Int64) {
        var track = tracks[stream] ?? Track(tolerance: ticks / 10)
        if position >= 0 { track.position = position }
        if var pending = track.pending {
            pending.times.append(time)
            track.pending = pending
        } else if track.isBack(time) {
            track.pending = ([time], track.position)
        } else {
            track.times = track.times.suffix(Self.witnesses - 1) + [time]
        }
        if let pending = track.pending, pending.times.count > Self.witnesses { settle(&track, stream) }
        tracks[stream] = track
    }

    /// Times that stay back are of a new clock, others were damaged.
    private mutating func settle(_ track: inout Track, _ stream: Int) {
        guard let pending = track.pending else { return }
        track.pending = nil
        if pending.times.allSatisfy({ abs($0 - pending.times[0]) < abs($0 - (track.times.last ?? 0)) }) {
            restarts.append(Restart(stream: stream, position: pending.position))
            track.times = []
        }
        track.times = (track.times + pending.times).suffix(Self.witnesses)
    }

    /// The first byte of each clock but the first, ascending: before it is all that belongs to the one before.
    mutating func borders() -> [Int64] {
        for stream in tracks.keys.sorted() {
            guard var track = tracks[stream] else { continue }
            settle(&track, stream)
            tracks[stream] = track
        }
        var borders: [Int64] = []
        var met: Set<Int> = []
        for restart in restarts.sorted(by: { $0.position < $1.position }) where restart.position > 0 {
            if borders.isEmpty || met.contains(restart.stream) {
                borders.append(restart.position)
                met = []
            }
            met.insert(restart.stream)
        }
        return borders
    }
}

extension ClockRestarts.Track {
    fileprivate func isBack(_ time: Int64) -> Bool {
        !times.isEmpty
            && times.allSatisfy { known in
                let distance = time - known
                return distance < -tolerance || distance > ClockRestarts.halfRound
            }
    }
}
