import Samples
import Testing
import Timing

@Suite struct DynamicsTests {
    let rate = 48_000.0

    func decibels(_ x: Double) -> Double { 6.020599913279624 * ExactMath.log2(abs(x)) }

    /// A constant is its own level: what comes out is the static curve.
    @Test(arguments: [-40.0, -24, -20, -17, -10, 0]) func compressorFollowsItsCurve(level: Double) {
        var settings = Compressor.Settings()
        settings.makeup = 2
        let input = [Double](repeating: ExactMath.gain(decibels: level), count: 96_000)
        let output = run(Compressor(settings, sampleRate: rate), [input])[0]
        // Threshold −20, ratio 4, knee 6: below −23 as it is, above −17 a quarter, a parabola between.
        let over = level + 20
        let lowered = over < -3 ? 0 : over > 3 ? 0.75 * over : 0.75 * (over + 3) * (over + 3) / 12
        #expect(abs(decibels(output[95_999]) - (level - lowered + 2)) < 1e-6)
    }

    @Test func compressorTakesItsTime() {
        var settings = Compressor.Settings()
        settings.knee = 0
        settings.ratio = 1e9
        settings.threshold = -20
        settings.attack = 0.05
        settings.release = 0.3
        let loud = [Double](repeating: 1, count: 24_000)
        let quiet = [Double](repeating: 0.05, count: 24_000)
        let output = run(Compressor(settings, sampleRate: rate), [loud + quiet])[0]
        // 20 dB are asked for; after the attack 1 − 1/e of them are given.
        #expect(abs(-decibels(output[2399]) - 20 * (1 - 0.36787944)) < 0.02)
        let left = -decibels(output[24_000 + 14_400] / 0.05)
        #expect(left > 7.3 && left < 9, "\(left)")
    }

    @Test func gateClosesAndOpens() {
        let tone = sine(24_000, frequency: 1000, gain: 0.1)
        let hiss = noise(48_000).map { $0 * 0.001 }
        let output = run(Gate(.init(), sampleRate: rate), [hiss + tone + hiss])[0]
        let size = { (range: Range<Int>) in output[range].map { abs($0) }.max() ?? 0 }
        #expect(size(20_000..<48_000) < 1.1e-6)
        #expect(abs(size(50_000..<72_000) - 0.1) < 1e-3)
        #expect(size(72_000..<76_000) > 0.0009, "held")
        #expect(size(115_000..<120_000) < 1.1e-5)
    }

    @Test(arguments: [0.3, 1, 2, 8]) func limiterKeepsTheTruePeak(gain: Double) {
        var input = noise(48_000, seed: 9).map { $0 * gain }
        // A tone a quarter of the rate, between whose samples the peaks lie.
        for i in 0..<24_000 { input[i] = gain * ExactMath.sinPi(0.5 * Double(i) + 0.25) }
        let limiter = Limiter(.init(), channels: 1, sampleRate: rate)
        let output = run(limiter, [input + Array(repeating: 0, count: limiter.latency)])[0]
        let meter = LoudnessMeter(weights: [1], sampleRate: 48_000)
        var copy = output
        copy.withUnsafeMutableBufferPointer { meter.measure([$0]) }
        #expect(meter.reading.truePeakDecibels < -1 + 0.06, "\(meter.reading.truePeakDecibels)")
        if gain == 0.3 { #expect(Array(output[limiter.latency...]) == input, "what is quieter is not touched") }
    }

    @Test func duckingIsThereBeforeTheOther() {
        let duck = DuckEnvelope(
            threshold: -40,
            depth: 12,
            attack: 4800,
            hold: 9600,
            release: 24_000,
            sampleRate: 48_000
        )
        // Heard in blocks 100 ..< 150: samples 48000 ..< 72000.
        let wanted = 0..<Int64(120_000)
        let blocks = duck.blocks(for: wanted)
        let squares = blocks.map { (100..<150).contains($0) ? 0.01 : 1e-6 }
        var gains = [Double](repeating: 1, count: wanted.count)
        gains.withUnsafeMutableBufferPointer {
            duck.multiply($0, from: 0, heard: duck.heard(squares), firstBlock: blocks.lowerBound)
        }
        let at = { (sample: Int) in -decibels(gains[sample]) }
        #expect(gains[43_199] == 1)
        #expect(abs(at(45_600) - 6) < 1e-6)
        #expect(abs(at(48_000) - 12) < 1e-6 && abs(at(72_000 + 9599) - 12) < 1e-6)
        #expect(abs(at(72_000 + 9600 + 12_000) - 6) < 1e-6)
        #expect(gains[72_000 + 9600 + 24_000] == 1)
        // Any piece gives the same.
        for piece in [1000..<1001, 45_000..<50_000, 71_000..<110_000] {
            let range = Int64(piece.lowerBound)..<Int64(piece.upperBound)
            let blocks = duck.blocks(for: range)
            let squares = blocks.map { (100..<150).contains($0) ? 0.01 : 1e-6 }
            var part = [Double](repeating: 1, count: piece.count)
            part.withUnsafeMutableBufferPointer {
                duck.multiply(
                    $0,
                    from: range.lowerBound,
                    heard: duck.heard(squares),
                    firstBlock: blocks.lowerBound
                )
            }
            #expect(part == Array(gains[piece]))
        }
    }
}
