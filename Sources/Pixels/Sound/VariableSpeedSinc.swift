/// A filter for places that lie anywhere and a width that changes from output to output: coefficients from one table.
///
/// The order of additions is fixed and no multiply is fused with an add, so every CPU gives the same bits.
package struct VariableSpeedSinc: Sendable {
    /// The samples on either side, where nothing is widened, from which on the filter's response is 0.
    package let halfWidth: Int
    /// Cubics, four coefficients each, from `n / steps` to `(n + 1) / steps` of a sample.
    private let cubics: [Double]
    private let steps: Int

    /// - Parameters:
    ///   - steps: how many cubics a sample has.
    ///   - value: the response at a distance of 0 or more, which is even; it ends before `halfWidth`.
    package init(halfWidth: Int, steps: Int, value: (Double) -> Double) {
        self.halfWidth = halfWidth
        self.steps = steps
        let count = halfWidth * steps
        let values = (0...count + 2).map { value(Double($0) / Double(steps)) }
        var cubics: [Double] = []
        cubics.reserveCapacity(4 * count)
        for n in 0..<count {
            // Through the values at −1, 0, 1, 2 (Lagrange).
            let (a, b, c, d) = (values[abs(n - 1)], values[n], values[n + 1], values[n + 2])
            cubics.append(b)
            cubics.append(c - b / 2 - (a / 3 + d / 6))
            cubics.append((a + c) / 2 - b)
            cubics.append((d - a) / 6 + (b - c) / 2)
        }
        self.cubics = cubics
    }

    /// Taps on either side of a place where all is widened `scale` times: a multiple of 4.
    /// - Parameter scale: 1 or more.
    package func taps(scale: Double) -> Int { (Int((Double(halfWidth) * scale).rounded(.up)) + 3) / 4 * 4 }

    /// Coefficients for the samples `floor − taps + 1 … floor + taps` around the place `floor + part`.
    /// - Parameters:
    ///   - scale: see ``taps(scale:)``.
    ///   - weights: room for `2 × taps`.
    /// - Returns: their sum, which a sum of samples is divided by.
    /// - Precondition: `part` is 0 … 1.
    package func fill(_ weights: UnsafeMutableBufferPointer<Double>, part: Double, scale: Double) -> Double {
        precondition(part >= 0 && part <= 1 && scale > 0)
        let taps = weights.count / 2
        let step = Double(steps) / scale
        var (left, right) = (0.0, 0.0)
        cubics.withUnsafeBufferPointer { cubics in
            guard let base = cubics.baseAddress else { return }
            let end = cubics.count / 4
            for tap in 0..<taps {
                let before = VariableSpeedSinc.value(base, end, (part + Double(tap)) * step)
                let after = VariableSpeedSinc.value(base, end, (Double(tap + 1) - part) * step)
                weights[taps &- 1 &- tap] = before
                weights[taps &+ tap] = after
                left += before
                right += after
            }
        }
        return left + right
    }

    @inline(__always)
    private static func value(_ cubics: UnsafePointer<Double>, _ end: Int, _ place: Double) -> Double {
        let index = Int(place)
        guard index < end else { return 0 }
        let t = place - Double(index)
        let cubic = cubics + 4 &* index
        return cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]))
    }

    /// Σ samples[i] × weights[i], as ``DotProduct`` adds.
    /// - Precondition: there are as many samples as weights, a multiple of 8.
    package static func sum(
        _ samples: UnsafeBufferPointer<Double>,
        _ weights: UnsafeMutableBufferPointer<Double>
    ) -> Double {
        precondition(samples.count == weights.count && weights.count % 8 == 0)
        guard let from = samples.baseAddress, let base = weights.baseAddress else { return 0 }
        return DotProduct.of(from, base, count: weights.count)
    }
}
