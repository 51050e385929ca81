import CompositionModel
import Pixels

/// Brings samples to the edit's rate along a speed that changes, by absolute position: y(n) = Σ x[k] · h((p(n) − k) /
/// s) with s = max(1, |p′(n)|): where the source runs faster than the output, the filter is as much longer and lower,
/// so that nothing folds back. Each output is a pure function of curve and number.
struct VariableSpeedResampler {
    let path: SoundPath

    /// The filter of equal rates: see ``ResamplingFilter``. A cubic every 256th of a sample is right to 1e-8.
    private static let filter = VariableSpeedSinc(halfWidth: 96, steps: 256, value: ResamplingFilter.equalRates)

    /// - Parameter count: samples of the clip.
    /// - Throws: ``RenderError`` `unsupported_sample_rate` where the source runs more than 64 times too fast.
    init(_ path: SoundPath, count: Int64, sourceRate: Int, targetRate: Int) throws(RenderError) {
        self.path = path
        guard path.bounds(of: 0..<count).steepest <= Double(Limits.soundRatio) * 1.01 else {
            throw RenderError(
                "unsupported_sample_rate",
                "Sound of \(sourceRate) Hz at this speed cannot be brought to \(targetRate) Hz; choose a lower speed.",
                isPermanent: true
            )
        }
    }

    /// The source samples, from the clip's `sourceStart` on, that its samples `range` are made of.
    func sourceRange(of range: Range<Int64>) -> Range<Int64> {
        let bounds = path.bounds(of: range)
        // A place may be rounded to one more than its bounds; slopes likewise.
        let taps = Int64(Self.filter.taps(scale: max(1, bounds.steepest) + 0.01)) + 2
        return bounds.lowest - taps..<bounds.highest + taps + 1
    }

    /// - Parameters:
    ///   - samples: the samples of each channel, from source sample `first` on.
    ///   - range: outputs, counted from the clip's start.
    ///   - output: room for as many.
    func convert(
        _ samples: [SampleKernels.Samples],
        from first: Int64,
        range: Range<Int64>,
        into output: [SampleKernels.Samples]
    ) {
        guard let count = samples.first?.count else { return }
        precondition(samples.allSatisfy { $0.count == count } && output.allSatisfy { $0.count >= range.count })
        let weights = SampleKernels.Samples.allocate(capacity: count)
        defer { weights.deallocate() }
        weights.initialize(repeating: 0)
        var knot = 0
        for sample in range {
            let place = path.place(at: sample, near: &knot)
            let scale = max(1, abs(place.slope))
            let taps = Self.filter.taps(scale: scale)
            let start = Int(place.sample - first) - taps + 1
            precondition(start >= 0 && start + 2 * taps <= count)
            let own = SampleKernels.Samples(rebasing: weights[..<(2 * taps)])
            let whole = Self.filter.fill(own, part: place.part, scale: scale)
            for (from, to) in zip(samples, output) {
                let around = UnsafeBufferPointer(rebasing: from[start..<start + 2 * taps])
                to[Int(sample - range.lowerBound)] = VariableSpeedSinc.sum(around, own) / whole
            }
        }
    }
}
