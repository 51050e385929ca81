import Foundation
import Testing

@testable import Timing

/// Foundation's functions are the oracle: right to the last bit or two on any CPU.
@Suite struct ExactMathTests {
    /// Irregular places in −8 … 8.2.
    private static let arguments = (0..<4000).map { index -> Double in
        let scattered = Double(index * index % 4099)
        return scattered / 257 - 8 + Double(index) / 16_384
    }

    @Test func sineAndCosineAgree() {
        for x in Self.arguments {
            #expect(abs(ExactMath.sinPi(x) - sin(.pi * (x - 2 * (x / 2).rounded()))) < 4e-16, "\(x)")
            #expect(abs(ExactMath.cosPi(x) - cos(.pi * (x - 2 * (x / 2).rounded()))) < 4e-16, "\(x)")
        }
    }

    @Test func halvesAreExact() {
        for whole in -9...9 {
            #expect(ExactMath.sinPi(Double(whole)) == 0)
            #expect(ExactMath.cosPi(Double(whole)) == (whole % 2 == 0 ? 1 : -1))
            #expect(ExactMath.cosPi(Double(whole) + 0.5) == 0)
            #expect(abs(ExactMath.sinPi(Double(whole) + 0.5)) == 1)
        }
        #expect(ExactMath.sincPi(0) == 1)
        #expect(ExactMath.sincPi(7) == 0)
    }

    @Test func powersOfTwoAgree() {
        for x in Self.arguments {
            #expect(abs(ExactMath.exp2(x * 20) / pow(2, x * 20) - 1) < 1e-15, "\(x)")
        }
        #expect(ExactMath.exp2(10) == 1024)
        #expect(ExactMath.exp2(-5000) == 0)
        #expect(ExactMath.exp2(5000) == .infinity)
    }

    @Test func logarithmsAndPowersAgree() {
        for x in Self.arguments {
            let number = pow(2, x * 3)
            #expect(abs(ExactMath.log2(number) - log2(number)) < 1e-14, "\(number)")
            for exponent in [0.1593017578125, 78.84375, 1 / 2.4, 1.5] where abs(x * 3 * exponent) < 40 {
                #expect(abs(ExactMath.power(number, exponent) / pow(number, exponent) - 1) < 1e-13, "\(number)")
            }
        }
        #expect(ExactMath.log2(1) == 0 && ExactMath.log2(8) == 3 && ExactMath.log2(0.25) == -2)
        #expect(ExactMath.power(0, 0.5) == 0)
    }

    @Test func decibelsAgree() {
        for x in Self.arguments {
            #expect(abs(ExactMath.gain(decibels: x * 12) / pow(10, x * 12 / 20) - 1) < 3e-15, "\(x)")
        }
        #expect(ExactMath.gain(decibels: 0) == 1)
        #expect(abs(ExactMath.gain(decibels: 20) - 10) < 2e-15)
        #expect(ExactMath.gain(decibels: -20_000) == 0)
    }

    /// Integral form: I0(x) = 1/π ∫ exp(x cos θ) dθ over 0 … π; the trapezoid rule converges faster than any power.
    @Test(arguments: [0, 0.25, 1, 3.5, 7, 10.0625, 14])
    func besselAgrees(x: Double) {
        let steps = 200
        let inner = (1..<steps).map { exp(x * cos(.pi * Double($0) / Double(steps))) }.reduce(0, +)
        let integral = (inner + (exp(x) + exp(-x)) / 2) / Double(steps)
        #expect(abs(ExactMath.besselI0(x) / integral - 1) < 1e-14)
    }
}
