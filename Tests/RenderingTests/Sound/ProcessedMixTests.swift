import CompositionModel
import Pixels
import Planning
import Samples
import Testing
import Timing

@testable import Rendering

/// Processors, ducking, loops and stretched clips: any piece is the whole's, bit for bit, and nothing is read of a
/// source that the plan did not name.
@Suite struct ProcessedMixTests {
    /// Silence, and a failed expectation, where the plan did not say that it reads.
    final class PlannedSource: SampleSource {
        private let kept: SampleRanges
        private(set) var missed: [Range<Int64>] = []

        init(_ kept: SampleRanges) { self.kept = kept }

        func read(_ range: Range<Int64>, into channels: [UnsafeMutableBufferPointer<Double>]) {
            for channel in channels { SampleKernels.fill(channel, with: 0) }
            let wanted = range.clamped(to: 0..<Int64.max)
            for (part, _) in kept.intersections(with: wanted) {
                for (index, channel) in channels.enumerated() {
                    for sample in part {
                        channel[Int(sample - range.lowerBound)] += SyntheticSource.noise(sample, index) * 0.5
                    }
                }
            }
            let found = kept.intersections(with: wanted).reduce(0) { $0 + $1.samples.count }
            if found != wanted.count { missed.append(wanted) }
        }
    }

    static func mixer(_ task: SoundTask) throws -> (SoundMixer, PlannedSource) {
        let plan = try MixPlan(task, sampleRate: { _ in 44_100 })
        let source = PlannedSource(plan.neededSamples()[SoundStream(asset: 0, index: 0)] ?? SampleRanges([]))
        return (SoundMixer(plan, sources: [SoundStream(asset: 0, index: 0): source]), source)
    }

    static let compressor = SoundProcessor(.compressor, [.attack: 1000, .release: 5000])
    static let highPass = SoundProcessor(.highPass, [.frequency: 200_000_000, .order: 4_000_000])
    static let echo = SoundProcessor(.delay, [.time: 11_000, .feedback: 500_000])
    static let limiter = SoundProcessor(.limiter, [.release: 5000], isAfterVolume: true)
    static let noiseReduction = SoundProcessor(.noiseReduction)

    /// From 1 to 2.5, a jump to 0, held, backwards before the source's start, and 1 again.
    static let bend = SoundCurve(
        samples: [0, 9_000_500, 9_000_500, 12_345_678, 12_345_678, 21_000_000, 26_000_000].map { $0 * 1000 + 77 },
        positions: [250, 14_471_600, 14_471_600, 14_471_600, 14_471_600, -5_400_000, -9_000_000].map { $0 * 1000 },
        speeds: [1_000_000, 2_500_000, 0, 0, -2_000_000, -3_000_000, 1_000_000]
    )

    static func clip(_ change: (inout AudioTrackSegment) -> Void) -> AudioTrackSegment {
        var clip = AudioTrackSegment.clip(at: 700, count: 30_000, from: 5000)
        change(&clip)
        return clip
    }

