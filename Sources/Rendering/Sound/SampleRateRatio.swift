/// From a source's sample rate to the edit's, as exact positions: output sample n, counted from where a clip starts,
/// lies at source position `start + n × source / target`.
struct SampleRateRatio: Hashable {
    /// `source / target` in lowest terms.
    let numerator: Int64
    let denominator: Int64

    /// - Throws: ``RenderError`` `unsupported_sample_rate` unless both are 1 Hz … 1 MHz and at most 64 times apart.
    init(source: Int, target: Int) throws(RenderError) {
        let range = 1...1_000_000
        guard range.contains(source), range.contains(target), source <= 64 * target, target <= 64 * source else {
            throw RenderError(
                "unsupported_sample_rate",
                "Sound of \(source) Hz cannot be brought to \(target) Hz; convert the source or choose another rate.",
                isPermanent: true
            )
        }
        var (larger, smaller) = (Int64(source), Int64(target))
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        numerator = Int64(source) / larger
        denominator = Int64(target) / larger
    }

    var isUnity: Bool { numerator == denominator }

    /// A source position: `sample + phase / denominator`, 0 ≤ phase < denominator.
    struct Position: Hashable {
        var sample: Int64
        var phase: Int64
    }

    /// Of output sample `index ≥ 0`.
    func position(of index: Int64, start: Int64) -> Position {
        let exact = Int128(index) * Int128(numerator)
        let (whole, phase) = exact.quotientAndRemainder(dividingBy: Int128(denominator))
        // |whole| ≤ 64 × the index of a sample: the timeline would have to last 95,000 years to leave Int64.
        return Position(sample: start + Int64(whole), phase: Int64(phase))
    }
}
