import Samples
import Testing
import Timing

@Suite struct FilterTests {
    let rate = 48_000.0

    /// The filter's gain for a tone, measured and by its transfer function.
    @Test(arguments: [50.0, 200, 1000, 5000, 15_000]) func tonesGetTheGainOfTheTransferFunction(frequency: Double) {
        let section = Biquad.peak(frequency: 1000, quality: 1, gain: 9, sampleRate: rate)
        let output = run(FilterChain([section], channels: 1), [sine(96_000, frequency: frequency)])[0]
        let tail = output[48_000...]
        let measured = (tail.map { $0 * $0 }.reduce(0, +) / Double(tail.count) * 2).squareRoot()
        #expect(abs(measured - section.gain(at: frequency, sampleRate: rate)) < 1e-6)
    }

    @Test(arguments: 1...8) func butterworthLosesThreeDecibelsAtItsFrequency(order: Int) {
        for pass in [Biquad.Pass.low, .high] {
            let sections = Biquad.butterworth(pass, frequency: 1000, order: order, sampleRate: rate)
            let gain = { (hertz: Double) in sections.map { $0.gain(at: hertz, sampleRate: 48_000) }.reduce(1, *) }
            #expect(abs(gain(1000) - 0.5.squareRoot()) < 1e-9)
            // 6 dB an octave for each order, two octaves away.
            let away = pass == .low ? gain(4000) : gain(250)
            #expect(away < 1.3 * ExactMath.exp2(-2 * Double(order)))
            #expect(abs((pass == .low ? gain(1) : gain(23_900)) - 1) < 1e-3)
        }
    }

    @Test func shelvesAndPeaksReachTheirGain() {
        let gain = { (section: Biquad, hertz: Double) in section.gain(at: hertz, sampleRate: 48_000) }
        let six = ExactMath.gain(decibels: 6)
        #expect(abs(gain(.peak(frequency: 800, quality: 3, gain: 6, sampleRate: rate), 800) - six) < 1e-9)
        #expect(abs(gain(.lowShelf(frequency: 200, quality: 0.7, gain: 6, sampleRate: rate), 0.01) - six) < 1e-6)
        #expect(abs(gain(.lowShelf(frequency: 200, quality: 0.7, gain: 6, sampleRate: rate), 24_000) - 1) < 1e-6)
        #expect(abs(gain(.highShelf(frequency: 4000, quality: 0.7, gain: 6, sampleRate: rate), 24_000) - six) < 1e-6)
        #expect(abs(gain(.highShelf(frequency: 4000, quality: 0.7, gain: 6, sampleRate: rate), 0.01) - 1) < 1e-6)
        #expect(gain(.notch(frequency: 50, quality: 10, sampleRate: rate), 50) < 1e-9)
        #expect(abs(gain(.bandPass(frequency: 500, quality: 1, sampleRate: rate), 500) - 1) < 1e-9)
    }
}
