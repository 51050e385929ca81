import Pixels
import Timing

/// Brings samples of one rate to another by absolute position: output sample n is always the same sum of the same
/// source samples, whatever was asked for before, in whatever pieces.
///
/// At equal rates it does nothing and needs nothing around a position.
struct Resampler {
    let ratio: SampleRateRatio
    let sourceRate: Int
    let targetRate: Int
    private let filter: ResamplingFilter?

    /// - Throws: ``RenderError`` `unsupported_sample_rate`.
    init(
        sourceRate: Int,
        targetRate: Int,
        speed: RationalTime = RationalTime(whole: 1)
    ) throws(RenderError) {
        self.sourceRate = sourceRate
        self.targetRate = targetRate
        ratio = try SampleRateRatio(source: sourceRate, target: targetRate, speed: speed)
        filter = ratio.isUnity ? nil : ResamplingFilter(ratio: ratio)
    }

    /// The source samples that outputs `range` of a clip starting at source sample `start` are made of.
    func sourceRange(of range: Range<Int64>, start: Int64) -> Range<Int64> {
        guard !range.isEmpty else { return start..<start }
        let first = ratio.position(of: range.lowerBound, start: start).sample
        let last = ratio.position(of: range.upperBound - 1, start: start).sample
        let half = Int64(filter?.halfWidth ?? 0)
        return filter == nil ? first..<last + 1 : first - half + 1..<last + half + 1
    }

    /// Makes the outputs `range` of `samples`.
    /// - Parameters:
    ///   - samples: exactly the source samples of ``sourceRange(of:start:)``.
    ///   - range: the outputs, counted from the clip's start.
    ///   - output: takes as many.
    /// - Precondition: all these samples are there, and room for all outputs.
    func convert(_ samples: SampleKernels.Samples, range: Range<Int64>, into output: SampleKernels.Samples) {
        guard !range.isEmpty else { return }
        precondition(output.count >= range.count)
        let (samples, output) = (UnsafeBufferPointer(samples), SampleKernels.Samples(rebasing: output[..<range.count]))
        guard let filter else { return copy(samples, into: output) }
        // The first tap of the first output is the first sample given.
        let walk = DotProduct.Walk(
            sample: 0,
            phase: Int(ratio.position(of: range.lowerBound, start: 0).phase),
            numerator: Int(ratio.numerator),
            denominator: Int(ratio.denominator)
        )
        filter.rows.withUnsafeBufferPointer { rows in
            let bank = DotProduct.Bank(rows: rows, tapCount: filter.tapCount)
            if filter.isExact {
                DotProduct.polyphase(samples, bank, from: walk, into: output)
            } else {
                DotProduct.grid(samples, bank, steps: ResamplingFilter.gridSteps, from: walk, into: output)
            }
        }
    }

    private func copy(_ samples: UnsafeBufferPointer<Double>, into output: SampleKernels.Samples) {
        precondition(samples.count >= output.count)
        guard let from = samples.baseAddress else { return }
        output.baseAddress?.update(from: from, count: output.count)
    }
}
