import Timing

/// The discrete Fourier transform of a power of two of complex numbers, in place (radix 2, Cooley and Tukey), of + − ×
/// with factors from ``ExactMath``: the same bits on every CPU.
struct FourierTransform {
    let count: Int
    private let cosines: [Double]
    private let sines: [Double]
    private let order: [Int]

    /// - Parameter count: a power of two, 4 or more.
    init(count: Int) {
        precondition(count >= 4 && count & (count - 1) == 0)
        self.count = count
        cosines = (0..<count / 2).map { ExactMath.cosPi(2 * Double($0) / Double(count)) }
        sines = (0..<count / 2).map { -ExactMath.sinPi(2 * Double($0) / Double(count)) }
        let bits = count.trailingZeroBitCount
        order = (0..<count).map { place in
            (0..<bits).reduce(0) { $0 << 1 | (place >> $1) & 1 }
        }
    }

    /// X[k] = Σ x[n] e^(−2πikn/N).
    /// - Precondition: both buffers hold ``count`` numbers.
    func forward(_ real: SampleBuffer, _ imaginary: SampleBuffer) {
        precondition(real.count == count && imaginary.count == count)
        for place in 0..<count where place < order[place] {
            real.swapAt(place, order[place])
            imaginary.swapAt(place, order[place])
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                var half = 1
                while half < count {
                    let step = count / (2 * half)
                    for start in stride(from: 0, to: count, by: 2 * half) {
                        for k in 0..<half {
                            let (c, s) = (cosines[k &* step], sines[k &* step])
                            let (low, high) = (start &+ k, start &+ k &+ half)
                            let (x, y) = (real[high] * c - imaginary[high] * s, real[high] * s + imaginary[high] * c)
                            (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                            (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                        }
                    }
                    half *= 2
                }
            }
        }
    }

    /// x[n] = Σ X[k] e^(2πikn/N), not divided by N.
    func backward(_ real: SampleBuffer, _ imaginary: SampleBuffer) { forward(imaginary, real) }
}
