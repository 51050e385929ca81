/// How loud the coefficients of a packet of AAC are. All of it is computed with operations that give the same on every
/// machine.
enum AACLoudness {
    /// The scale factor that stands for 1 (SF_OFFSET of ISO/IEC 14496-3, 4.6.2.3.3).
    static let unity = 100

    /// The square of a quantised coefficient's magnitude after its dequantisation, which is |q|^(4/3) (4.6.1.3).
    static func energy(coefficient: Int) -> Double {
        let square = Double(coefficient) * Double(coefficient)
        return square * cubeRoot(square)
    }

    /// The square of 2^(factor / 4), by which a scale factor multiplies (4.6.2.3.3).
    static func energy(factor: Int) -> Double {
        Double(sign: .plus, exponent: factor >> 1, significand: factor & 1 == 0 ? 1 : 2.0.squareRoot())
    }

    /// Whether a transform may have coefficients of this energy, the sum of their squares: up to an RMS 6 dB above that of
    /// a square wave at full scale. A transform of N coefficients and an RMS r has an energy of 2 N² · r², by the scale of
    /// the inverse transform (4.6.11.3.1) and Parseval's theorem.
    /// - Parameter isShort: whether it is one of eight.
    static func isPossible(_ energy: Double, isShort: Bool) -> Bool {
        let count = isShort ? 128.0 : 1024.0
        let rms = 2 * 32_768.0
        return energy <= 2 * count * count * rms * rms
    }

    /// By Newton's method, to about a millionth.
    private static func cubeRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = Double(sign: .plus, exponent: (Int(value.exponent) + 2) / 3, significand: 1)
        for _ in 0..<5 { root -= (root - value / (root * root)) / 3 }
        return root
    }
}
