import CompositionModel
import Foundation
import Planning
import Testing
import Timing

@testable import Rendering

@Suite struct SoundMixerTests {
    private static func key(_ at: Int64, _ gain: Double) -> VolumeKey {
        VolumeKey(at: at, millionths: Int64(gain * 1_000_000), unit: .linear)
    }

    private func mixer(_ task: SoundTask, rates: [Int] = [48_000], _ sources: [any SampleSource]) throws -> SoundMixer {
        let streams = sources.enumerated().map { (SoundStream(asset: $0.offset, index: 0), $0.element) }
        return SoundMixer(try MixPlan(task) { rates[$0.asset] }, sources: Dictionary(uniqueKeysWithValues: streams))
    }

    private let noise = SyntheticSource(SyntheticSource.noise)

    @Test func aClipIsHeardWhereItLies() throws {
        let task = SoundTask.mix([AudioTrack([.clip(at: 100, count: 50, from: 7)])], count: 300)
        let output = try mixer(task, [noise]).samples(0..<300)
        for channel in 0...1 {
            #expect((100..<150).allSatisfy { output[channel][$0] == SyntheticSource.noise(Int64($0 - 93), channel) })
            #expect(
                (0..<100).allSatisfy { output[channel][$0] == 0 } && (150..<300).allSatisfy { output[channel][$0] == 0 }
            )
        }
    }

    /// A clip at another speed is made of the samples at `sourceStart + n × speed`: whole ones are taken as they are
    /// when it runs backwards at 1, others are interpolated.
    @Test func aClipRunsBackwards() throws {
        var clip = AudioTrackSegment.clip(at: 100, count: 50, from: 507)
        clip.speed = RationalTime(whole: -1)
        let output = try mixer(.mix([AudioTrack([clip])], count: 300), [noise]).samples(0..<300)
        for channel in 0...1 {
            #expect((100..<150).allSatisfy { output[channel][$0] == SyntheticSource.noise(Int64(607 - $0), channel) })
            #expect(output[channel][150] == 0)
        }
    }

    @Test(arguments: [(2, 1), (-2, 1), (1, 3), (-7, 5)] as [(Int64, Int64)])
    func aClipsPitchFollowsItsSpeed(speed: (Int64, Int64)) throws {
        let ratio = Double(speed.0) / Double(speed.1)
        var clip = AudioTrackSegment.clip(at: 0, count: 2000, from: 10_000)
        clip.speed = try RationalTime(speed.0, speed.1)
        // 1 kHz at 48 kHz.
        func wave(_ place: Double) -> Double { sin(place * 2 * Double.pi / 48) }
        let source = SyntheticSource { sample, _ in wave(Double(sample)) }
        let task = SoundTask.mix([AudioTrack([clip])], count: 2000)
        let output = try mixer(task, [source]).samples(0..<2000)
        for sample in 0..<2000 {
            #expect(abs(output[0][sample] - wave(10_000 + Double(sample) * ratio)) < 1e-6, "sample \(sample)")
        }
        // In any pieces.
        let parts = try mixer(task, [source])
        let pieces = try stride(from: Int64(0), to: 2000, by: 250).flatMap { try parts.samples($0..<$0 + 250)[0] }
        #expect(pieces == output[0])
    }

    @Test func volumesOfClipAndTrackMultiply() throws {
        let clip = AudioTrackSegment.clip(at: 100, count: 100, volume: [Self.key(0, 0), Self.key(100, 1)])
        let task = SoundTask.mix([AudioTrack([clip], volume: [Self.key(150, 0.5), Self.key(150, 2)])], count: 200)
        let output = try mixer(task, [SyntheticSource { _, _ in 0.5 }]).samples(0..<200)
        #expect(abs(output[0][120] - 0.5 * 0.2 * 0.5) < 1e-15)
        #expect(abs(output[1][180] - 0.5 * 0.8 * 2) < 1e-15)
    }

    @Test func tracksAndOverlapsAreSummed() throws {
        let first = AudioTrack([.clip(at: 0, count: 20), .clip(at: 10, count: 20, from: 500)])
        let second = AudioTrack([.clip(at: 15, count: 30, from: 900)])
        let output = try mixer(.mix([first, second], count: 60), [noise]).samples(0..<60)
        let sum = (SyntheticSource.noise(17, 0) + SyntheticSource.noise(507, 0)) + SyntheticSource.noise(902, 0)
        #expect(output[0][17] == sum)
        #expect(output[0][40] == SyntheticSource.noise(925, 0))
    }

    /// ```
    /// A ──────────╲╲╲╲        480 samples of crossfade: A goes out while B comes in
    /// B         ╱╱╱╱──────────
    /// ```
    @Test(arguments: Crossfade.Shape.allCases)
    func aCrossfadeFollowsItsShape(shape: Crossfade.Shape) throws {
        let fade = Crossfade(shape: shape, count: 480)
        let task = SoundTask.mix(
            [
                AudioTrack([
                    .clip(at: 0, count: 1000, fadeOut: fade), .clip(at: 520, count: 1000, asset: 1, fadeIn: fade),
                ])
            ],
            count: 1600
        )
        let mixer = try mixer(
            task,
            rates: [48_000, 48_000],
            [SyntheticSource { _, _ in 0.5 }, SyntheticSource { _, _ in 0.25 }]
        )
        let output = try mixer.samples(0..<1600)[0]
        #expect(output[519] == 0.5 && output[1000] == 0.25 && output[1520] == 0)
        for sample in 520..<1000 {
            let p = Double(sample - 520) / 480
            let (out, into) =
                switch shape {
                case .equalPower: (cos(p * .pi / 2), sin(p * .pi / 2))
                case .linear: (1 - p, p)
                case .sum: (1, 1)
                case .cut: p < 0.5 ? (1, 0) : (0, 1)
                }
            #expect(abs(output[sample] - (0.5 * out + 0.25 * into)) < 1e-14)
        }
    }

    /// All that can differ from sample to sample: rates, fades, keys, overlaps, holes.
    private static let rich = SoundTask.mix(
        [
            AudioTrack(
                [
                    .clip(at: -300, count: 2000, from: -40, fadeOut: Crossfade(shape: .equalPower, count: 700)),
                    .clip(at: 1000, count: 1500, from: 99, asset: 1, fadeIn: Crossfade(shape: .equalPower, count: 700)),
                    .clip(at: 2600, count: 1, asset: 1),
                ],
                volume: [key(500, 1), key(1900, 0.3)]
            ),
            AudioTrack([
                .clip(at: 700, count: 2000, asset: 2, volume: [.init(at: 3, millionths: -3_000_000, unit: .decibel)])
            ]),
        ],
        count: 3000,
        first: 50
    )

    @Test(arguments: [1, 13, 480, 1024, 2999])
    func anySplitGivesTheSameBits(size: Int) throws {
        let mixer = try mixer(Self.rich, rates: [48_000, 44_100, 44_101], [noise, noise, noise])
        let whole = try mixer.samples(0..<3000)
        // Backwards, so that nothing can be carried from block to block.
        for start in stride(from: 0, to: 3000, by: size).reversed() {
            let range = start..<min(start + size, 3000)
            let piece = try mixer.samples(Int64(range.lowerBound)..<Int64(range.upperBound))
            #expect(piece[0] == Array(whole[0][range]) && piece[1] == Array(whole[1][range]), "\(range)")
        }
        #expect(whole[0].contains { $0 != 0 })
    }

    /// A range of the timeline sounds as the same samples of the whole.
    @Test func aRangeIsAPieceOfTheWhole() throws {
        var (whole, part) = (Self.rich, Self.rich)
        (whole.firstSample, part.firstSample, part.sampleCount) = (0, 1234, 500)
        let rates = [48_000, 44_100, 44_101]
        let expected = try mixer(whole, rates: rates, [noise, noise, noise]).samples(1234..<1734)
        #expect(try mixer(part, rates: rates, [noise, noise, noise]).samples(0..<500) == expected)
    }

    @Test func repeatedClipsAreEqualToTheSample() throws {
        let clips = (0..<10).map { AudioTrackSegment.clip(at: $0 * 777, count: 777, from: 31) }
        let output = try mixer(.mix([AudioTrack(clips)], count: 7770), rates: [44_100], [noise]).samples(0..<7770)
        for turn in 1..<10 {
            #expect(output[0][turn * 777..<(turn + 1) * 777] == output[0][0..<777])
        }
    }

    @Test func onlyWhatIsNeededIsReadOfASource() throws {
        let plan = try MixPlan(Self.rich) { [48_000, 44_100, 48_000][$0.asset] }
        let needed = plan.neededSamples()
        // The first clip is heard from timeline sample 50 on: sample 310 of its source.
        #expect(needed[SoundStream(asset: 0, index: 0)]?.ranges == [310..<1960])
        let resampled = try #require(needed[SoundStream(asset: 1, index: 0)])
        #expect(resampled.ranges == [0..<99 + 1377 + 96 + 1])
        let reader = SyntheticSource(SyntheticSource.noise)
        let mixer = SoundMixer(plan, sources: [SoundStream(asset: 1, index: 0): reader])
        _ = try mixer.samples(0..<3000)
        #expect(reader.reads.allSatisfy { resampled.ranges[0].contains($0.clamped(to: 0..<Int64.max).upperBound - 1) })
    }

    private static let invalid: [(code: String, task: SoundTask)] = [
        ("unsupported_channels", .mix([], count: 1, channels: 9)),
        ("unsupported_channels", .mix([], count: 1, channels: 0)),
        ("invalid_sound_task", .mix([], count: -1)),
        ("invalid_sound_task", .mix([], count: 1, first: -1)),
        ("invalid_sound_task", .mix([AudioTrack([.clip(at: 0, count: -5)])], count: 1)),
        ("invalid_sound_task", .mix([AudioTrack([.clip(at: .max, count: 5)])], count: 1)),
        ("invalid_sound_task", .mix([AudioTrack([.clip(at: 0, count: 5, from: .min)])], count: 1)),
        ("invalid_sound_task", .mix([AudioTrack([], volume: [key(5, 1), key(4, 1)])], count: 1)),
        (
            "invalid_sound_task",
            .mix([AudioTrack([.clip(at: 0, count: 5, fadeIn: Crossfade(shape: .linear, count: 6))])], count: 1)
        ),
        (
            "invalid_sound_task",
            .mix([AudioTrack([.clip(at: 0, count: 5, fadeOut: Crossfade(shape: .linear, count: -1))])], count: 1)
        ),
        ("unsupported_sample_rate", .mix([AudioTrack([.clip(at: 0, count: 5, asset: 1)])], count: 1)),
    ]

    @Test(arguments: invalid.indices)
    func whatCannotBeMixedIsRefused(index: Int) {
        let error = #expect(throws: RenderError.self) {
            try MixPlan(Self.invalid[index].task) { $0.asset == 1 ? 7 : 48_000 }
        }
        #expect(error?.failure.code == Self.invalid[index].code)
        #expect(error?.failure.isPermanent == true)
    }

    /// Ten hours of one-second clips: any second of it costs what the first one costs, in time and memory.
    @Test func tenHoursCostNoMoreThanASecond() throws {
        let clips = (0..<36_000).map { AudioTrackSegment.clip(at: $0 * 48_000, count: 48_000, from: $0 % 1000) }
        let mixer = try mixer(.mix([AudioTrack(clips)], count: 36_000 * 48_000), [noise])
        for second in stride(from: Int64(0), to: 36_000, by: 977) {
            let output = try mixer.samples(second * 48_000 + 100..<second * 48_000 + 110)
            #expect(output[0][0] == SyntheticSource.noise(100 + second % 1000, 0))
        }
        #expect(noise.reads.map(\.count).max() == 10)
    }
}
