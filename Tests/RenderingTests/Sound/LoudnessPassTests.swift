import CompositionModel
import Foundation
import Planning
import Samples
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Programmes brought to a loudness, judged by `ffmpeg -af ebur128`.
@Suite struct LoudnessPassTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Noise that is loud and quiet by turns, with or without spikes; 40 s.
    private func programme(_ name: String, spikes: Bool) async throws -> SoundFile {
        let level = "0.067*(1+2*gt(mod(t,8),4))*(random(0)-0.5)"
        let spike = spikes ? "+0.6*lt(mod(t,0.5),0.0004)" : ""
        return try await SoundFile.make(
            name,
            in: folder,
            ["-f", "lavfi", "-i", "aevalsrc='\(level)\(spike)|\(level)':s=48000:d=40", "-c:a", "pcm_s24le"]
        )
    }

    private func task(_ target: LoudnessTarget?, count: Int64 = 40 * 48_000) -> SoundTask {
        var task = SoundTask.mix([AudioTrack([.clip(at: 0, count: count)])], count: count)
        task.master = target.map { MasterMix(loudness: $0) }
        return task
    }

    @Test func theMeterAgreesWithFFmpegs() async throws {
        let file = try await programme("a.wav", spikes: true)
        let plain = try RenderedSound(task(nil), [file], in: folder)
        let judged = try await FFmpegMeter.judge(plain.bytes, in: folder)
        let plan = try MixPlan(task(nil), sampleRate: { _ in 48_000 })
        let steps = plain.steps
        let source = SyntheticSource { Double(steps[2 * Int($0) + $1]) / 8_388_608 }
        let mixer = SoundMixer(plan, sources: [SoundStream(asset: 0, index: 0): source])
        let reading = try LoudnessPass.reading(of: mixer, 0..<40 * 48_000, channels: 2, sampleRate: 48_000)
        #expect(abs(try #require(reading.integrated) - judged.integrated) <= 0.1)
        #expect(abs(try #require(reading.range) - judged.range) <= 0.2)
        #expect(abs(reading.truePeakDecibels - judged.peak) <= 0.2, "\(reading.truePeakDecibels) \(judged.peak)")
        // Over pieces, as a farm has it.
        let cell = Int64(LoudnessMeter(weights: [1, 1], sampleRate: 48_000).cell)
        var joined = LoudnessReading()
        for piece in [0..<cell, cell..<3 * cell, 3 * cell..<40 * 48_000] {
            let isEnd = piece.upperBound == 40 * 48_000
            joined.append(try LoudnessPass.reading(of: mixer, piece, isEnd: isEnd, channels: 2, sampleRate: 48_000))
        }
        #expect(joined == reading)
    }

    @Test(arguments: [(false, -23, -1), (false, -14, -1), (true, -16, -3), (true, -24, -9)])
    func theTargetIsReached(spikes: Bool, target: Int64, peak: Int64) async throws {
        let file = try await programme("a.wav", spikes: spikes)
        let wanted = LoudnessTarget(integrated: target * 1_000_000, truePeak: peak * 1_000_000)
        let result = try RenderedSound(task(wanted), [file], in: folder)
        let judged = try await FFmpegMeter.judge(result.bytes, in: folder)
        #expect(abs(judged.integrated - Double(target)) <= 0.5, "\(judged)")
        // FFmpeg's meter oversamples with a filter of its own, and rounds to a tenth.
        #expect(judged.peak <= Double(peak) + 0.1, "\(judged)")
        #expect(result.progress.last == 1000 && zip(result.progress, result.progress.dropFirst()).allSatisfy(<))
    }

    /// A gain that was measured before is used, and nothing is measured again.
    @Test func aKnownGainIsTaken() async throws {
        let file = try await programme("a.wav", spikes: false)
        var task = task(LoudnessTarget(integrated: -20_000_000, truePeak: -1_000_000), count: 48_000)
        task.loudness = LoudnessGain(millionths: -6_000_000, isLimited: false)
        let lowered = try RenderedSound(task, [file], in: folder).steps
        let plain = try RenderedSound(self.task(nil, count: 48_000), [file], in: folder).steps
        let factor = ExactMath.gain(decibels: -6)
        #expect(zip(lowered, plain).allSatisfy { abs(Double($0) - Double($1) * factor) <= 1 })
    }

    /// The loudness of a nested edit is that of all of it, however little of it is heard.
    @Test func aNestedEditHasItsOwn() async throws {
        let file = try await programme("a.wav", spikes: true)
        let wanted = LoudnessTarget(integrated: -20_000_000, truePeak: -6_000_000)
        let alone = try RenderedSound(task(wanted), [file], in: folder).steps
        var clip = AudioTrackSegment.clip(at: 0, count: 48_000, from: 96_000)
        clip.isNested = true
        var outer = SoundTask.mix([AudioTrack([clip])], count: 48_000)
        outer.nested = [
            NestedSound(
                sampleRate: 48_000,
                channels: 2,
                sampleCount: 40 * 48_000,
                tracks: task(nil).tracks,
                master: MasterMix(loudness: wanted)
            )
        ]
        let played = try RenderedSound(outer, [file], in: folder).steps
        #expect(played == Array(alone[2 * 96_000..<2 * 144_000]))
    }

    @Test func silenceStaysSilent() throws {
        var task = SoundTask.mix([], count: 48_000)
        task.master = MasterMix(loudness: LoudnessTarget(integrated: -16_000_000, truePeak: -1_000_000))
        #expect(try RenderedSound(task, [], in: folder).bytes == Data(count: 48_000 * 6))
    }

    /// Too short for a block of BS.1770, or below its gate throughout: it is left as it is, and that is said.
    @Test(arguments: [(0.3, 0.1, "shorter than 0.4 s"), (2, 0.00005, "below −70 LUFS")])
    func whatHasNoLoudnessIsSaid(seconds: Double, level: Double, words: String) async throws {
        let tone = "aevalsrc='\(level)*sin(6000*t)':s=48000:d=\(seconds)"
        let sound = ["-f", "lavfi", "-i", tone, "-ac", "2", "-c:a", "pcm_s24le"]
        let file = try await SoundFile.make("tone.wav", in: folder, sound)
        let target = LoudnessTarget(integrated: -16_000_000, truePeak: -1_000_000)
        let count = Int64(seconds * 48_000)
        var warnings: [Failure] = []
        _ = try LoudnessPass.summary(
            task(target, count: count),
            sources: [try file.source()],
            scratchFolder: folder.url.path,
            progress: { _ in },
            warn: { warnings.append($0) }
        )
        #expect(warnings.map(\.code) == ["loudness_not_measured"])
        #expect(warnings.first?.message.contains(words) == true)
        let made = try RenderedSound(task(target, count: count), [file], in: folder).steps
        #expect(try made == RenderedSound(task(nil, count: count), [file], in: folder).steps)
    }

    /// Clicks alone never get loud below their peaks.
    @Test func aTargetThatCannotBeReachedIsSaid() async throws {
        let file = try await SoundFile.make(
            "clicks.wav",
            in: folder,
            ["-f", "lavfi", "-i", "aevalsrc='0.5*lt(mod(t,0.2),0.0001)':s=48000:d=10", "-ac", "2", "-c:a", "pcm_s24le"]
        )
        var warnings: [Failure] = []
        let wanted = LoudnessTarget(integrated: -8_000_000, truePeak: -1_000_000)
        _ = try SoundRenderer.render(
            task(wanted, count: 480_000),
            sources: [try file.source()],
            to: folder.path("out"),
            scratchFolder: folder.url.path,
            progress: { _ in },
            warn: { warnings.append($0) }
        )
        #expect(warnings.map(\.code) == ["loudness_not_reached"])
    }
}
