import CVectors

/// Sums of products of samples and filter coefficients: the inner loop of the resampler.
///
/// The order of additions is fixed and no multiply is fused with an add, so every CPU gives the same bits.
package enum DotProduct {
    /// Σ samples[i] × coefficients[i]: eight sums side by side, then added in pairs.
    /// - Parameter count: a multiple of 8.
    @inline(__always)
    static func of(
        _ samples: UnsafePointer<Double>,
        _ coefficients: UnsafePointer<Double>,
        count: Int
    ) -> Double {
        var sums = SIMD8<Double>.zero
        let left = UnsafeRawPointer(samples)
        let right = UnsafeRawPointer(coefficients)
        for offset in stride(from: 0, to: count &* 8, by: 64) {
            sums +=
                left.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self)
                * right.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self)
        }
        let four = sums.lowHalf + sums.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// The place of a filter: whole samples and a fraction `phase / denominator`.
    package struct Walk {
        /// The first sample of the next output.
        package var sample: Int
        /// The fraction of a sample behind it, in parts of `denominator`.
        package var phase: Int
        /// The number of phases of a sample.
        package let denominator: Int
        /// Whole samples and phases from one output to the next.
        package let sampleStep: Int
        package let phaseStep: Int

        /// Steps by `numerator / denominator` samples.
        package init(sample: Int, phase: Int, numerator: Int, denominator: Int) {
            self.sample = sample
            self.phase = phase
            self.denominator = denominator
            (sampleStep, phaseStep) = numerator.quotientAndRemainder(dividingBy: denominator)
        }

        /// The number of samples that `count` outputs of `tapCount` taps reach to, counted from sample 0.
        func reach(of count: Int, tapCount: Int) -> Int {
            guard count > 0 else { return 0 }
            let (steps, parts) = (Int128(count - 1), Int128(denominator))
            let passed = (Int128(phase) + steps * (Int128(sampleStep) * parts + Int128(phaseStep))) / parts
            return Int(clamping: Int128(sample) + passed + Int128(tapCount))
        }

        @inline(__always)
        mutating func advance() {
            sample &+= sampleStep
            phase &+= phaseStep
            if phase >= denominator {
                phase &-= denominator
                sample &+= 1
            }
        }
    }

    /// Filter coefficients: rows of `tapCount`, a multiple of 8.
    package struct Bank {
        let rows: UnsafeBufferPointer<Double>
        let tapCount: Int

        /// - Precondition: there are whole rows, and `tapCount` is a multiple of 8.
        package init(rows: UnsafeBufferPointer<Double>, tapCount: Int) {
            precondition(tapCount % 8 == 0 && rows.count % tapCount == 0)
            self.rows = rows
            self.tapCount = tapCount
        }

        /// The sum for row `row`, over the samples from `samples` on.
        @inline(__always)
        func sum(_ row: Int, _ samples: UnsafePointer<Double>) -> Double {
            guard let base = rows.baseAddress else { return 0 }
            return DotProduct.of(samples, base + row &* tapCount, count: tapCount)
        }
    }

    /// Each output is the dot product of the samples from `samples[walk.sample]` on with row `walk.phase`, by
    /// ``of(_:_:count:)``.
    /// - Parameter bank: `walk.denominator` rows.
    /// - Precondition: all samples that the outputs are made of are there.
    package static func polyphase(
        _ samples: UnsafeBufferPointer<Double>,
        _ bank: Bank,
        from walk: Walk,
        into output: UnsafeMutableBufferPointer<Double>,
        vectors: VectorLength = .best
    ) {
        precondition(walk.sample >= 0 && 0..<walk.denominator ~= walk.phase)
        precondition(bank.rows.count >= walk.denominator * bank.tapCount)
        precondition(samples.count >= walk.reach(of: output.count, tapCount: bank.tapCount))
        guard let from = samples.baseAddress, let rows = bank.rows.baseAddress, let start = output.baseAddress else {
            return
        }
        let place = cut_walk(
            sample: walk.sample,
            phase: walk.phase,
            denominator: walk.denominator,
            sample_step: walk.sampleStep,
            phase_step: walk.phaseStep
        )
        cut_polyphase(vectors.value, from, rows, bank.tapCount, place, start, output.count)
    }

    /// The same with rows at `steps` phases a sample only, from phase −1/steps to 1 + 1/steps; what lies between two
    /// is interpolated by the cubic through four rows (Lagrange).
    /// - Precondition: all samples that the outputs are made of are there.
    package static func grid(
        _ samples: UnsafeBufferPointer<Double>,
        _ bank: Bank,
        steps: Int,
        from walk: Walk,
        into output: UnsafeMutableBufferPointer<Double>
    ) {
        precondition(walk.sample >= 0 && 0..<walk.denominator ~= walk.phase)
        precondition(bank.rows.count >= (steps + 3) * bank.tapCount)
        precondition(samples.count >= walk.reach(of: output.count, tapCount: bank.tapCount))
        guard let from = samples.baseAddress else { return }
        var walk = walk
        for index in output.indices {
            let (row, rest) = (walk.phase &* steps).quotientAndRemainder(dividingBy: walk.denominator)
            let weights = cubicWeights(Double(rest) / Double(walk.denominator))
            let first = from + walk.sample
            output[index] =
                (weights[0] * bank.sum(row, first) + weights[1] * bank.sum(row + 1, first))
                + (weights[2] * bank.sum(row + 2, first) + weights[3] * bank.sum(row + 3, first))
            walk.advance()
        }
    }

    /// Lagrange's weights of values at −1, 0, 1, 2 for the point t in 0 ..< 1.
    @inline(__always)
    private static func cubicWeights(_ t: Double) -> SIMD4<Double> {
        let (fromFirst, toThird, toLast) = (t + 1, t - 1, t - 2)
        return SIMD4(
            -t * toThird * toLast / 6,
            fromFirst * toThird * toLast / 2,
            -fromFirst * t * toLast / 2,
            fromFirst * t * toThird / 6
        )
    }
}
