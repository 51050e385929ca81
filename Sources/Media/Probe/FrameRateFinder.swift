import Shared

/// Finds the constant rate behind timestamps that a container's time base has rounded.
struct FrameRateFinder {
    /// The rates that cameras and editors use.
    private static let standard: [(Int64, Int64)] = [
        (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (48000, 1001), (48, 1), (50, 1), (60000, 1001),
        (60, 1),
        (10, 1), (12, 1), (25, 2), (15000, 1001), (15, 1), (90, 1), (100, 1), (120000, 1001), (120, 1), (240, 1),
        (1, 1),
        (2, 1), (5, 1), (8, 1), (20, 1),
    ]

    /// Pts of the shown frames, ascending.
    let times: [Int64]
    let timeBase: RationalTime

    /// The first of `hints` that is constant, else the standard rate that fits best.
    ///
    /// Constant means: every pts lies within one tick of the first plus n × frameDuration.
    func constantRate(hints: [FrameRate]) -> FrameRate? {
        if let hint = hints.first(where: { deviation(of: $0) != nil }) { return hint }
        let candidates = Self.standard.compactMap { try? FrameRate($0.0, $0.1) }
        let fitting = candidates.compactMap { rate in deviation(of: rate).map { (rate, $0) } }
        return fitting.min { $0.1 < $1.1 }?.0
    }

    /// At a variable rate: frames per second from the first frame's start to the last one's. The nearest standard rate
    /// stands for it within a hundredth, so that a camera's jitter does not become an edit's rate.
    func averageRate() -> FrameRate? {
        guard let first = times.first, let last = times.last, last > first,
            let span = try? RationalTime(last - first, of: timeBase),
            let rate = try? RationalTime(whole: Int64(times.count - 1)).divided(by: span)
        else { return nil }
        let near = Self.standard.compactMap { top, bottom -> (RationalTime, FrameRate)? in
            guard let standard = try? FrameRate(top, bottom),
                let difference = try? rate.subtracting(standard.framesPerSecond).divided(by: standard.framesPerSecond)
            else { return nil }
            let distance = difference.isNegative ? try? RationalTime.zero.subtracting(difference) : difference
            return distance.map { ($0, standard) }
        }
        if let (distance, standard) = near.min(by: { $0.0 < $1.0 }),
            Int128(distance.numerator) * 100
                <= Int128(distance.denominator)
        {
            return standard
        }
        return try? FrameRate(rate.numerator, rate.denominator)
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
