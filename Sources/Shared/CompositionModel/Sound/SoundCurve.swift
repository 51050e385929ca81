import Timing

/// The position of a clip's sound in its source at given samples, and the speed there, for a speed that changes.
/// Between two given samples the position is the cubic with the positions and speeds of both; past the last one it goes
/// on at that speed.
/// ```
/// samples    0      24,000   48,000   48,000      millionths of them; two at one place are a jump of the speed
/// positions  0      36,000   84,000   84,000
/// speeds     1      2        2        0.5
/// ```
package struct SoundCurve: Sendable, Hashable, Codable {
    /// The given samples, in millionths of the edit's samples from the clip's first one, ascending.
    package var samples: [Int64]
    /// The position at each of `samples`, in millionths of the source's samples from the clip's `sourceStart`.
    package var positions: [Int64]
    /// The speed at each of `samples`, in millionths: source seconds per second of the timeline.
    package var speeds: [Int64]
    /// Whether the sound is held where the speed stays 0; nil means silence there.
    package var holds: Bool?

    /// The keys in JSON, which stay what they were: sound tasks are stored and digested into keys.
    private enum CodingKeys: String, CodingKey {
        case samples
        case positions = "ways"
        case speeds, holds
    }

    package init(samples: [Int64], positions: [Int64], speeds: [Int64], holds: Bool? = nil) {
        (self.samples, self.positions, self.speeds, self.holds) = (samples, positions, speeds, holds)
    }

    /// The millionths in one sample.
    package static let unit = 1_000_000.0

    /// The number of samples over which the sound is faded where it halts and where it goes on: 5 ms.
    static func fade(sampleRate: Int) -> Int64 { Int64(sampleRate / 200) }

    /// Whether the numbers are in order and small enough to compute with.
    package var isSound: Bool {
        let most = Int64(1) << 60
        let places: ClosedRange<Int64> = -most...most
        guard !samples.isEmpty, samples.count == positions.count, samples.count == speeds.count,
            samples.allSatisfy(places.contains), positions.allSatisfy(places.contains),
            // Some eases overshoot.
            speeds.allSatisfy({ $0.magnitude <= 100_000_000 })
        else { return false }
        return samples.indices.dropFirst().allSatisfy { index in
            guard samples[index] == samples[index - 1] else { return samples[index] > samples[index - 1] }
            return positions[index] == positions[index - 1]
        }
    }

    /// The part of the curve that decides about the clip's samples `range`: it gives the same result there as the whole
    /// curve.
    package func counting(in range: Range<Int64>, sampleRate: Int) -> SoundCurve {
        let margin = SoundCurve.fade(sampleRate: sampleRate) + 2
        let (lowest, highest) = ((range.lowerBound - margin) * 1_000_000, (range.upperBound + margin) * 1_000_000)
        let first = max(samples.partitionPoint { $0 > lowest } - 1, 0)
        let last = max(min(samples.partitionPoint { $0 >= highest }, samples.count - 1), first)
        return SoundCurve(
            samples: Array(samples[first...last]),
            positions: Array(positions[first...last]),
            speeds: Array(speeds[first...last]),
            holds: holds
        )
    }
}

