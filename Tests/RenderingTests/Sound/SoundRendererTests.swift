import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

@Suite struct SoundRendererTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func noise(
        _ name: String,
        rate: Int,
        seconds: Double,
        channels: Int = 2,
        filter: String = "anull",
        _ options: [String] = []
    ) async throws -> SoundFile {
        let sources = (0..<channels).map { "anoisesrc=r=\(rate):a=0.4:seed=\($0 + rate):d=\(seconds)[n\($0)]" }
        let inputs = (0..<channels).map { "[n\($0)]" }.joined()
        let graph = (sources + ["\(inputs)amerge=inputs=\(channels),\(filter)"]).joined(separator: ";")
        let mono = "anoisesrc=r=\(rate):a=0.4:seed=\(rate):d=\(seconds),\(filter)"
        return try await SoundFile.make(
            name,
            in: folder,
            ["-f", "lavfi", "-i", channels == 1 ? mono : graph, "-ac", "\(channels)"] + options
        )
    }

    @Test func aClipAtTheSourcesRateIsTheSourceToTheBit() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.5, ["-c:a", "pcm_s24le"])
        let raw = try await Shell.ffmpeg(["-i", file.path, "-f", "s24le", "-"])
        let result = try RenderedSound(
            .mix([AudioTrack([.clip(at: 0, count: 24_000)])], count: 24_000),
            [file],
            in: folder
        )
        #expect(result.bytes == raw)
        #expect(result.packets.map(\.displayIndex) == [0, 4096, 8192, 12_288, 16_384, 20_480])
        #expect(result.packets.map(\.duration).reduce(0, +) == 24_000)
        #expect(
            result.header.content
                == .audio(.init(codec: .pcm24, sampleRate: 48_000, channels: 2, priming: 0, frameSize: 0))
        )
    }

    /// ```
    /// clip    |····|##########|········|      silence before the source begins and after it ends
    /// source       0          end
    /// ```
    @Test func thereIsSilenceAroundAShortSource() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.125, channels: 1, ["-c:a", "pcm_s24le"])
        let task = SoundTask.mix([AudioTrack([.clip(at: 10, count: 9000, from: -700)])], count: 9100, channels: 1)
        let steps = try RenderedSound(task, [file], in: folder).steps
        let source = try await SoundFile.decode(file.path, stream: 0).map { Int32($0 * 8_388_608) }
        #expect(source.count == 6000)
        #expect(steps[0..<710].allSatisfy { $0 == 0 })
        #expect(Array(steps[710..<6710]) == source)
        #expect(steps[6710...].allSatisfy { $0 == 0 } && steps.count == 9100)
    }

    @Test func whatIsTooLoudIsClippedOnlyAtTheEnd() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.1, channels: 1, ["-c:a", "pcm_s24le"])
        func track(_ gain: Int64) -> AudioTrack {
            AudioTrack([.clip(at: 0, count: 4800)], volume: [.init(at: 0, millionths: gain * 1_000_000, unit: .linear)])
        }
        // 41 − 40 times the source is the source: nothing was lost on the way.
        let sum = try RenderedSound(.mix([track(41), track(-40)], count: 4800, channels: 1), [file], in: folder)
        let plain = try RenderedSound(.mix([track(1)], count: 4800, channels: 1), [file], in: folder)
        #expect(sum.steps == plain.steps)
        let loud = try RenderedSound(.mix([track(40)], count: 4800, channels: 1), [file], in: folder).steps
        #expect(loud.max() == 8_388_607 && loud.min() == -8_388_608)
    }

    /// Every kind of source and everything that changes a sample, against numpy and the ffmpeg command.
    @Test(.enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled), arguments: [1, 2])
    func theMixIsWhatTheFormulasSay(channels: Int) async throws {
        let files = [
            try await noise("a.wav", rate: 48_000, seconds: 1.2, ["-c:a", "pcm_s24le"]),
            try await noise("b.m4a", rate: 44_100, seconds: 1.5, ["-b:a", "128k"]),
            try await noise("c.ac3", rate: 48_000, seconds: 1, channels: 6, filter: "channelmap=0|1|2|3|4|5:5.1"),
            try await noise("d.wav", rate: 47_952, seconds: 1, channels: 1),
            try await noise("e.flac", rate: 96_000, seconds: 1),
        ]
        let fade = Crossfade(shape: .equalPower, count: 12_000)
        let tracks = [
            AudioTrack(
                [
                    .clip(at: 0, count: 40_000, from: 1000, fadeOut: fade),
                    .clip(at: 28_000, count: 50_000, from: -300, asset: 1, fadeIn: fade),
                    .clip(at: 80_000, count: 30_000, from: 30_000, asset: 2),
                ],
                volume: [
                    .init(at: 20_000, millionths: 0, unit: .decibel),
                    .init(at: 90_000, millionths: -9_500_000, unit: .decibel),
                ]
            ),
            AudioTrack([
                .clip(
                    at: 5000,
                    count: 48_000,
                    from: 17,
                    asset: 3,
                    volume: [
                        .init(at: 100, millionths: 200_000, unit: .linear),
                        .init(at: 40_000, millionths: 900_000, unit: .linear),
                    ],
                    fadeIn: Crossfade(shape: .linear, count: 999)
                ),
                .clip(at: 53_000, count: 48_000, from: 5, asset: 4, fadeOut: Crossfade(shape: .cut, count: 4801)),
                .clip(
                    at: 60_000,
                    count: 20_000,
                    asset: 2,
                    volume: [.init(at: 0, millionths: -12_000_000, unit: .decibel)]
                ),
            ]),
        ]
        let task = SoundTask.mix(tracks, count: 119_000, first: 777, channels: channels)
        let result = try RenderedSound(task, files, in: folder)
        let verdict = try await MixOracle.judge(result.bytes, of: task, files.map(\.path), in: folder)
        #expect(verdict.samples == 119_000)
        #expect(verdict.worstSteps <= 1)
        #expect(verdict.differenceDecibels < -138)
        #expect(result.progress.last == 1000 && result.progress == result.progress.sorted())
    }

    /// Against a resampler ten times as long: tones below 20 kHz come out as if there had been no resampling at all.
    @Test(
        .enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled),
        arguments: [44_100, 47_952, 96_000]
    )
    func resamplingIsAsGoodAsIdeal(rate: Int) async throws {
        let tones = "aevalsrc='0.2*sin(2*PI*97*t)+0.2*sin(2*PI*5003*t)+0.3*sin(2*PI*17989*t)':s=\(rate):d=1"
        let file = try await SoundFile.make("tones.wav", in: folder, ["-f", "lavfi", "-i", tones, "-c:a", "pcm_f32le"])
        let task = SoundTask.mix([AudioTrack([.clip(at: 0, count: 30_000, from: 5000)])], count: 30_000, channels: 1)
        let result = try RenderedSound(task, [file], in: folder)
        let verdict = try await MixOracle.judge(result.bytes, of: task, [file.path], in: folder)
        #expect(verdict.worstSteps <= 1)
        #expect(verdict.idealDecibels < -125)
    }

    /// A mistake of one sample or of a hundredth of a decibel is seen: the comparison can fail.
    @Test(.enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled))
    func theOracleSeesSmallMistakes() async throws {
        let file = try await noise("a.wav", rate: 44_100, seconds: 0.5)
        let task = SoundTask.mix([AudioTrack([.clip(at: 0, count: 20_000, from: 100)])], count: 20_000)
        let result = try RenderedSound(task, [file], in: folder)
        var late = task
        late.tracks[0].segments[0].sourceStart += 1
        var louder = task
        louder.tracks[0].volume = [.init(at: 0, millionths: 10_000, unit: .decibel)]
        for wrong in [late, louder] {
            #expect(try await MixOracle.judge(result.bytes, of: wrong, [file.path], in: folder).worstSteps > 1000)
        }
    }

    @Test func nothingIsLeftInTheScratchFolder() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.1)
        let task = SoundTask.mix([AudioTrack([.clip(at: 0, count: 4800)])], count: 4800)
        _ = try RenderedSound(task, [file], in: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 2 && names.contains("a.wav"))
    }

    @Test func aScratchFolderThatIsNotThereIsAnError() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.1)
        let task = SoundTask.mix([AudioTrack([.clip(at: 0, count: 4800)])], count: 4800)
        let error = #expect(throws: RenderError.self) {
            try SoundRenderer.render(
                task,
                sources: [try file.source()],
                to: folder.path("out"),
                scratchFolder: folder.path("missing"),
                progress: { _ in }
            )
        }
        #expect(error?.failure.code == "file_failed")
    }

    @Test func aStreamThatIsNotThereIsAnError() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.1)
        let task = SoundTask.mix([AudioTrack([.clip(at: 0, count: 4800, stream: 3)])], count: 4800)
        let error = #expect(throws: RenderError.self) { try RenderedSound(task, [file], in: folder) }
        #expect(error?.failure.code == "sound_stream_missing")
        #expect(error?.failure.isPermanent == true)
    }

    /// Backwards is what the turned around file is forwards, to the bit, also through the resampler and at another
    /// speed.
    @Test(arguments: [(48_000, 1), (44_100, 1), (44_100, 2)])
    func backwardsIsTheFileTurnedAround(rate: Int, speed: Int64) async throws {
        let file = try await noise("a.wav", rate: rate, seconds: 0.5, ["-c:a", "pcm_s24le"])
        let turned = ["-i", file.path, "-af", "areverse", "-c:a", "pcm_s24le"]
        let reversed = try await SoundFile.make("r.wav", in: folder, turned)
        func steps(_ file: SoundFile, from start: Int64, _ speed: Int64) throws -> [Int32] {
            var clip = AudioTrackSegment.clip(at: 0, count: 12_000, from: start)
            clip.speed = speed == 1 ? nil : RationalTime(whole: speed)
            return try RenderedSound(.mix([AudioTrack([clip])], count: 12_000), [file], in: folder).steps
        }
        let backwards = try steps(file, from: file.facts.sampleCount - 1, -speed)
        #expect(try backwards == steps(reversed, from: 0, speed))
        #expect(Set(backwards).count > 10_000)
    }

    /// Channels of a clip: swapped, mixed, left out; and a source whose loudspeakers nobody knows.
    @Test func aClipSaysWhatItsChannelsAre() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.1, ["-c:a", "pcm_s24le"])
        let source = try await SoundFile.decode(file.path, stream: 0).map { Double($0) * 8_388_608 }
        func steps(_ map: [[Int64]]?, channels: Int = 2) throws -> [Double] {
            var clip = AudioTrackSegment.clip(at: 0, count: 4800)
            clip.channels = map
            let task = SoundTask.mix([AudioTrack([clip])], count: 4800, channels: channels)
            return try RenderedSound(task, [file], in: folder).steps.map(Double.init)
        }
        let one: Int64 = 1_000_000
        let swapped = try steps([[0, one], [one]])
        let mixed = try steps([[], [one / 2, -one / 4]])
        for first in stride(from: 0, to: 9600, by: 2) {
            let (left, right) = (source[first], source[first + 1])
            let sum: Double = left / 2 - right / 4
            #expect(swapped[first] == right && swapped[first + 1] == left)
            #expect(mixed[first] == 0)
            #expect(abs(mixed[first + 1] - sum) <= 0.5)
        }
        let six = try steps([[], [], [0, one], [one], [], []], channels: 6)
        for index in 0..<4800 {
            let (front, low) = (six[6 * index], six[6 * index + 3])
            #expect(front == 0 && low == source[2 * index])
        }
        #expect(throws: RenderError.self) { try steps([[0, 0, one], []]) }
        #expect(throws: RenderError.self) { try steps([[one]]) }
    }

    /// Two clips of one nested edit, each with a part and a map of its own.
    @Test func clipsOfANestedEditHaveTheirOwnChannels() async throws {
        let file = try await noise("a.wav", rate: 48_000, seconds: 0.5, ["-c:a", "pcm_s24le"])
        let source = try await SoundFile.decode(file.path, stream: 0).map { Int32($0 * 8_388_608) }
        let inner = NestedSound(
            sampleRate: 48_000,
            channels: 2,
            sampleCount: 24_000,
            tracks: [AudioTrack([.clip(at: 0, count: 24_000)])],
            master: nil
        )
        var clips = [AudioTrackSegment.clip(at: 0, count: 4000), .clip(at: 4000, count: 4000, from: 19_000)]
        clips[0].isNested = true
        clips[1].isNested = true
        clips[1].channels = [[0, 1_000_000], [1_000_000]]
        var task = SoundTask.mix([AudioTrack(clips)], count: 8000)
        task.nested = [inner]
        let steps = try RenderedSound(task, [file], in: folder).steps
        #expect(Array(steps[..<8000]) == Array(source[..<8000]))
        for index in 0..<4000 {
            let (heard, wanted) = (2 * (4000 + index), 2 * (19_000 + index))
            #expect(steps[heard] == source[wanted + 1] && steps[heard + 1] == source[wanted])
        }
    }

    @Test func silenceNeedsNoSource() throws {
        let result = try RenderedSound(.mix([], count: 5000), [], in: folder)
        #expect(result.bytes == Data(count: 5000 * 6))
        #expect(result.progress.last == 1000)
    }
}
