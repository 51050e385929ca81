import Timing

/// The place of decoded sound on its stream's own sample clock, 0 being the first audible sample.
///
/// Containers round pts to ticks, and some muxers wrote them with jitter (``TimeJitter``), so blocks that follow each
/// other within ``tolerance`` do so exactly; what is further off is a real gap or overlap.
struct SoundClock {
    let timeBase: RationalTime
    let sampleRate: Int
    /// Pts of the first audible sample.
    let origin: Int64
    /// The distance of a time from the end of the block before that is no gap and no overlap, in samples: two ticks, a
    /// hundredth of a second or the stream's jitter, whichever is most.
    let tolerance: Int64
    /// The same after packets that were lost: two ticks or the stream's jitter.
    let rounding: Int64
    /// One past the last sample placed so far.
    private(set) var position: Int64 = 0
    /// The sample that the next block starts with unless its pts says otherwise; nil before the first.
    private(set) var expected: Int64?
    /// The samples of blocks that lie wholly before what was placed already, and so are not heard.
    private(set) var dropped: Int64 = 0
    /// What was placed when the first of them came.
    private(set) var firstDropped: Int64?

    /// - Parameters:
    ///   - jitter: the stream's, in samples.
    ///   - next: where the first block is known to start; nil goes by its pts.
    init(timeBase: RationalTime, sampleRate: Int, origin: Int64, jitter: Int64 = 0, next: Int64? = nil) {
        expected = next
        self.timeBase = timeBase
        self.sampleRate = sampleRate
        self.origin = origin
        let tick = Int128(timeBase.numerator) * Int128(sampleRate) / Int128(timeBase.denominator) + 1
        rounding = max(Int64(clamping: 2 * tick), jitter)
        tolerance = max(rounding, Int64(sampleRate / 100))
    }

    /// - Parameters:
    ///   - pts: in ticks; nil continues where the last block ended.
    ///   - lost: packets before this block that gave nothing. They were as long as it, unless the times say otherwise.
    /// - Returns: the block's first sample; below the old ``position`` when it overlaps what was placed already.
    mutating func place(pts: Int64?, count: Int64, lost: Int64 = 0) -> Int64 {
        place(at: pts.map(sample), count: count, lost: lost)
    }

    /// - Parameters:
    ///   - wanted: the sample that its time says; nil as above.
    ///   - others: see ``place(pts:count:lost:)``.
    mutating func place(at wanted: Int64?, count: Int64, lost: Int64) -> Int64 {
        var start = expected.map { $0.addingReportingOverflow(lost * count).partialValue } ?? wanted ?? 0
        if let wanted {
            let distance = wanted.subtractingReportingOverflow(start)
            // A packet that is lost may be shorter than what passes for an even flow.
            let tolerance = lost > 0 ? rounding : tolerance
            if distance.overflow || abs(distance.partialValue) > tolerance { start = wanted }
        }
        // Within these bounds the sums below do not overflow.
        start = min(max(start, -(1 << 61)), 1 << 61)
        let end = start + count
        // What lies before the first sample is priming.
        if end > 0, end <= position {
            dropped += count
            firstDropped = firstDropped ?? position
        }
        expected = end
        position = max(position, end)
        return start
    }

    /// Where sound is missing because its times lie in what was heard already, if that is more than a second.
    var unheard: Int64? { dropped > Int64(sampleRate) ? firstDropped : nil }

    /// The sample nearest to `pts`.
    func sample(at pts: Int64) -> Int64 {
        let top = (Int128(pts) - Int128(origin)) * Int128(timeBase.numerator) * Int128(sampleRate)
        let bottom = Int128(timeBase.denominator)
        let half = top < 0 ? -bottom / 2 : bottom / 2
        return Int64(clamping: (top + half) / bottom)
    }
}
