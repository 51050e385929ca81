import Timing

/// The modified discrete cosine transform of AAC with long windows, 2048 samples to 1024 coefficients (ISO/IEC 14496-3,
/// 4.6.11): X[k] = 2 Σ w[n] x[n] cos(π/1024 · (n + 512.5) · (k + ½)), the same bits on every CPU.
package struct ModifiedCosineTransform {
    /// How a half of the window rises or falls.
    package struct Slope: Hashable {
        /// Whether it is Kaiser–Bessel-derived (α = 4, or 6 for a short one) and not a sine.
        package var isKaiserBessel: Bool
        /// Whether it has 128 samples, in the middle of the half, and not 1024.
        package var isShort: Bool

        package init(isKaiserBessel: Bool, isShort: Bool) {
            (self.isKaiserBessel, self.isShort) = (isKaiserBessel, isShort)
        }
    }

    /// The coefficients of a transform; its window has twice as many samples.
    package static let count = 1024

    private let fourier = FourierTransform(count: 2 * count)
    private let before: [(cosine: Double, sine: Double)]
    private let behind: [(cosine: Double, sine: Double)]

    package init() {
        let count = Double(Self.count)
        before = (0..<2 * Self.count).map { n in
            let turn = -Double(n) / (2 * count)
            return (ExactMath.cosPi(turn), ExactMath.sinPi(turn))
        }
        behind = (0..<Self.count).map { k in
            let turn = -(count / 2 + 0.5) * (Double(k) + 0.5) / count
            return (ExactMath.cosPi(turn), ExactMath.sinPi(turn))
        }
    }

    /// The coefficients of `samples` under the window of two slopes.
    /// - Precondition: there are 2048 samples.
    package func forward(_ samples: [Double], left: Slope, right: Slope) -> [Double] {
        precondition(samples.count == 2 * Self.count)
        let window = Self.rising(left) + Self.rising(right).reversed()
        var real = (0..<2 * Self.count).map { samples[$0] * window[$0] * before[$0].cosine }
        var imaginary = (0..<2 * Self.count).map { samples[$0] * window[$0] * before[$0].sine }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { fourier.forward(real, $0) }
        }
        return (0..<Self.count).map { k in
            2 * (real[k] * behind[k].cosine - imaginary[k] * behind[k].sine)
        }
    }

    /// The 1024 factors of a slope as the left half of a window.
    static func rising(_ slope: Slope) -> [Double] {
        guard slope.isShort else { return slope.isKaiserBessel ? kaiserBessel(count, alpha: 4) : sine(count) }
        let short = count / 8
        let flat = (count - short) / 2
        let rise = slope.isKaiserBessel ? kaiserBessel(short, alpha: 6) : sine(short)
        return [Double](repeating: 0, count: flat) + rise + [Double](repeating: 1, count: flat)
    }

    private static func sine(_ count: Int) -> [Double] {
        (0..<count).map { ExactMath.sinPi((Double($0) + 0.5) / Double(2 * count)) }
    }

    /// The square roots of the sums of a Kaiser window of `count` + 1 samples.
    private static func kaiserBessel(_ count: Int, alpha: Double) -> [Double] {
        let kaiser = (0...count).map { n in
            let place = 2 * Double(n) / Double(count) - 1
            return ExactMath.besselI0(.pi * alpha * max(1 - place * place, 0).squareRoot())
        }
        let total = kaiser.reduce(0, +)
        var sum = 0.0
        return kaiser.dropLast().map { value in
            sum += value
            return (sum / total).squareRoot()
        }
    }
}