    static func task(_ name: String, _ first: Int64 = 0) throws -> SoundTask {
        var track = AudioTrack([clip { _ in }, .clip(at: 33_000, count: 9000, from: 99)])
        var (others, master): ([AudioTrack], MasterMix?) = ([], nil)
        switch name {
        case "clip": track.segments[0].processors = [highPass, limiter]
        case "clip with noise reduction": track.segments[0].processors = [noiseReduction]
        case "track": track.processors = [compressor, echo]
        case "master":
            master = MasterMix(
                volume: [VolumeKey(at: 0, millionths: 3_000_000, unit: .linear)],
                processors: [highPass, limiter]
            )
        case "everywhere":
            track.segments[0].processors = [highPass]
            track.processors = [compressor, limiter]
            master = MasterMix(processors: [echo, limiter])
        case "endless": track.processors = [SoundProcessor(.delay, [.time: 500_000, .feedback: 950_000])]
        case "duck":
            others = [AudioTrack([.clip(at: 12_000, count: 3000, from: 7), .clip(at: 25_000, count: 100, from: 7)])]
            track.duck = Duck(
                under: [1],
                depth: 12_000_000,
                attack: 50_000,
                hold: 20_000,
                release: 100_000,
                threshold: -40_000_000
            )
            others[0].processors = [highPass]
        case "loop": track.segments[0].loop = SampleLoop(start: 4000, count: 1234)
        case "loop backwards":
            track.segments[0].loop = SampleLoop(start: 4000, count: 1234)
            track.segments[0].speed = RationalTime(whole: -1)
        case "stretched":
            track.segments[0].speed = try RationalTime(2, 3)
            track.segments[0].keepsPitch = true
        case "held":
            track.segments[0].speed = .zero
            track.segments[0].keepsPitch = true
            track.segments[0].sourceStart = 50_000
        case "bent": track.segments[0].curve = bend
        case "bent and processed":
            track.segments[0].curve = bend
            track.segments[0].processors = [compressor, limiter]
        case "bent and stretched":
            track.segments[0].curve = bend
            track.segments[0].keepsPitch = true
        case "bent and held":
            track.segments[0].curve = bend
            track.segments[0].curve?.holds = true
            track.segments[0].keepsPitch = true
            track.segments[0].processors = [compressor]
        case "stretched backwards":
            track.segments[0].speed = try RationalTime(-1, 2)
            track.segments[0].keepsPitch = true
            track.segments[0].sourceStart = 50_000
            track.segments[0].processors = [compressor]
        default:
            track.pan = [
                SoundKey(at: 100, millionths: -1_000_000, ease: Easing("inOutCubic")),
                SoundKey(at: 40_000, millionths: 700_000),
            ]
            track.segments[0].balance = [SoundKey(at: 0, millionths: 400_000)]
        }
        var task = SoundTask.mix([track] + others, count: 48_000, first: first)
        task.master = master
        return task
    }

    static let names = [
        "clip", "clip with noise reduction", "track", "master", "everywhere", "endless", "duck", "loop",
        "loop backwards", "stretched", "stretched backwards", "held", "pan", "bent", "bent and processed",
        "bent and stretched", "bent and held",
    ]

    @Test(arguments: names) func anyPieceIsTheWholes(name: String) throws {
        let (mixer, source) = try Self.mixer(Self.task(name))
        let whole = try mixer.samples(0..<48_000)
        #expect(source.missed.isEmpty)
        for range in [0..<1 as Range<Int64>, 29_000..<34_567, 12_345..<12_346, 11_000..<20_000, 47_999..<48_000] {
            // By the same mixer, out of order, and by one of its own that plans and reads what the piece needs.
            let same = try mixer.samples(range)
            var task = try Self.task(name, range.lowerBound)
            task.sampleCount = Int64(range.count)
            let (own, source) = try Self.mixer(task)
            let piece = try own.samples(0..<Int64(range.count))
            for channel in 0...1 {
                let expected = Array(whole[channel][Int(range.lowerBound)..<Int(range.upperBound)])
                #expect(same[channel] == expected, "\(range) by the same")
                #expect(piece[channel] == expected, "\(range) by its own")
            }
            #expect(source.missed.isEmpty, "\(range): \(source.missed)")
        }
        #expect(whole != (try Self.mixer(Self.plain).0.samples(0..<48_000)))
    }

    static let plain = SoundTask.mix(
        [AudioTrack([clip { _ in }, .clip(at: 33_000, count: 9000, from: 99)])],
        count: 48_000
    )

    /// On both sides of a border of the grid of runs: each side is made by a run of its own.
    @Test func runsMeetAtABorderOfTheGrid() throws {
        let reach = ProcessorReach([Self.compressor, Self.highPass], sampleRate: 48_000)
        let border = reach.cell
        var task = SoundTask.mix(
            [AudioTrack([.clip(at: 0, count: border * 2, from: 0)])],
            count: 4000,
            first: border - 2000
        )
        task.tracks[0].processors = [Self.compressor, Self.highPass]
        let across = try Self.mixer(task).0.samples(0..<4000)
        task.firstSample = border
        task.sampleCount = 2000
        let (after, source) = try Self.mixer(task)
        #expect(try after.samples(0..<2000)[0] == Array(across[0][2000...]))
        #expect(source.missed.isEmpty)
        #expect(reach.start(ofCell: 1) > border - 100_000)
    }

