import CompositionModel
import Foundation
import Planning
import Sandbox
import Testing
import Timing
import WireProtocol

@Suite struct RenderLimitsTests {
    private func limits(sampleCount: Int64, channels: Int, sources: Int) throws -> RenderLimits {
        let task = SoundTask(
            sampleRate: 48_000,
            channels: 2,
            sampleCount: 1 << 20,
            firstSample: 0,
            assets: [],
            tracks: [],
            encoding: AudioEncoding(codec: .pcm24, bitRate: nil),
            rendererVersion: Renderer.version
        )
        let stream = AudioStreamFacts(
            streamIndex: 0,
            codec: "flac",
            profile: nil,
            sampleRate: 48_000,
            channels: channels,
            channelLayout: "stereo",
            start: try RationalTime(0, 1),
            sampleCount: sampleCount,
            language: nil,
            isDefault: true
        )
        let facts = AssetFacts(container: "flac", byteCount: 1, video: [], audio: [stream])
        let source = SourceFile(path: "/s", byteCount: 1, isComplete: true, facts: facts)
        let grant = LeaseGrant(
            attempt: AttemptID(uuid: UUID()),
            task: TaskID(uuid: UUID()),
            job: JobID(uuid: UUID()),
            payload: .sound(task),
            leaseMilliseconds: 6000,
            deadlineMilliseconds: 600_000
        )
        return RenderLimits(rendering: grant, sources: Array(repeating: source, count: sources))
    }

    /// 16 bytes a sample of the result, 4 of each channel of a source, and 64 MiB.
    @Test func soundHasRoomForItsSources() throws {
        #expect(try limits(sampleCount: 1 << 20, channels: 6, sources: 2).fileMiB == 64 + 16 + 48)
        #expect(try limits(sampleCount: 0, channels: 2, sources: 0).fileMiB == 64 + 16)
        #expect(try limits(sampleCount: 0, channels: 2, sources: 0).wall == .seconds(660))
    }

    /// Facts come out of files that anybody may send.
    @Test func factsThatLieDoNotOverflow() throws {
        #expect(try limits(sampleCount: .max, channels: 64, sources: 3).fileMiB == 64 + (1 << 40))
        #expect(try limits(sampleCount: -5, channels: 2, sources: 1).fileMiB == 64 + 16)
    }
}
