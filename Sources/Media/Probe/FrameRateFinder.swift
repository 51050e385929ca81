import Timing

/// Finds the constant rate behind timestamps that a container's time base has rounded.
struct FrameRateFinder {
    /// Pts of the shown frames, ascending.
    let times: [Int64]
    let timeBase: RationalTime

    /// The first of `hints` that is constant, else the common rate that fits best, else the common rate around which
    /// the times have jitter.
    ///
    /// Constant means: every pts lies within one tick of the first plus n × frameDuration.
    func constantRate(hints: [FrameRate]) -> FrameRate? {
        if let hint = hints.first(where: { deviation(of: $0) != nil }) { return hint }
        let fitting = FrameRate.common.compactMap { rate in deviation(of: rate).map { (rate, $0) } }
        return fitting.min { $0.1 < $1.1 }?.0 ?? steadyRate()
    }

    /// The fewest frames whose times can be told from those of a variable rate.
    private static let fewestSteady = 12

    /// The common rate with jitter: cameras and phones write the times at which pictures came, some late and some
    /// early. The distances of all times from n × frameDuration differ by at most a quarter of a frame; of several such
    /// rates the one counts for which they differ least. Below 24000/1001 a quarter of a frame would be seen.
    private func steadyRate() -> FrameRate? {
        guard times.count >= Self.fewestSteady else { return nil }
        let moving = FrameRate.common.filter { 1001 * Int128($0.numerator) >= 24_000 * Int128($0.denominator) }
        let fitting = moving.compactMap { rate in spread(of: rate).map { (rate, $0) } }
        return fitting.min { $0.1 < $1.1 }?.0
    }

    /// The difference of the largest and the smallest distance of a pts from n × frameDuration, as a share of a frame;
    /// nil when it is more than a quarter.
    private func spread(of rate: FrameRate) -> Double? {
        guard let first = times.first else { return nil }
        let tick = Int128(timeBase.numerator) * Int128(rate.numerator)
        let frame = Int128(rate.denominator) * Int128(timeBase.denominator)
        var (lowest, highest): (Int128, Int128) = (0, 0)
        for (number, time) in times.enumerated() {
            let distance = Int128(time - first) * tick - Int128(number) * frame
            (lowest, highest) = (min(lowest, distance), max(highest, distance))
            if 4 * (highest - lowest) > frame { return nil }
        }
        return Double(highest - lowest) / Double(frame)
    }

    /// The mean of a variable rate: frames per second from the first frame's start to the last one's. The nearest
    /// common rate stands for it within a hundredth, so that a camera's jitter does not become an edit's rate.
    func averageRate() -> FrameRate? {
        guard let first = times.first, let last = times.last, last > first,
            let span = try? RationalTime(last - first, of: timeBase),
            let rate = try? RationalTime(whole: Int64(times.count - 1)).divided(by: span),
            let average = try? FrameRate(rate.numerator, rate.denominator)
        else { return nil }
        return average.nearCommon ?? average
    }

    /// The largest distance of a pts from its place, in ticks; nil when one is further than a tick away.
    private func deviation(of rate: FrameRate) -> RationalTime? {
        guard let first = times.first else { return nil }
        // In units of 1 / (timeBase.denominator × rate.numerator) seconds everything is whole.
        let tick = Int128(timeBase.numerator) * Int128(rate.numerator)
        let frame = Int128(rate.denominator) * Int128(timeBase.denominator)
        var largest: Int128 = 0
        for (number, time) in times.enumerated() {
            let distance = Int128(time - first) * tick - Int128(number) * frame
            largest = max(largest, Int128(distance.magnitude))
            if largest > tick { return nil }
        }
        guard let top = Int64(exactly: largest), let bottom = Int64(exactly: tick) else { return .zero }
        return try? RationalTime(top, bottom)
    }
}
