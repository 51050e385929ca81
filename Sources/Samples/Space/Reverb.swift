import Timing

/// A room: eight delay lines that feed each other through a Hadamard matrix, which keeps energy (J.-M. Jot, "Digital
/// delay networks for designing artificial reverberators", AES 90, 1991). Each line loses what brings the whole to −60
/// dB after `decay`, the high frequencies sooner.
///
/// y(n) = dry × x(n) + mix × w(n): the mean of all channels enters the lines, and w of a channel is the difference of
/// two.
package final class Reverb: SoundProcess {
    package struct Settings: Sendable, Hashable {
        /// Seconds to −60 dB.
        package var decay = 1.5
        /// Factor of the lengths of the lines, 0.1 … 2: the size of the room.
        package var size = 1.0
        /// 0 … 0.95: how much sooner the high frequencies go.
        package var damping = 0.3
        /// Seconds before the room answers.
        package var preDelay = 0.01
        /// Gain of the room.
        package var mix = 0.25
        /// Gain of what is heard in it.
        package var dry = 1.0

        package init() {}
    }

    /// Milliseconds; no two have a common beat.
    private static let lengths = [29.7, 33.1, 37.3, 41.9, 43.3, 47.9, 53.3, 59.9]

    private let settings: Settings
    private var lines: [[Double]]
    private var places: [Int]
    private let losses: SIMD8<Double>
    private var damped = SIMD8<Double>.zero
    private var before: [Double]
    private var beforePlace = 0

    package let memory: Int64
    package var latency: Int { 0 }

    package init(_ settings: Settings, sampleRate: Double) {
        self.settings = settings
        let counts = Self.lengths.map { max(Int(($0 / 1000 * settings.size * sampleRate).rounded()), 1) }
        lines = counts.map { Array(repeating: 0, count: $0) }
        places = Array(repeating: 0, count: counts.count)
        var losses = SIMD8<Double>.zero
        for (index, count) in counts.enumerated() {
            losses[index] = ExactMath.gain(decibels: -60 * Double(count) / (settings.decay * sampleRate))
        }
        self.losses = losses
        before = Array(repeating: 0, count: max(Int((settings.preDelay * sampleRate).rounded()), 1))
        // 140 of the 60 dB, and once through all that holds samples.
        memory =
            Int64((settings.decay * sampleRate * 140 / 60).rounded(.up)) + Int64(before.count + counts.reduce(0, +))
    }

    package func process(_ channels: [SampleBuffer]) {
        guard let first = channels.first else { return }
        for i in first.indices {
            var heard = 0.0
            for channel in channels { heard += channel[i] }
            let room = next(heard / Double(channels.count))
            for (index, channel) in channels.enumerated() {
                channel[i] = channel[i] * settings.dry + settings.mix * side(index, room)
            }
        }
    }

    /// What comes out of the lines when `dry` goes in.
    @inline(__always) private func next(_ dry: Double) -> SIMD8<Double> {
        let entering = before[beforePlace]
        before[beforePlace] = dry
        beforePlace = beforePlace + 1 == before.count ? 0 : beforePlace + 1
        var heard = SIMD8<Double>.zero
        for line in 0..<8 { heard[line] = lines[line][places[line]] }
        damped = heard * (1 - settings.damping) + damped * settings.damping
        damped.replace(with: SIMD8.zero, where: (damped .< 1e-30) .& (damped .> -1e-30))
        let back = Self.hadamard(damped * losses) + entering
        for line in 0..<8 {
            lines[line][places[line]] = back[line]
            places[line] = places[line] + 1 == lines[line].count ? 0 : places[line] + 1
        }
        return heard
    }

    /// Two lines a channel, with opposite signs: sides that have little in common.
    @inline(__always) private func side(_ channel: Int, _ room: SIMD8<Double>) -> Double {
        let line = 2 * (channel % 4)
        return room[line] - room[line + 1]
    }

    /// Divided by √8, so that it keeps energy.
    @inline(__always) private static func hadamard(_ x: SIMD8<Double>) -> SIMD8<Double> {
        let (low, high) = (x.lowHalf, x.highHalf)
        let a = SIMD8(lowHalf: low + high, highHalf: low - high)
        let b = SIMD8(
            a[0] + a[2],
            a[1] + a[3],
            a[0] - a[2],
            a[1] - a[3],
            a[4] + a[6],
            a[5] + a[7],
            a[4] - a[6],
            a[5] - a[7]
        )
        let c = SIMD8(
            b[0] + b[1],
            b[0] - b[1],
            b[2] + b[3],
            b[2] - b[3],
            b[4] + b[5],
            b[4] - b[5],
            b[6] + b[7],
            b[6] - b[7]
        )
        return c * 0.35355339059327373
    }
}
