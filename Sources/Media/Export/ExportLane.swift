import CLibAV
import Timing

/// A stream of the output.
final class ExportLane {
    let stream: ExportStream
    let output: UnsafeMutablePointer<AVStream>
    /// Ticks in a second of the times that are handed to ``time(_:)``.
    let ticksPerSecond: Int64
    /// Ticks by which all times are moved, so that the writer makes as many entries of an edit list as are needed.
    var offset: Int64 = 0
    /// The first dts as it was written, in ticks of the output's time base; nil before.
    private(set) var firstDTS: Int64?
    /// The part of the output's timeline for which it is presented, in its ticks.
    var presented: Range<Int64> = 0..<0
    /// Where it begins to be presented, in seconds.
    var begin = RationalTime.zero
    var sound: SoundLane?
    /// Ticks by which a picture is decoded before its place in order of presentation.
    var delay: Int64 = 0

    init(_ stream: ExportStream, _ output: UnsafeMutablePointer<AVStream>, ticksPerSecond: Int64) {
        self.stream = stream
        self.output = output
        self.ticksPerSecond = ticksPerSecond
        output.pointee.time_base = unit
    }

    var unit: AVRational { AVRational(num: 1, den: Int32(clamping: ticksPerSecond)) }

    /// The ticks nearest to a time.
    func ticks(_ time: RationalTime) throws(TimeError) -> Int64 {
        try time.count(of: RationalTime(1, ticksPerSecond)).value
    }

    /// Gives a packet its stream and times, in ticks.
    func stamp(_ packet: Packet, pts: Int64, dts: Int64, duration: Int64) {
        let raw = packet.raw
        raw.pointee.pts = pts + offset
        raw.pointee.dts = dts + offset
        raw.pointee.duration = duration
        raw.pointee.pos = -1
        raw.pointee.flags &= ~(AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)
        av_packet_rescale_ts(raw, unit, output.pointee.time_base)
        raw.pointee.stream_index = output.pointee.index
        if firstDTS == nil { firstDTS = raw.pointee.dts }
    }

    /// Ticks of the movie before it is presented.
    func delay(movie: Int64) throws(TimeError) -> Int64 {
        max(0, try begin.count(of: RationalTime(1, movie)).value)
    }

    /// The edit list that presents ``presented``, for a movie of so many ticks a second.
    func editList(movie: Int64) throws(TimeError) -> EditList? {
        guard let firstDTS, !presented.isEmpty else { return nil }
        let start = av_rescale_q(presented.lowerBound + offset, unit, output.pointee.time_base)
        let movieUnit = AVRational(num: 1, den: Int32(clamping: movie))
        return EditList(
            delay: try delay(movie: movie),
            mediaTime: start - firstDTS,
            duration: max(1, av_rescale_q(Int64(presented.count), unit, movieUnit))
        )
    }
}
