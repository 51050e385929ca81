import Timing

/// Four samples for each: where a signal peaks between its samples (ITU-R BS.1770-5, annex 2, with a longer filter:
/// right to 0.05 dB up to 0.45 of the sample rate).
struct Oversampler {
    /// Taps of a phase. What lies between sample n and n + 1 needs samples n − 11 … n + 12.
    static let tapCount = 24
    /// Samples after n that the values at n need.
    static let lookAhead = 12

    /// `[phase 1 … 3][tap]`; phase 0 is the sample itself.
    private let taps: [[Double]]
    /// No value is further from 0 than this times the largest of its samples.
    let bound: Double

    init() {
        let taps = (1...3).map { phase in
            let row = (0..<Self.tapCount).map { tap in
                let t = Double(tap - (Self.lookAhead - 1)) - Double(phase) / 4
                let edge = t / Double(Self.lookAhead)
                let window = ExactMath.besselI0(6 * (1 - edge * edge).squareRoot())
                return ExactMath.sincPi(t) * window
            }
            let sum = row.reduce(0, +)
            return row.map { $0 / sum }
        }
        self.taps = taps
        bound = taps.map { $0.reduce(0) { $0 + abs($1) } }.reduce(1, max) * 1.000001
    }

    /// The largest size of sample n and the three values after it.
    /// - Parameters:
    ///   - all: the samples of a channel.
    ///   - place: the place of sample n − 11 among them.
    /// - Precondition: there are ``tapCount`` samples from `place` on.
    @inline(__always) func peak(_ all: UnsafeBufferPointer<Double>, from place: Int) -> Double {
        precondition(place >= 0 && place + Self.tapCount <= all.count)
        let samples = UnsafeBufferPointer(rebasing: all[place..<place + Self.tapCount])
        var peak = abs(samples[Self.lookAhead - 1])
        for phase in taps {
            var sum = SIMD4<Double>.zero
            phase.withUnsafeBufferPointer { row in
                for tap in stride(from: 0, to: Self.tapCount, by: 4) {
                    let weights = SIMD4(row[tap], row[tap + 1], row[tap + 2], row[tap + 3])
                    sum += weights * SIMD4(samples[tap], samples[tap + 1], samples[tap + 2], samples[tap + 3])
                }
            }
            peak = max(peak, abs((sum.x + sum.z) + (sum.y + sum.w)))
        }
        return peak
    }
}
