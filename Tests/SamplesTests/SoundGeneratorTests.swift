import CompositionModel
import Samples
import Testing
import Timing

@Suite struct SoundGeneratorTests {
    private func samples(_ sound: GeneratedSound, _ range: Range<Int64>, channel: Int = 0) -> [Double] {
        read(SoundGenerator(sound), range, channel: channel)
    }

    private func read(_ generator: SoundGenerator, _ range: Range<Int64>, channel: Int = 0) -> [Double] {
        [Double](unsafeUninitializedCapacity: range.count) { buffer, count in
            buffer.initialize(repeating: 7)
            let output = UnsafeMutableBufferPointer(rebasing: buffer[..<range.count])
            generator.read(from: range.lowerBound, channel: channel, into: output)
            count = range.count
        }
    }

    private func tone(_ hertz: Double, wave: GeneratedSound.Wave = .sine, level: Int64 = 0) -> GeneratedSound {
        GeneratedSound(
            kind: .tone,
            sampleRate: 48_000,
            channels: 1,
            sampleCount: 1 << 40,
            level: level,
            frequencies: [Int64((hertz * 1_000_000).rounded())],
            wave: wave
        )
    }

    private func sweep(_ from: Int64, _ to: Int64, _ course: GeneratedSound.Course) -> GeneratedSound {
        GeneratedSound(
            kind: .sweep,
            sampleRate: 48_000,
            channels: 1,
            sampleCount: 480_000,
            frequencies: [from * 1_000_000, to * 1_000_000],
            course: course
        )
    }

    private func noise(_ color: GeneratedSound.Color, seed: Int64 = 1, level: Int64 = -20_000_000) -> GeneratedSound {
        GeneratedSound(
            kind: .noise,
            sampleRate: 48_000,
            channels: 2,
            sampleCount: 1 << 40,
            level: level,
            color: color,
            seed: seed
        )
    }

    private static let all: [GeneratedSound] = {
        let tests = SoundGeneratorTests()
        return [
            tests.tone(440), tests.tone(997.3, wave: .square), tests.sweep(20, 20_000, .logarithmic),
            tests.sweep(20_000, 20, .linear), tests.noise(.white), tests.noise(.pink), tests.noise(.brown),
        ]
    }()

    /// Pieces of any length, in any order, also over the grid of the filters, are the whole's bits.
    @Test(arguments: all) func everyPieceIsThePieceOfTheWhole(sound: GeneratedSound) {
        let whole = samples(sound, 0..<140_000)
        let generator = SoundGenerator(sound)
        let random = noiseNumbers(3)
        for _ in 0..<60 {
            let start = Int64(random() * 139_000)
            let end = min(140_000, start + 1 + Int64(random() * 1500))
            #expect(read(generator, start..<end) == Array(whole[Int(start)..<Int(end)]))
        }
        #expect(read(generator, 65_530..<65_542) == Array(whole[65_530..<65_542]))
    }

    @Test func thereIsSilenceOutside() {
        var sound = tone(1000)
        sound.sampleCount = 100
        let found = samples(sound, -10..<110)
        #expect(found[..<10].allSatisfy { $0 == 0 } && found[110...].allSatisfy { $0 == 0 })
        #expect(found[11..<110].contains { abs($0) > 0.9 })
        let silence = GeneratedSound(kind: .silence, sampleRate: 48_000, channels: 1, sampleCount: 1000)
        #expect(samples(silence, 0..<1000).allSatisfy { $0 == 0 })
    }

    /// After 200 days it still is what the formula says.
    @Test func aToneIsItsFormula() {
        for (start, hertz) in [(Int64(0), 440.0), (1 << 39, 440), (1 << 39, 0.001 + 19_000)] {
            let found = samples(tone(hertz, level: -6_000_000), start..<start + 1000)
            let millis = Int128((hertz * 1000).rounded())
            for (index, value) in found.enumerated() {
                let cycles = (Int128(start) + Int128(index)) * millis % 48_000_000
                let wanted = ExactMath.sinPi(2 * Double(cycles) / 48_000_000) * ExactMath.gain(decibels: -6)
                #expect(abs(value - wanted) < 1e-12)
            }
        }
    }

