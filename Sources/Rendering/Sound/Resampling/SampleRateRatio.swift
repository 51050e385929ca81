import CompositionModel
import Planning
import Timing

/// From a source's sample rate to the edit's, as exact positions: output sample n, counted from where a clip starts,
/// lies at source position `start + n × source / target`.
struct SampleRateRatio: Hashable {
    /// `source / target` in lowest terms.
    let numerator: Int64
    let denominator: Int64

    /// - Parameter speed: source seconds for a second of the output, above 0.
    /// - Throws: ``RenderError`` `unsupported_sample_rate` unless both are 1 Hz … 1 MHz and, with the speed, at most 64
    ///   times apart.
    init(source: Int, target: Int, speed: RationalTime = RationalTime(whole: 1)) throws(RenderError) {
        let range = Limits.sourceRates
        // The products fit: below 10^6 × 10^9.
        let parts = 1...Limits.speedParts
        guard range.contains(source), range.contains(target), parts.contains(speed.numerator),
            parts.contains(speed.denominator)
        else { throw SampleRateRatio.refusal(source, target, speed) }
        var (larger, smaller) = (Int64(source) * speed.numerator, Int64(target) * speed.denominator)
        let (top, bottom) = (larger, smaller)
        guard top / bottom < Limits.soundRatio || top == Limits.soundRatio * bottom,
            bottom / top < Limits.soundRatio || bottom == Limits.soundRatio * top
        else { throw SampleRateRatio.refusal(source, target, speed) }
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        numerator = top / larger
        denominator = bottom / larger
    }

    private static func refusal(_ source: Int, _ target: Int, _ speed: RationalTime) -> RenderError {
        let fast = speed == RationalTime(whole: 1) ? "" : " at speed \(speed)"
        return RenderError(
            "unsupported_sample_rate",
            "Sound of \(source) Hz\(fast) cannot be brought to \(target) Hz; convert the source or choose another rate.",
            isPermanent: true
        )
    }

    var isUnity: Bool { numerator == denominator }

    /// A source position: `sample + phase / denominator`, 0 ≤ phase < denominator.
    struct Position: Hashable {
        var sample: Int64
        var phase: Int64
    }

    /// The position of output sample `index ≥ 0` in the source.
    /// - Parameter offset: The place of output 0 behind `start`, in parts of `denominator`.
    func position(of index: Int64, start: Int64, offset: Int64 = 0) -> Position {
        let exact = Int128(index) * Int128(numerator) + Int128(offset)
        var (whole, phase) = exact.quotientAndRemainder(dividingBy: Int128(denominator))
        if phase < 0 { (whole, phase) = (whole - 1, phase + Int128(denominator)) }
        // |whole| ≤ 64 × the index of a sample: the timeline would have to last 95,000 years to leave Int64.
        return Position(sample: start + Int64(whole), phase: Int64(phase))
    }
}
