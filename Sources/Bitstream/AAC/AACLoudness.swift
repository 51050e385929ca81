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

    /// The gain in energy of a stage of a noise shaping filter, 1 / (1 − k²) for a reflection coefficient k (4.6.9.3). It is
    /// what an all-pole filter does to a flat spectrum, which a spectrum that was made with it is.
    /// - Parameters:
    ///   - reflection: the quantised coefficient: −4 … 3, or with a fine resolution −8 … 7.
    ///   - isFine: coef_res.
    static func gain(reflection: Int, isFine: Bool) -> Double {
        isFine ? fineGains[reflection + 8] : coarseGains[reflection + 4]
    }

    /// 1 / cos²(q π / 2d), where d is 3.5 for q from 0 on and 4.5 below; of the fine ones 7.5 and 8.5.
    private static let coarseGains = [33.1634, 4, 1.70409, 1.13247, 1, 1.23191, 2.57242, 20.1957]
    private static let fineGains = [
        117.461, 13.3527, 5.03315, 2.75354, 1.83105, 1.38338, 1.15008, 1.03494,
        1, 1.04518, 1.19823, 1.52786, 2.23346, 4, 10.4721, 91.5231,
    ]

    /// Whether a transform may have coefficients of this energy, the sum of their squares in the scale of samples of 16
    /// bits, and of several in a group their mean: up to an RMS 6 dB above that of a square wave at full scale. A transform
    /// of N coefficients and an RMS r has an energy of 2 N² · r², by the scale of the inverse transform (4.6.11.3.1) and
    /// Parseval's theorem.
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
