import Testing

@testable import CompositionModel
@testable import Timing

/// Sound of a composition that did not come from an edit.
@Suite struct CompositionSoundTests {
    /// One track with one segment, and another track.
    private func findings(_ change: (inout Composition) -> Void) throws -> [String] {
        func track(_ id: String) -> AudioTrack {
            let segment = AudioTrackSegment(
                start: 0,
                count: 48_000,
                asset: 0,
                stream: 0,
                sourceStart: 0,
                volume: [],
                fadeIn: nil,
                fadeOut: nil
            )
            return AudioTrack(id: id, segments: [segment], volume: [])
        }
        let format = Format(
            size: PictureSize(width: 64, height: 36),
            frameRate: try FrameRate(25),
            sampleRate: 48_000,
            channels: 2,
            color: .bt709,
            background: "#000000"
        )
        var composition = Composition(
            format: format,
            frameCount: 25,
            assets: [CompositionAsset(name: "a", digest: ContentDigest(of: Array("a".utf8)))],
            videoTracks: [],
            instructions: [VideoCompositionInstruction(frames: FrameRange(start: 0, count: 25), layers: [])],
            audioTracks: [track("one"), track("two")],
            outputs: []
        )
        change(&composition)
        return composition.findings().map { $0.rule + " " + $0.pointer }
    }

    private func duck(_ under: [Int], depth: Int64 = 12_000_000, attack: Int64 = 0) -> Duck {
        Duck(under: under, depth: depth, attack: attack, hold: 0, release: 0, threshold: -40_000_000)
    }

    @Test(arguments: [
        SampleLoop(start: 0, count: 0), SampleLoop(start: 1 << 60, count: 5), SampleLoop(start: 0, count: 1 << 41),
        SampleLoop(start: 0, count: 1, runs: 0), SampleLoop(start: 0, count: 1, runs: 1_000_001),
    ])
    func loopsThatAreNoneAreRefused(loop: SampleLoop) throws {
        let found = try findings { $0.audioTracks[0].segments[0].loop = loop }
        #expect(found == ["number-range /audioTracks/0/segments/0/loop"])
    }

    @Test func whatAnEditCannotSayIsRefused() throws {
        #expect(try findings { _ in }.isEmpty)
        let segment = "/audioTracks/0/segments/0"
        let wrong: [(String, (inout Composition) -> Void)] = [
            (
                "number-range \(segment)/pan",
                { $0.audioTracks[0].segments[0].pan = [SoundKey(at: 0, millionths: 2_000_000)] }
            ),
            (
                "number-range /audioTracks/0/balance",
                { $0.audioTracks[0].balance = [SoundKey(at: 9, millionths: 1), SoundKey(at: 8, millionths: 1)] }
            ),
            ("unknown-track /audioTracks/0/duck/under", { $0.audioTracks[0].duck = duck([5]) }),
            ("unknown-track /audioTracks/0/duck/under", { $0.audioTracks[0].duck = duck([0]) }),
            ("unknown-track /audioTracks/0/duck/under", { $0.audioTracks[0].duck = duck([]) }),
            ("number-range /audioTracks/0/duck", { $0.audioTracks[0].duck = duck([1], depth: -1) }),
            ("number-range /audioTracks/0/duck", { $0.audioTracks[0].duck = duck([1], attack: .max) }),
            (
                "number-range /audioTracks/0/processors/0",
                { $0.audioTracks[0].processors = [SoundProcessor(.reverb, [.decay: .max])] }
            ),
            (
                "number-range /audioTracks/0/processors/0",
                { $0.audioTracks[0].processors = [SoundProcessor(.reverb, [.threshold: 0])] }
            ),
            (
                "number-range /audioTracks/0/processors/0/bands",
                { $0.audioTracks[0].processors = [SoundProcessor(.equalizer)] }
            ),
            (
                "number-range /audioTracks/0/processors/0/bands",
                {
                    let band = EqualizerBand(.peak, frequency: 1, gain: 0, quality: 1_000_000)
                    $0.audioTracks[0].processors = [SoundProcessor(.equalizer, bands: [band])]
                }
            ),
            ("number-range /master/ceiling", { $0.master = MasterMix(ceiling: 1) }),
            (
                "number-range /master/loudness",
                { $0.master = MasterMix(loudness: LoudnessTarget(integrated: 0, truePeak: 0)) }
            ),
            (
                "volume /master/volume/0",
                { $0.master = MasterMix(volume: [VolumeKey(at: 0, millionths: -1, unit: .linear)]) }
            ),
        ]
        for (expected, change) in wrong { #expect(try findings(change) == [expected]) }
    }

    private func output(of composition: Composition, _ range: SampleRange) -> OutputSettings {
        let encoding = AudioEncoding(codec: .pcm16, bitRate: nil)
        return OutputSettings(
            preset: "wav-16",
            file: nil,
            range: nil,
            soundRange: range,
            size: composition.format.size,
            container: .wav,
            video: nil,
            audio: encoding
        )
    }

    /// A range of samples lies on a timeline without picture.
    @Test(
        arguments: [
            (0, 48_000, nil), (47_999, 1, nil), (0, 48_001, "range-past-end"), (1, .max, "range-past-end"),
            (48_000, 1, "range-past-end"), (0, 0, "range-invalid"), (-1, 5, "range-invalid"),
            (.max, 1, "range-invalid"),
        ] as [(Int64, Int64, String?)]
    )
    func aRangeOfSamplesIsOfTheTimeline(start: Int64, count: Int64, rule: String?) throws {
        let range = SampleRange(start: start, count: count)
        let found = try findings { composition in
            composition.instructions = []
            composition.audioTracks = [composition.audioTracks[1]]
            composition.audioTracks[0].segments[0].count = 40_000
            composition.soundSampleCount = 48_000
            composition.outputs = [output(of: composition, range)]
        }
        #expect(found == (rule.map { ["\($0) /outputs/0/soundRange"] } ?? []))
        let seen = try findings { $0.outputs = [output(of: $0, range)] }
        #expect(seen == ["sound-length /outputs/0/soundRange"])
    }

    /// A length of the sound's own ends within the last frame, and there is no picture beside it.
    @Test(arguments: [(46_081, true), (48_000, true), (46_080, false), (48_001, false), (0, false), (.min, false)])
    func soundEndsWithinTheLastFrame(count: Int64, isRight: Bool) throws {
        let found = try findings { composition in
            composition.instructions = []
            composition.audioTracks = [composition.audioTracks[1]]
            composition.audioTracks[0].segments[0].count = 40_000
            composition.soundSampleCount = count
        }
        #expect(found == (isRight ? [] : ["sound-length /soundSampleCount"]))
        #expect(try findings { $0.soundSampleCount = 47_000 } == ["sound-length /soundSampleCount"])
        let endless = try findings { ($0.soundSampleCount, $0.instructions, $0.frameCount) = (1, [], .min) }
        #expect(endless == ["empty-timeline /frameCount"])
    }
}
