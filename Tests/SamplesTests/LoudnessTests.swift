import Samples
import Shared
import Testing

/// Cases of EBU Tech 3341 (2016), "Minimum requirements test signals".
@Suite struct LoudnessTests {
    func reading(
        _ parts: [(seconds: Double, level: Double)],
        rate: Int = 48_000,
        weights: [Double] = [1, 1]
    )
        -> LoudnessReading
    {
        let meter = LoudnessMeter(weights: weights, sampleRate: rate)
        for part in parts {
            var tone = sine(
                Int(part.seconds * Double(rate)),
                frequency: 1000,
                sampleRate: Double(rate),
                gain: ExactMath.gain(decibels: part.level)
            )
            tone.withUnsafeMutableBufferPointer { tone in
                for start in stride(from: 0, to: tone.count, by: 4096) {
                    let block = SampleBuffer(rebasing: tone[start..<min(start + 4096, tone.count)])
                    meter.measure(weights.map { _ in block })
                }
            }
        }
        return meter.reading
    }

    @Test(arguments: [44_100, 48_000, 96_000]) func stereoToneAtMinus23(rate: Int) throws {
        let integrated = try #require(reading([(20, -23)], rate: rate).integrated)
        #expect(abs(integrated + 23) < 0.05, "\(integrated)")
    }

    @Test func cases3And4AreGated() throws {
        let third = try #require(reading([(10, -36), (60, -23), (10, -36)]).integrated)
        #expect(abs(third + 23) < 0.1)
        let fourth = try #require(reading([(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)]).integrated)
        #expect(abs(fourth + 23) < 0.1)
        let fifth = try #require(reading([(20, -26), (20.1, -20), (20, -26)]).integrated)
        #expect(abs(fifth + 23) < 0.1)
    }

    @Test func rangeOfTech3342() throws {
        #expect(abs(try #require(reading([(20, -20), (20, -30)]).range) - 10) < 1)
        #expect(abs(try #require(reading([(20, -40), (20, -20)]).range) - 20) < 1)
    }

    @Test func silenceHasNoLoudness() { #expect(reading([(5, -120)]).integrated == nil) }

    @Test func piecesJoinToTheWhole() {
        var samples = noise(48_000 * 5, seed: 2)
        let whole = LoudnessMeter(weights: [1], sampleRate: 48_000)
        samples.withUnsafeMutableBufferPointer { whole.measure([$0]) }
        var joined = LoudnessReading()
        for piece in [0..<96_000, 96_000..<120_000, 120_000..<240_000] {
            let meter = LoudnessMeter(weights: [1], sampleRate: 48_000)
            samples.withUnsafeMutableBufferPointer { samples in
                let before = max(piece.lowerBound - Int(meter.memory), 0)..<piece.lowerBound
                meter.measure([SampleBuffer(rebasing: samples[before])], isHeard: false)
                meter.measure([SampleBuffer(rebasing: samples[piece])])
            }
            joined.append(meter.reading)
        }
        #expect(joined.energies.count == whole.reading.energies.count)
        for (a, b) in zip(joined.energies, whole.reading.energies) { #expect(abs(a - b) < 1e-7 * b) }
    }

    /// Tech 3341's case 15: a tone of a quarter of the rate whose peaks lie between its samples.
    @Test(arguments: [0.0, 0.25, 0.125]) func truePeakIsBetweenSamples(phase: Double) {
        var samples = (0..<48_000).map { 0.5 * ExactMath.sinPi(0.5 * Double($0) + phase) }
        let meter = LoudnessMeter(weights: [1], sampleRate: 48_000)
        samples.withUnsafeMutableBufferPointer { meter.measure([$0]) }
        #expect(abs(meter.reading.truePeakDecibels + 6.02) < 0.25, "\(meter.reading.truePeakDecibels)")
    }
}
