import Timing

/// Decibels in inner loops: of + − × only, the same bits on every CPU, right to 1e-9 dB.
enum DecibelMath {
    /// 20·log10(|x|); −600 for less than 1e-30.
    @inline(__always) static func decibels(_ x: Double) -> Double {
        let size = abs(x)
        guard size > 1e-30 else { return -600 }
        // |x| = 2^exponent · part, √½ ≤ part < √2: only shifts of bits.
        let bits = size.bitPattern
        var exponent = Int(bits >> 52) - 1023
        var part = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
        if part > 1.4142135623730951 {
            part *= 0.5
            exponent += 1
        }
        let ratio = (part - 1) / (part + 1)
        let square = ratio * ratio
        var sum = 1.0 / 15
        sum = sum * square + 1.0 / 13
        sum = sum * square + 1.0 / 11
        sum = sum * square + 1.0 / 9
        sum = sum * square + 1.0 / 7
        sum = sum * square + 1.0 / 5
        sum = sum * square + 1.0 / 3
        sum = sum * square + 1
        return (Double(exponent) + 2.885390081777927 * ratio * sum) * 6.020599913279624
    }

    /// 10^(decibels / 20), for −6000 … 6000.
    @inline(__always) static func gain(_ decibels: Double) -> Double {
        let doublings = decibels * 0.16609640474436812
        let whole = doublings.rounded()
        let x = (doublings - whole) * 0.6931471805599453
        var sum = 1 + x / 11
        sum = 1 + x * sum * 0.1
        sum = 1 + x * sum * (1.0 / 9)
        sum = 1 + x * sum * 0.125
        sum = 1 + x * sum * (1.0 / 7)
        sum = 1 + x * sum * (1.0 / 6)
        sum = 1 + x * sum * 0.2
        sum = 1 + x * sum * 0.25
        sum = 1 + x * sum * (1.0 / 3)
        sum = 1 + x * sum * 0.5
        sum = 1 + x * sum
        return sum * Double(bitPattern: UInt64(Int(whole) + 1023) << 52)
    }

    static func log2Exact(_ x: Double) -> Double { ExactMath.log2(x) }

    /// The factor a sample that brings 1 to 1/e within `seconds`.
    static func decay(seconds: Double, sampleRate: Double) -> Double {
        seconds > 0 ? ExactMath.exp2(-1.4426950408889634 / (seconds * sampleRate)) : 0
    }
}
