extension FrameRate {
    /// The frame rates that cameras and editors use, the most common ones first. When two fit equally well, the earlier
    /// one is taken.
    package static let common: [FrameRate] = [
        (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (48000, 1001), (48, 1), (50, 1), (60000, 1001),
        (60, 1),
        (10, 1), (12, 1), (25, 2), (15000, 1001), (15, 1), (90, 1), (100, 1), (120000, 1001), (120, 1), (240, 1),
        (1, 1),
        (2, 1), (5, 1), (8, 1), (20, 1),
    ].compactMap { try? FrameRate($0.0, $0.1) }

    /// The nearest common rate if this rate is within 1 % of it; else nil.
    package var nearCommon: FrameRate? {
        let near = FrameRate.common.filter(isNear).sorted { $0.framesPerSecond < $1.framesPerSecond }
        guard var best = near.first else { return nil }
        for rate in near.dropFirst() where isNearer(to: rate, than: best) { best = rate }
        return best
    }

    // Common rates have parts below 2^17, so all of these products fit into Int128.

    private func isNear(_ common: FrameRate) -> Bool {
        let own = Int128(numerator) * Int128(common.denominator)
        let its = Int128(common.numerator) * Int128(denominator)
        return abs(own - its) * 100 <= its
    }

    /// Whether this rate is above the middle between two common rates, of which `higher` is above `lower`.
    private func isNearer(to higher: FrameRate, than lower: FrameRate) -> Bool {
        let bottom = Int128(higher.denominator) * Int128(lower.denominator)
        let sum =
            Int128(higher.numerator) * Int128(lower.denominator) + Int128(lower.numerator) * Int128(higher.denominator)
        return 2 * Int128(numerator) * bottom > sum * Int128(denominator)
    }
}
