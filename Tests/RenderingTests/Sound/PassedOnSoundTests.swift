import CompositionModel
import Planning
import Testing
import Timing

@testable import Rendering

/// A clip that is heard alone and as its source is goes to the output without being added to anything. It has the bits of
/// the sum.
@Suite struct PassedOnSoundTests {
    private static let count: Int64 = 6000

    /// Noise with silence in it.
    private static func mixer(_ tracks: [AudioTrack]) throws -> SoundMixer {
        let source = SyntheticSource { sample, channel in
            sample % 3 == 0 ? 0 : SyntheticSource.noise(sample, channel)
        }
        let plan = try MixPlan(.mix(tracks, count: count), sampleRate: { _ in 48_000 })
        return SoundMixer(plan, sources: [SoundStream(asset: 0, index: 0): source])
    }

    private static func bits(_ samples: [[Double]]) -> [[UInt64]] { samples.map { $0.map(\.bitPattern) } }

    /// A track with a change, whose clip lasts from 100 to 5100.
    private static func track(_ change: (inout AudioTrack) -> Void = { _ in }) -> AudioTrack {
        var track = AudioTrack([.clip(at: 100, count: 5000, from: 7)])
        change(&track)
        return track
    }

    /// Heard all the time, and silent: its source is missing.
    private static let silence = AudioTrack([.clip(at: 0, count: count, asset: 1)])

    private static let half = [VolumeKey(at: 0, millionths: 500_000, unit: .linear)]

    private static let tracks: [(String, [AudioTrack])] = [
        ("plain", [track()]),
        ("a clip of half the volume", [track { $0.segments[0].volume = half }]),
        ("a track of half the volume", [track { $0.volume = half }]),
        ("a clip to one side", [track { $0.segments[0].pan = [SoundKey(at: 0, millionths: -600_000)] }]),
        ("a track to one side", [track { $0.pan = [SoundKey(at: 0, millionths: -600_000)] }]),
        ("backwards", [track { $0.segments[0].speed = RationalTime(whole: -1) }]),
        ("a loop", [track { $0.segments[0].loop = SampleLoop(start: 7, count: 321) }]),
        ("processed", [track { $0.segments[0].processors = [ProcessedMixTests.highPass] }]),
        ("two clips", [AudioTrack([.clip(at: 100, count: 3000, from: 7), .clip(at: 2000, count: 3100, from: 50)])]),
    ]

    @Test(arguments: tracks.indices) func itHasTheBitsOfTheSum(index: Int) throws {
        let (name, tracks) = Self.tracks[index]
        // Two tracks are added, and of a clip that does not fill the block a part.
        let sum = Self.bits(try Self.mixer(tracks + [Self.silence]).samples(0..<Self.count))
        let alone = try Self.mixer(tracks)
        for range in [0..<100, 50..<150, 100..<5100, 101..<102, 2999..<3001, 5000..<5200, 0..<6000] as [Range<Int64>] {
            let piece = Self.bits(try alone.samples(range))
            let expected = sum.map { Array($0[Int(range.lowerBound)..<Int(range.upperBound)]) }
            #expect(piece == expected, "\(name): \(range)")
        }
        #expect(sum[0].contains { $0 != 0 })
    }

    /// What lowers a track may have been heard before.
    @Test func aDuckedTrackIsLowered() throws {
        let ducked = Self.track {
            $0.duck = Duck(
                under: [1],
                depth: 12_000_000,
                attack: 1000,
                hold: 20_000,
                release: 100_000,
                threshold: -40_000_000
            )
        }
        let voice = AudioTrack([.clip(at: 500, count: 1500, from: 7)])
        let whole = Self.bits(try Self.mixer([ducked, voice]).samples(0..<Self.count))
        let piece = try Self.mixer([ducked, voice]).samples(2000..<3000)
        #expect(Self.bits(piece) == whole.map { Array($0[2000..<3000]) })
        #expect(piece != (try Self.mixer([Self.track()]).samples(2000..<3000)))
    }
}
