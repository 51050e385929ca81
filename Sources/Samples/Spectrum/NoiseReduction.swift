import Timing

/// Takes away what always sounds: hiss, hum, fans. In each of its frequencies the quietest moment within
/// ±``reach`` counts as noise (R. Martin, "Noise power spectral density estimation based on minimum statistics", 2001,
/// without its memory), and what does not rise above it is lowered by `amount`.
///
/// Two channels are one complex signal: one transform serves both.
package final class NoiseReduction: SoundProcess {
    package struct Settings: Sendable, Hashable {
        /// dB by which noise is lowered.
        package var amount = 12.0
        /// How far above the quietest moment noise may reach, as a factor of its power.
        package var sensitivity = 4.0

        package init() {}
    }

    /// Samples of a frame, of 4 that overlap; at 48 kHz 43 ms.
    static let frame = 2048
    static let hop = frame / 4
    /// Frames before and after that are asked for the quietest moment: 0.75 s.
    static let reach = 70
    /// Frames before and after over which power is taken as a mean.
    static let blur = 2

    private let transform = FourierTransform(count: NoiseReduction.frame)
    private let window: [Double]
    private let pairs: [NoisePair]
    private var filled = 0

    package let memory: Int64
    package let latency: Int

    package init(_ settings: Settings, channels: Int) {
        // √Hann, before and after: four that overlap add up to 2.
        window = (0..<Self.frame).map { ((1 - ExactMath.cosPi(2 * Double($0) / Double(Self.frame))) / 2).squareRoot() }
        pairs = (0..<(channels + 1) / 2).map { _ in NoisePair(settings) }
        latency = Self.frame + (Self.reach + Self.blur) * Self.hop
        memory = Int64(2 * Self.frame + 2 * (Self.reach + Self.blur) * Self.hop)
    }

    package func process(_ channels: [SampleBuffer]) {
        let length = channels.first?.count ?? 0
        var place = 0
        while place < length {
            let count = min(Self.hop - filled, length - place)
            for (index, pair) in pairs.enumerated() {
                let left = channels[2 * index]
                let right = 2 * index + 1 < channels.count ? channels[2 * index + 1] : nil
                pair.exchange(left, right, place..<place + count, at: filled)
            }
            filled += count
            place += count
            if filled == Self.hop {
                filled = 0
                for pair in pairs { pair.step(transform, window) }
            }
        }
    }
}
