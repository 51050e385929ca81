import CompositionModel
import Foundation
import Planning
import Testing
import Timing

@testable import Rendering

/// What is measured in a mix, from outside, against what the edit format promises.
@Suite struct MeasuredMixTests {
    private static let streams = [SoundStream(asset: 0, index: 0), SoundStream(asset: 1, index: 0)]

    /// The gain of a ducked track at every sample, by the formula of docs/design/sound.md and not by blocks.
    private func gain(_ sample: Int64, _ duck: Duck, loud: [Range<Int64>]) -> Double {
        let seconds = { (millionths: Int64) in Double(millionths) * 48_000 / 1_000_000 }
        let share = loud.map { range in
            if range.contains(sample) { return 1.0 }
            if sample < range.lowerBound { return 1 - Double(range.lowerBound - sample) / seconds(duck.attack) }
            return min(1, 1 - (Double(sample - range.upperBound) - seconds(duck.hold)) / seconds(duck.release))
        }
        return pow(10, -Double(duck.depth) / 1_000_000 * max(share.max() ?? 0, 0) / 20)
    }

    /// Music at 0.5 under a voice that comes and goes, now and then within a hundredth of a second.
    /// ```
    ///  voice   ______████████____█___________      loud from the hundredth in which it begins to that in which it ends
    ///  music   ‾‾‾‾‾╲________╱‾╲____╱‾‾‾‾‾‾‾‾
    /// ```
    @Test(arguments: [(0, 0), (117, 301), (479, 1)] as [(Int64, Int64)])
    func duckingFollowsItsFormula(early: Int64, late: Int64) throws {
        let duck = Duck(
            under: [1],
            depth: 14_000_000,
            attack: 300_000,
            hold: 250_000,
            release: 600_000,
            threshold: -40_000_000
        )
        let voice = [48_000 + early..<96_000 + late, 100_800..<101_280]
        var music = AudioTrack([.clip(at: 0, count: 240_000)])
        music.duck = duck
        let clips = voice.map { AudioTrackSegment.clip(at: $0.lowerBound, count: Int64($0.count), asset: 1) }
        let plan = try MixPlan(.mix([music, AudioTrack(clips)], count: 240_000), sampleRate: { _ in 48_000 })
        let sources: [SoundStream: any SampleSource] = [
            Self.streams[0]: SyntheticSource { _, _ in 0.5 },
            Self.streams[1]: SyntheticSource { sample, _ in sample.isMultiple(of: 2) ? 0.25 : -0.25 },
        ]
        let mixed = try SoundMixer(plan, sources: sources).samples(0..<240_000)[0]
        let loud = voice.map { $0.lowerBound / 480 * 480..<($0.upperBound + 479) / 480 * 480 }
        var worst = 0.0
        for sample in 0..<Int64(240_000) {
            let clip = voice.first { $0.contains(sample) }
            let heard = clip.map { (sample - $0.lowerBound).isMultiple(of: 2) ? 0.25 : -0.25 } ?? 0
            let found = (mixed[Int(sample)] - heard) / 0.5
            worst = max(worst, abs(20 * log10(found / gain(sample, duck, loud: loud))))
        }
        #expect(worst < 1e-9, "\(worst) dB")
    }

    /// What stays below the threshold ducks nothing.
    @Test func aWhisperDucksNothing() throws {
        var music = AudioTrack([.clip(at: 0, count: 48_000)])
        music.duck = Duck(
            under: [1],
            depth: 14_000_000,
            attack: 0,
            hold: 0,
            release: 0,
            threshold: -40_000_000
        )
        let whisper = AudioTrack([.clip(at: 10_000, count: 10_000, asset: 1)])
        let plan = try MixPlan(.mix([music, whisper], count: 48_000), sampleRate: { _ in 48_000 })
        for (level, isDucked) in [(0.0099, false), (0.0101, true)] {
            let sources: [SoundStream: any SampleSource] = [
                Self.streams[0]: SyntheticSource { _, _ in 0.5 }, Self.streams[1]: SyntheticSource { _, _ in level },
            ]
            let mixed = try SoundMixer(plan, sources: sources).samples(15_000..<15_001)[0][0]
            #expect(abs(mixed - level - (isDucked ? 0.5 * pow(10, -0.7) : 0.5)) < 1e-12)
        }
    }

    /// Tones at other speeds, each second rendered by a mixer of its own: the pitch over every border, by the phase of
    /// the tone before and behind it.
    @Test(
        arguments: [(1, 2), (3, 4), (9, 8), (2, 1)] as [(Int64, Int64)],
        [true, false]
    )
    func pitchIsRightAlsoOverBorders(speed: (Int64, Int64), isKept: Bool) throws {
        let rate = 44_100.0
        for frequency in [220.0, 997] {
            let tone = SyntheticSource { sample, _ in sin(2 * .pi * frequency * Double(sample) / rate) / 2 }
            var clip = AudioTrackSegment.clip(at: 0, count: 48_000 * 6, from: 0)
            clip.speed = try RationalTime(speed.0, speed.1)
            clip.keepsPitch = isKept ? true : nil
            var output: [Double] = []
            for second in 0..<Int64(6) {
                let task = SoundTask.mix([AudioTrack([clip])], count: 48_000, first: second * 48_000)
                let plan = try MixPlan(task, sampleRate: { _ in Int(rate) })
                output += try SoundMixer(plan, sources: [Self.streams[0]: tone]).samples(0..<48_000)[0]
            }
            let expected = isKept ? frequency : frequency * Double(speed.0) / Double(speed.1)
            for border in [48_000, 96_000, 144_000, 192_000, 240_000] {
                let found = Self.frequency(output, around: border, near: expected)
                let cents = 1200 * log2(found / expected)
                #expect(abs(cents) < 5, "\(frequency) Hz at \(speed), \(border): \(cents) cents")
            }
        }
    }

    /// By how much the tone's phase turns from a window that ends at `place` to one that begins there.
    private static func frequency(_ samples: [Double], around place: Int, near frequency: Double) -> Double {
        let length = 12_000
        func phase(_ start: Int) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for n in 0..<length {
                let window = 1 - cos(2 * .pi * Double(n) / Double(length))
                let turn = 2 * .pi * frequency * Double(start + n) / 48_000
                real += samples[start + n] * window * cos(turn)
                imaginary -= samples[start + n] * window * sin(turn)
            }
            return atan2(imaginary, real) / (2 * .pi)
        }
        var drift = phase(place) - phase(place - length)
        drift -= drift.rounded()
        return frequency + drift * 48_000 / Double(length)
    }
}
