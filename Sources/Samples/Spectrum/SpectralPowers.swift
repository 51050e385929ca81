/// The power in each frequency of the frames about one: what is noise there.
/// ```
///  frames  ├──── reach ────┤ wanted ├──── reach ────┤├ blur ┤ newest
/// ```
struct SpectralPowers {
    private static let bins = NoiseReduction.frame / 2 + 1
    private static let kept = 2 * NoiseReduction.reach + 1
    /// The last few frames as they are.
    private var plain: [[Double]] = []
    /// Means over time of the last `kept` frames, a ring. Zero (silence) before the first.
    private var means = [Double](repeating: 0, count: SpectralPowers.kept * SpectralPowers.bins)
    private var newest = 0
    /// Whether each of the same frames holds sound alone.
    private var (plainWhole, meansWhole) = ([Bool](), [Bool](repeating: false, count: SpectralPowers.kept))

    /// - Parameter isWhole: no part of the frame is silent.
    mutating func append(_ real: [Double], _ imaginary: [Double], isWhole: Bool) {
        plain.append(Self.power(real, imaginary))
        plainWhole.append(isWhole)
        let width = 2 * NoiseReduction.blur + 1
        if plain.count > width {
            plain.removeFirst()
            plainWhole.removeFirst()
        }
        newest = (newest + 1) % Self.kept
        meansWhole[newest] = plainWhole.count == width && plainWhole.allSatisfy(\.self)
        let start = newest * Self.bins
        for k in 0..<Self.bins {
            var sum = 0.0
            for frame in plain { sum += frame[k] }
            means[start + k] = sum / Double(width)
        }
    }

    /// The gain for each frequency of the wanted frame: near 1 where there is more than noise, `floor` where there is
    /// not.
    func gains(floor: Double, sensitivity: Double) -> [Double] {
        let slots = (0..<Self.kept).filter { meansWhole[$0] }
        // Of what is shorter than a few frames nobody knows what is noise.
        var quietest = [Double](repeating: slots.isEmpty ? 0 : .infinity, count: Self.bins)
        for slot in slots {
            let start = slot * Self.bins
            for k in 0..<Self.bins { quietest[k] = min(quietest[k], means[start + k]) }
        }
        let wanted = (newest + Self.kept - NoiseReduction.reach) % Self.kept * Self.bins
        let plain = (0..<Self.bins).map { k -> Double in
            let (power, noise) = (means[wanted + k], quietest[k] * sensitivity)
            return power > noise ? max(floor, (1 - noise / power).squareRoot()) : floor
        }
        return Self.blurred(plain)
    }

    /// The mean power of both channels from frequency 0 to half the sample rate.
    private static func power(_ real: [Double], _ imaginary: [Double]) -> [Double] {
        let count = real.count
        return blurred(
            (0..<bins).map { k in
                let m = (count - k) % count
                let one = real[k] * real[k] + imaginary[k] * imaginary[k]
                return (one + (real[m] * real[m] + imaginary[m] * imaginary[m])) / 2
            }
        )
    }

    /// The mean over five neighbours.
    private static func blurred(_ values: [Double]) -> [Double] {
        values.indices.map { k in
            let range = max(k - 2, 0)...min(k + 2, values.count - 1)
            return values[range].reduce(0, +) / Double(range.count)
        }
    }
}