    /// Its odd harmonics are 4/πk high as long as they are low, and what folds back is far below them.
    @Test func aSquareIsOfOddHarmonics() {
        let found = samples(tone(1000, wave: .square), 0..<48_000)
        for harmonic in [1, 3, 5] {
            let wanted = 4 / (Double.pi * Double(harmonic))
            #expect(abs(amplitude(of: found, at: 1000 * Double(harmonic)) / wanted - 1) < 0.1)
        }
        #expect(amplitude(of: found, at: 2000) < 1e-9)
        // 25 kHz folds back to 23 kHz; a square of jumps would have 0.055 there.
        #expect(amplitude(of: samples(tone(1250, wave: .square), 0..<48_000), at: 48_000 - 31_250) < 0.012)
    }

    @Test(arguments: [GeneratedSound.Course.logarithmic, .linear])
    func aSweepIsWhereItShouldBe(course: GeneratedSound.Course) {
        let sound = sweep(100, 10_000, course)
        let whole = samples(sound, 0..<480_000)
        for place in [48_000, 240_000, 430_000] {
            let way = Double(place) / 480_000
            let hertz = course == .linear ? 100 + 9900 * way : 100 * ExactMath.power(100, way)
            let length = 4800
            let piece = whole[place - length / 2..<place + length / 2]
            let crossings = zip(piece, piece.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
            #expect(abs(Double(crossings) * 5 / hertz - 1) < 0.03, "\(crossings)")
        }
        #expect(whole[0] == 0 && whole.max().map { $0 > 0.999 && $0 <= 1 } == true)
    }

    /// The root mean square over ten seconds is the level that was asked for.
    @Test(arguments: [GeneratedSound.Color.white, .pink, .brown])
    func noiseIsAsLoudAsItSays(color: GeneratedSound.Color) {
        for channel in 0...1 {
            let found = samples(noise(color), 0..<480_000, channel: channel)
            let power = found.reduce(0) { $0 + $1 * $1 } / 480_000
            let decibels = 10 * ExactMath.log2(power) / ExactMath.log2(10)
            #expect(abs(decibels + 20) < (color == .white ? 0.05 : 0.5), "\(decibels)")
        }
    }

    /// dB an octave, from the power in octaves about 250 Hz and 8 kHz.
    @Test(arguments: [(GeneratedSound.Color.white, 3.0), (.pink, 0.0), (.brown, -3.0)])
    func noiseFallsAsItsColorSays(color: GeneratedSound.Color, slope: Double) {
        let found = samples(noise(color), 0..<480_000)
        let fallen = (octave(found, about: 8000) - octave(found, about: 250)) / 5
        #expect(abs(fallen - slope) < 0.2, "\(fallen)")
    }

    @Test func seedsAndChannelsAreOtherNoise() {
        let (one, two) = (noise(.white), noise(.white, seed: 2))
        let pairs = [
            (samples(one, 0..<48_000), samples(two, 0..<48_000)),
            (samples(one, 0..<48_000), samples(one, 0..<48_000, channel: 1)),
        ]
        for (first, second) in pairs {
            let product = zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } / 48_000 / 0.01
            #expect(abs(product) < 0.02)
        }
        #expect(samples(one, 0..<100) == samples(noise(.white), 0..<100))
    }

    /// Numbers from 0 to 1.
    private func noiseNumbers(_ seed: UInt64) -> () -> Double {
        var state = seed
        return {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) * 0x1p-53
        }
    }

    private func amplitude(of samples: [Double], at hertz: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, value) in samples.enumerated() {
            let turn = (2 * hertz * Double(index) / 48_000).truncatingRemainder(dividingBy: 2)
            real += value * ExactMath.cosPi(turn)
            imaginary += value * ExactMath.sinPi(turn)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    /// dB of the power from 1/√2 to √2 of `hertz`, by single frequencies a tenth of a second at a time.
    private func octave(_ samples: [Double], about hertz: Double) -> Double {
        var power = 0.0
        var count = 0.0
        for start in stride(from: 0, to: samples.count, by: 4800) {
            let piece = Array(samples[start..<start + 4800])
            let windowed = piece.enumerated().map { index, value in
                value * (0.5 - 0.5 * ExactMath.cosPi(2 * (Double(index) + 0.5) / 4800))
            }
            for step in 0..<8 {
                let frequency = hertz * ExactMath.exp2((Double(step) + 0.5) / 8 - 0.5)
                let height = amplitude(of: windowed, at: frequency)
                // A band as wide as its frequency is high.
                power += height * height * frequency
                count += 1
            }
        }
        return 10 * ExactMath.log2(power / count) / ExactMath.log2(10)
    }
}
