import CompositionModel
import Foundation
import Media
import Planning
import TestSupport
import Testing

@testable import Rendering

/// Real files: AC-3 and AAC beside picture, music with artwork and chapters, at 44.1 and 48 kHz.
@Suite struct SoundFootageTests {
    /// Every sound stream of every file, one after the other with crossfades, as probing found them.
    @Test(
        .enabled(if: SampleMedia.folder != nil, "CUTFARM_FOOTAGE is needed"),
        .enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled)
    )
    func everyStreamSoundsAsTheCommandDecodesIt() async throws {
        let folder = try TemporaryFolder()
        let root = try #require(SampleMedia.folder)
        let names = ["01_nebula.mp4", "04_quasar.mp4", "keep-going.m4a", "voice-sagan.m4a"]
        let sources = try names.map { name in
            let bytes = try FileByteSource(path: "\(root)/\(name)")
            return RenderSource(bytes: bytes, facts: try AssetProbe.probe(bytes).facts, indexes: [:])
        }
        let fade = Crossfade(shape: .equalPower, count: 4800)
        var clips: [AudioTrackSegment] = []
        for (asset, source) in sources.enumerated() {
            for stream in source.facts.audio {
                let start = Int64(clips.count) * 43_200
                clips.append(
                    .clip(
                        at: start,
                        count: 48_000,
                        from: Int64(stream.sampleRate) * 3 / 2,
                        asset: asset,
                        stream: stream.streamIndex,
                        fadeIn: fade,
                        fadeOut: fade
                    )
                )
            }
        }
        #expect(clips.count >= 6)
        let task = SoundTask.mix([AudioTrack(clips)], count: Int64(clips.count) * 43_200 + 4800)
        let result = try RenderedSound(task, sources: sources, in: folder)
        let paths = names.map { "\(root)/\($0)" }
        let verdict = try await MixOracle.judge(result.bytes, of: task, paths, in: folder)
        #expect(verdict.samples == task.sampleCount)
        #expect(verdict.worstSteps <= 1)
        #expect(verdict.idealDecibels < -90)
    }
}