/// A ``SoundCurve`` between two sample rates: the position in the source of each sample of a clip.
///
/// Each position is computed from two knots alone, with + − × ÷: it is a pure function of the curve and the sample's
/// number, the same on every CPU.
package struct SoundPath: Sendable {
    /// A position in the source, counted from the clip's `sourceStart`.
    package struct Place: Sendable, Hashable {
        /// The whole sample at or before the position.
        package var sample: Int64
        /// The distance past that sample, in parts of a sample, 0 ..< 1.
        package var part: Double
        /// The source's samples per sample of the edit; negative when the source plays backwards.
        package var slope: Double
    }

    private let curve: SoundCurve
    /// The source's sample rate divided by the edit's.
    package let ratio: Double
    private let fade: Double
    /// The ranges where the speed stays 0 and nothing is heard, in millionths of samples, ascending.
    private let silences: [ClosedRange<Int64>]

    /// - Parameters:
    ///   - curve: A curve for which ``SoundCurve/isSound`` is true.
    ///   - sourceRate: The source's sample rate in Hz.
    ///   - sampleRate: The edit's sample rate in Hz.
    package init(_ curve: SoundCurve, sourceRate: Int, sampleRate: Int) {
        self.curve = curve
        ratio = Double(sourceRate) / Double(sampleRate)
        fade = Double(SoundCurve.fade(sampleRate: sampleRate)) * SoundCurve.unit
        var silences: [ClosedRange<Int64>] = []
        let (samples, positions, speeds) = (curve.samples, curve.positions, curve.speeds)
        if let first = samples.first, speeds.first == 0 { silences.append(.min...first) }
        for next in samples.indices.dropFirst() where samples[next] > samples[next - 1] {
            guard positions[next] == positions[next - 1], speeds[next] == 0, speeds[next - 1] == 0 else { continue }
            silences.append(samples[next - 1]...samples[next])
        }
        if let last = samples.last, speeds.last == 0 { silences.append(last ... .max) }
        self.silences = curve.holds == true ? [] : silences
    }

    /// The position in the source of a sample of the clip.
    /// - Parameters:
    ///   - sample: The number of the sample, counted from the clip's first one.
    ///   - knot: The knot at which the search starts; on return, the knot before the sample. Passing it on makes
    ///     consecutive samples cheap.
    package func place(at sample: Int64, near knot: inout Int) -> Place {
        let x = sample * 1_000_000
        let samples = curve.samples
        let isFound = samples.indices.contains(knot) && samples[knot] <= x
        if !isFound || (knot + 1 < samples.count && samples[knot + 1] <= x) {
            knot = samples.partitionPoint { $0 > x } - 1
        }
        let (offset, slope) = offset(at: x, behind: knot)
        let base = curve.positions[max(knot, 0)]
        let whole = base >= 0 ? base / 1_000_000 : -((999_999 - base) / 1_000_000)
        let sum = Double(base - whole * 1_000_000) / SoundCurve.unit + offset
        let floor = sum.rounded(.down)
        return Place(sample: whole + Int64(floor), part: sum - floor, slope: slope)
    }

    /// The factor of amplitude of a sample: 0 where the source stands still, with fades on both sides of it.
    package func gain(at sample: Int64) -> Double {
        guard !silences.isEmpty else { return 1 }
        let x = sample * 1_000_000
        let next = silences.partitionPoint { $0.lowerBound > x }
        var distance = fade
        if next > 0 { distance = min(distance, Double(x) - Double(silences[next - 1].upperBound)) }
        if next < silences.count { distance = min(distance, Double(silences[next].lowerBound) - Double(x)) }
        guard distance > 0 else { return 0 }
        let t = fade > 0 ? distance / fade : 1
        return t * t * (3 - 2 * t)
    }

    /// Whether any part is silent.
    package var hasSilence: Bool { !silences.isEmpty }

    /// The bounds of the source's samples, counted as ``Place/sample``, for the clip's samples `range`, and the largest
    /// number of source samples per sample of the clip. The bounds are never too narrow and seldom too wide.
    package func bounds(of range: Range<Int64>) -> (lowest: Int64, highest: Int64, steepest: Double) {
        guard !range.isEmpty, !curve.samples.isEmpty else { return (0, 0, 0) }
        let (first, last) = (range.lowerBound * 1_000_000, (range.upperBound - 1) * 1_000_000)
        var knot = curve.samples.partitionPoint { $0 > first } - 1
        var start = first
        var (lowest, highest, steepest) = (Double.infinity, -Double.infinity, 0.0)
        repeat {
            let end = knot + 1 < curve.samples.count ? min(curve.samples[knot + 1], last) : last
            let base = Double(curve.positions[max(knot, 0)]) / SoundCurve.unit
            let (here, there) = (offset(at: start, behind: knot), offset(at: end, behind: knot))
            // A cubic lies among its four Bézier points, and its slope among their differences.
            let third = Double(end - start) / SoundCurve.unit / 3
            let points = [
                here.offset, here.offset + third * here.slope, there.offset - third * there.slope, there.offset,
            ]
            lowest = min(lowest, base + (points.min() ?? 0))
            highest = max(highest, base + (points.max() ?? 0))
            let middle = third > 0 ? (points[2] - points[1]) / third : 0
            steepest = [steepest, abs(here.slope), abs(there.slope), abs(middle)].max() ?? steepest
            (start, knot) = (end, knot + 1)
        } while knot < curve.samples.count && curve.samples[knot] <= last
        return (Int64(lowest.rounded(.down)) - 1, Int64(highest.rounded(.up)) + 1, steepest)
    }

    /// The position at `x` relative to knot `knot`, or to the first one before it, and the slope there.
    private func offset(at x: Int64, behind knot: Int) -> (offset: Double, slope: Double) {
        let here = max(knot, 0)
        let start = Double(curve.speeds[here]) / SoundCurve.unit * ratio
        guard knot >= 0, knot + 1 < curve.samples.count, curve.samples[knot + 1] > curve.samples[knot] else {
            return (Double(x - curve.samples[here]) / SoundCurve.unit * start, start)
        }
        let end = Double(curve.speeds[knot + 1]) / SoundCurve.unit * ratio
        let count = Double(curve.samples[knot + 1] - curve.samples[knot])
        let rise = Double(curve.positions[knot + 1] - curve.positions[knot]) / SoundCurve.unit
        let t = Double(x - curve.samples[knot]) / count
        let rest = 1 - t
        let length = count / SoundCurve.unit
        let offset = rise * (t * t * (3 - 2 * t)) + length * (t * rest) * (start * rest - end * t)
        let slope = 6 * t * rest * (rise / length) + start * (rest * (1 - 3 * t)) + end * (t * (3 * t - 2))
        return (offset, slope)
    }
}
