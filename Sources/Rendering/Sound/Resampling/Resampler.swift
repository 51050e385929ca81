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
    /// The place of output 0 behind the source sample at which a clip starts, in phases of a source sample
    /// (`ratio.denominator`).
    private var offset: Int64 = 0

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

    /// The same with output 0 at the phase nearest to `fraction` of a source sample behind the clip's start. Two clips
    /// that are parts of one sound are rounded alike: their starts are whole phases apart.
    func starting(at fraction: RationalTime) -> Resampler {
        var moved = self
        let phases = Int128(fraction.numerator) * Int128(ratio.denominator)
        let bottom = Int128(fraction.denominator)
        moved.offset = Int64(clamping: (2 * phases + bottom) / (2 * bottom))
        return moved
    }

    /// The same for the mirror image of the source, in which the clip starts as much before its sample.
    var mirrored: Resampler {
        var moved = self
        moved.offset = -offset
        return moved
    }

    /// Whether the outputs are the source's samples, at the same places.
    var isIdentity: Bool { filter == nil }

    private func position(of index: Int64, start: Int64) -> SampleRateRatio.Position {
        filter == nil
            ? ratio.position(of: index, start: start) : ratio.position(of: index, start: start, offset: offset)
    }

    /// The source samples that outputs `range` of a clip starting at source sample `start` are made of.
    func sourceRange(of range: Range<Int64>, start: Int64) -> Range<Int64> {
        guard !range.isEmpty else { return start..<start }
        let first = position(of: range.lowerBound, start: start).sample
        let last = position(of: range.upperBound - 1, start: start).sample
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
            phase: Int(position(of: range.lowerBound, start: 0).phase),
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
