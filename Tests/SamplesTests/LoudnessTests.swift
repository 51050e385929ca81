import CompositionModel
import Testing
import Timing

@testable import Samples

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

    /// Pieces begin at cells, and hear what the filters remember before: the same bits, and the same peak, also where
    /// it lies at a border.
    @Test(arguments: [8000, 44_100]) func piecesJoinToTheWhole(rate: Int) {
        let cell = LoudnessMeter(weights: [1], sampleRate: rate).cell
        var samples = noise(cell * 3 + 1234, seed: 2)
        for sample in 0..<8 { samples[cell - 4 + sample] = sample.isMultiple(of: 2) ? 3 : -3 }
        let whole = LoudnessMeter(weights: [1], sampleRate: rate)
        samples.withUnsafeMutableBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: 3001) {
                whole.measure([SampleBuffer(rebasing: samples[start..<min(start + 3001, samples.count)])])
            }
        }
        whole.finish()
        var joined = LoudnessReading()
        for piece in [0..<cell, cell..<3 * cell, 3 * cell..<samples.count] {
            let meter = LoudnessMeter(weights: [1], sampleRate: rate)
            samples.withUnsafeMutableBufferPointer { samples in
                let before = max(piece.lowerBound - meter.memory, 0)..<piece.lowerBound
                meter.measure([SampleBuffer(rebasing: samples[before])], isHeard: false)
                meter.measure([SampleBuffer(rebasing: samples[piece])])
            }
            if piece.upperBound == samples.count { meter.finish() }
            joined.append(meter.reading)
        }
        #expect(joined == whole.reading)
        #expect(joined.energies.count == 300 + 1234 / ((rate + 5) / 10))
        #expect(joined.truePeak > 3)
    }

    /// A new run of the filters every ten seconds changes nothing that counts.
    @Test func cellsAreNotHeard() {
        var samples = noise(8000 * 25, seed: 3)
        let meter = LoudnessMeter(weights: [1], sampleRate: 8000)
        let filter = FilterChain(LoudnessMeter.weighting(8000), channels: 1)
        samples.withUnsafeMutableBufferPointer { meter.measure([$0]) }
        samples.withUnsafeMutableBufferPointer { filter.process([$0]) }
        for (tenth, energy) in meter.reading.energies.enumerated() {
            let plain = samples[tenth * 800..<(tenth + 1) * 800].reduce(0) { $0 + $1 * $1 } / 800
            #expect(abs(energy - plain) < 1e-6 * plain, "\(tenth)")
        }
    }

    /// A programme that a limiter makes quieter: what is asked for until it fits.
    @Test func theSearchConverges() {
        func programme(_ gain: LoudnessGain?, limit: Double) -> LoudnessReading {
            // What is above `limit` comes down to it.
            var reading = LoudnessReading()
            let level = -30 + (gain?.decibels ?? 0)
            let loud = gain?.isLimited == true ? min(level, limit + 0.3 * (level - limit)) : level
            reading.energies = Array(repeating: LoudnessReading.energy(loud), count: 40)
            reading.truePeak = ExactMath.gain(decibels: level + 10)
            return reading
        }
        func search(_ target: Int64, limit: Double) -> (LoudnessSearch, [LoudnessGain?], Double) {
            var search = LoudnessSearch(LoudnessTarget(integrated: target * 1_000_000, truePeak: -1_000_000))
            var asked: [LoudnessGain?] = []
            while case .measure(let gain) = search.step {
                asked.append(gain)
                search.take(programme(gain, limit: limit))
            }
            guard case .done(let gain) = search.step else { return (search, asked, .nan) }
            return (search, asked, programme(gain, limit: limit).integrated ?? .nan)
        }
        // The peak of −20 dB comes to −13.
        let quiet = search(-23, limit: 0)
        #expect(quiet.1 == [nil] && quiet.0.step == .done(LoudnessGain(millionths: 7_000_000, isLimited: false)))
        let loud = search(-10, limit: -12)
        #expect(loud.1.count == 4 && abs(loud.2 + 10) < 0.1 && loud.0.shortfall == nil, "\(loud)")
        let tooLoud = search(-5, limit: -40)
        #expect(tooLoud.1.count == 4 && tooLoud.0.shortfall != nil)
        var silence = LoudnessSearch(LoudnessTarget(integrated: -23_000_000, truePeak: 0))
        silence.take(LoudnessReading())
        #expect(silence.step == .done(LoudnessGain(millionths: 0, isLimited: false)))
    }

    /// Tech 3341's case 15: a tone of a quarter of the rate whose peaks lie between its samples.
    @Test(arguments: [0.0, 0.25, 0.125]) func truePeakIsBetweenSamples(phase: Double) {
        var samples = (0..<48_000).map { 0.5 * ExactMath.sinPi(0.5 * Double($0) + phase) }
        let meter = LoudnessMeter(weights: [1], sampleRate: 48_000)
        samples.withUnsafeMutableBufferPointer { meter.measure([$0]) }
        #expect(abs(meter.reading.truePeakDecibels + 6.02) < 0.25, "\(meter.reading.truePeakDecibels)")
    }
}