    /// A tone loops without a step, also where the loop is no whole number of the edit's samples.
    @Test func aLoopHasNoSeam() throws {
        // 441 samples of 44.1 kHz are 480 of 48 kHz: a hundredth of a second, ten turns of 1 kHz.
        let tone = SyntheticSource { sample, _ in
            sample < 5410 ? ExactMath.sinPi(2 * Double(sample) * 1000 / 44_100) : 0.9
        }
        var clip = AudioTrackSegment.clip(at: 0, count: 20_000, from: 4969)
        clip.loop = SampleLoop(start: 4969, count: 441)
        let plan = try MixPlan(.mix([AudioTrack([clip])], count: 20_000), sampleRate: { _ in 44_100 })
        let output = try SoundMixer(plan, sources: [SoundStream(asset: 0, index: 0): tone]).samples(0..<20_000)[0]
        for sample in 200..<20_000 {
            let expected = ExactMath.sinPi(2 * (Double(sample) / 48_000 + 4969 / 44_100) * 1000)
            #expect(abs(output[sample] - expected) < 1e-5, "\(sample)")
        }
    }

    /// A held tone goes on as it is: its pitch, its loudness, without a click, at the edit's rate and at another.
    @Test(arguments: [48_000, 44_100]) func aHeldToneGoesOn(rate: Int) throws {
        let tone = SyntheticSource { sample, _ in
            // Another one before and after what is held.
            abs(sample - 20_000) < rate / 20 + 400 ? ExactMath.sinPi(2 * Double(sample) * 440 / Double(rate)) : 0.9
        }
        var clip = AudioTrackSegment.clip(at: 0, count: 48_000, from: 20_000)
        (clip.speed, clip.keepsPitch) = (.zero, true)
        let plan = try MixPlan(.mix([AudioTrack([clip])], count: 48_000), sampleRate: { _ in rate })
        let output = try SoundMixer(plan, sources: [SoundStream(asset: 0, index: 0): tone]).samples(0..<48_000)[0]
        let crossings = zip(output, output.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
        #expect(abs(Double(crossings) / 2 - 440) < 3, "\(crossings)")
        let steps = zip(output[2000...], output[2001...]).map { abs($0 - $1) }
        #expect((steps.max() ?? 1) < 0.066)
        for start in stride(from: 2000, to: 47_000, by: 1000) {
            let power = output[start..<start + 1000].reduce(0) { $0 + $1 * $1 } / 1000
            #expect(abs(power - 0.5) < 0.1, "\(start): \(power)")
        }
    }

    @Test func pansFollowTheirFormulas() throws {
        let source = SyntheticSource { _, channel in channel == 0 ? 0.5 : 0.25 }
        func output(_ pan: Int64?, _ balance: Int64?, isMono: Bool) throws -> [Double] {
            var clip = AudioTrackSegment.clip(at: 0, count: 10)
            clip.pan = pan.map { [SoundKey(at: 0, millionths: $0)] }
            clip.balance = balance.map { [SoundKey(at: 0, millionths: $0)] }
            let plan = try MixPlan(
                .mix([AudioTrack([clip])], count: 10),
                sampleRate: { _ in 48_000 },
                isMono: { _ in isMono }
            )
            let mixer = SoundMixer(plan, sources: [SoundStream(asset: 0, index: 0): source])
            return try mixer.samples(0..<10).map { $0[5] }
        }
        func close(_ values: [Double], _ left: Double, _ right: Double) -> Bool {
            abs(values[0] - left) < 1e-12 && abs(values[1] - right) < 1e-12
        }
        #expect(close(try output(-1_000_000, nil, isMono: false), 0.75, 0))
        #expect(close(try output(1_000_000, nil, isMono: false), 0, 0.75))
        #expect(close(try output(-500_000, nil, isMono: false), 0.5 + 0.25 * 0.5.squareRoot(), 0.25 * 0.5.squareRoot()))
        #expect(close(try output(-1_000_000, nil, isMono: true), 0.5 * 2.0.squareRoot(), 0))
        #expect(close(try output(nil, 500_000, isMono: false), 0.25, 0.25))
        #expect(close(try output(nil, -1_000_000, isMono: false), 0.5, 0))
    }
}
