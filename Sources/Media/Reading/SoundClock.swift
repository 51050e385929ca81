import Shared

/// Where decoded sound lies on its stream's own sample clock, 0 being the first audible sample.
///
/// Containers round pts to ticks, so blocks that follow each other within ``tolerance`` do so exactly; what is further
/// off is a real gap or overlap.
struct SoundClock {
    let timeBase: RationalTime
    let sampleRate: Int
    /// Pts of the first audible sample.
    let origin: Int64
    /// Samples: two ticks, and at least a hundredth of a second.
    let tolerance: Int64
    /// One past the last sample placed so far.
    private(set) var position: Int64 = 0
    /// Where the next block starts unless its pts says otherwise; nil before the first.
    private var expected: Int64?

    /// - Parameter next: where the first block is known to start; nil goes by its pts.
    init(timeBase: RationalTime, sampleRate: Int, origin: Int64, next: Int64? = nil) {
        expected = next
        self.timeBase = timeBase
        self.sampleRate = sampleRate
        self.origin = origin
        let tick = Int128(timeBase.numerator) * Int128(sampleRate) / Int128(timeBase.denominator) + 1
        tolerance = max(Int64(clamping: 2 * tick), Int64(sampleRate / 100))
    }

    /// - Parameter pts: in ticks; nil continues where the last block ended.
    /// - Returns: the block's first sample; below the old ``position`` when it overlaps what was placed already.
    mutating func place(pts: Int64?, count: Int64) -> Int64 {
        var start = expected ?? pts.map(sample) ?? 0
        if let pts {
            let wanted = sample(at: pts)
            let distance = wanted.subtractingReportingOverflow(start)
            if distance.overflow || abs(distance.partialValue) > tolerance { start = wanted }
        }
        let end = start.addingReportingOverflow(count).partialValue
        expected = end
        position = max(position, end)
        return start
    }

    /// The sample nearest to `pts`.
    func sample(at pts: Int64) -> Int64 {
        let top = (Int128(pts) - Int128(origin)) * Int128(timeBase.numerator) * Int128(sampleRate)
        let bottom = Int128(timeBase.denominator)
        let half = top < 0 ? -bottom / 2 : bottom / 2
        return Int64(clamping: (top + half) / bottom)
    }
}
