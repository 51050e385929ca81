import Samples
import Testing
import Timing

@Suite struct SpaceTests {
    @Test func echoRepeats() {
        var settings = Echo.Settings()
        settings.time = 0.01
        settings.feedback = 0.5
        settings.mix = 0.8
        var input = [Double](repeating: 0, count: 2000)
        input[0] = 1
        let output = run(Echo(settings, channels: 1, sampleRate: 48_000), [input])[0]
        for (index, value) in output.enumerated() {
            let expected =
                index == 0 ? 1 : index.isMultiple(of: 480) ? 0.8 * ExactMath.exp2(1 - Double(index / 480)) : 0
            #expect(abs(value - expected) < 1e-12)
        }
    }

    private static let gains = [(1.0, 0.3), (0.0, 1.0), (0.5, 0.7), (1.0, 0.0), (0.0, 0.0)]

    /// Against y = dry × x + mix × r, r(n) = x(n − T) + feedback × r(n − T), written out.
    @Test(arguments: gains) func echoIsItsFormula(dry: Double, mix: Double) {
        var settings = Echo.Settings()
        (settings.time, settings.feedback, settings.dry, settings.mix) = (0.005, 0.6, dry, mix)
        let input = noise(3000, seed: 5)
        var repeats = [Double](repeating: 0, count: input.count)
        for n in 240..<input.count { repeats[n] = input[n - 240] + 0.6 * repeats[n - 240] }
        let output = run(Echo(settings, channels: 1, sampleRate: 48_000), [input])[0]
        for n in input.indices { #expect(output[n] == dry * input[n] + mix * repeats[n]) }
    }

    /// What is not told how loud the dry sound is changes no bit of it.
    @Test func dryIsOneByDefault() {
        let input = noise(20_000, seed: 6)
        let echo = run(Echo(.init(), channels: 1, sampleRate: 48_000), [input])[0]
        #expect(Array(echo[..<12_000]) == Array(input[..<12_000]))
        let reverb = run(Reverb(.init(), sampleRate: 48_000), [input])[0]
        #expect(Array(reverb[..<1900]) == Array(input[..<1900]), "the room answers after 10 ms and its shortest line")
    }

    /// Of two channels: y = dry × x + mix × w, whatever the gains; w begins with the ends of two lines, one turned
    /// over.
    @Test(arguments: gains) func reverbIsItsFormula(dry: Double, mix: Double) {
        let input = [noise(9000, seed: 7), noise(9000, seed: 8)]
        func played(_ dry: Double, _ mix: Double, _ input: [[Double]]) -> [[Double]] {
            var settings = Reverb.Settings()
            (settings.dry, settings.mix) = (dry, mix)
            return run(Reverb(settings, sampleRate: 48_000), input)
        }
        let (room, output) = (played(0, 1, input), played(dry, mix, input))
        for channel in 0...1 {
            for n in input[channel].indices {
                #expect(output[channel][n] == dry * input[channel][n] + mix * room[channel][n])
            }
        }
        var click = [[Double]](repeating: Array(repeating: 0, count: 2000), count: 2)
        (click[0][0], click[1][0]) = (1, 0.5)
        let (answer, first) = (played(0, mix, click), 480 + 1426)
        #expect(answer[0][..<first].allSatisfy { $0 == 0 } && answer[1][..<first].allSatisfy { $0 == 0 })
        #expect(abs(answer[0][first] - 0.75 * mix) < 1e-12)
    }

    /// The energy that is left falls by 60 dB in the time that was asked for.
    @Test(arguments: [0.5, 2]) func reverbDiesAwayInItsTime(decay: Double) {
        var settings = Reverb.Settings()
        settings.decay = decay
        settings.damping = 0
        settings.mix = 1
        var input = [[Double]](repeating: Array(repeating: 0, count: Int(decay * 48_000 * 1.2)), count: 2)
        input[0][0] = 1
        input[1][0] = 1
        let output = run(Reverb(settings, sampleRate: 48_000), input)
        let energy = { (from: Int) in output[0][from...].map { $0 * $0 }.reduce(0, +) }
        let (early, late) = (Int(0.3 * decay * 48_000), Int(0.8 * decay * 48_000))
        let fallen = 10 * (ExactMath.log2(energy(early)) - ExactMath.log2(energy(late))) / ExactMath.log2(10)
        #expect(abs(fallen - 30) < 2.5, "\(fallen)")
        #expect(output[0] != output[1])
    }

    @Test func noiseIsTakenAwayAndToneIsKept() {
        let count = 48_000 * 6
        let hiss = noise(count, seed: 21).map { $0 * 0.01 }
        var input = hiss
        let tone = sine(count, frequency: 1000, gain: 0.3)
        // Half a second of tone in every second.
        for i in 0..<count where i / 24_000 % 2 == 1 { input[i] += tone[i] }
        let reduction = NoiseReduction(.init(), channels: 1)
        let output = run(reduction, [input + Array(repeating: 0, count: reduction.latency)])[0].dropFirst(
            reduction.latency
        )
        let level = { (samples: ArraySlice<Double>) in
            10 * ExactMath.log2(samples.map { $0 * $0 }.reduce(0, +) / Double(samples.count)) / ExactMath.log2(10)
        }
        let sound = Array(output)
        let quiet = 100_000..<116_000
        #expect(abs(level(hiss[quiet]) - level(sound[quiet]) - 12) < 1.5, "\(level(hiss[quiet]) - level(sound[quiet]))")
        let loud = 124_000..<140_000
        #expect(abs(level(tone[loud]) - level(sound[loud])) < 0.1)
    }

    /// Silence beside a clip is not its noise: it is the same from its first sample to its last, also a short one.
    @Test(arguments: [24_000, 62_400, 240_000]) func noiseBesideSilenceIsTakenAway(length: Int) {
        let hiss = noise(length, seed: 22).map { $0 * 0.01 }
        let silence = [Double](repeating: 0, count: 50_001)
        let reduction = NoiseReduction(.init(), channels: 1)
        let input = silence + hiss + silence + Array(repeating: 0, count: reduction.latency)
        let output = run(reduction, [input])[0].dropFirst(reduction.latency + silence.count)
        for start in stride(from: 0, to: length, by: 4800) {
            let (before, after) = (hiss[start..<start + 4800], Array(output.dropFirst(start).prefix(4800)))
            let power = { (samples: [Double]) in samples.reduce(0) { $0 + $1 * $1 } }
            let fallen = 10 * ExactMath.log2(power(Array(before)) / power(after)) / ExactMath.log2(10)
            #expect(abs(fallen - 12) < 3, "\(fallen) dB at \(start)")
        }
    }
}
