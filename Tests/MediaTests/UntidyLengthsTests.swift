import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Media

/// Sound of which container or demuxer says a wrong length, or where it begins.
@Suite struct UntidyLengthsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func noise(_ rate: Int, _ count: Int) -> [String] {
        ["-f", "lavfi", "-i", "anoisesrc=r=\(rate):a=0.3:seed=7,atrim=end_sample=\(count)"]
    }

    private func sound(_ name: String) throws -> AudioStreamFacts {
        try #require(try AssetProbe.probe(FileByteSource(path: folder.path(name))).facts.defaultAudio)
    }

    private func read(_ name: String) throws -> (samples: [Float], damage: SoundDamage) {
        let reader = try SoundReader(source: FileByteSource(path: folder.path(name)), stream: try sound(name))
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.channels[0] }
        return (samples, reader.damage)
    }

    /// What ffmpeg decodes of the first channel, without gaps.
    private func decoded(_ name: String) async throws -> [Float] {
        let raw = folder.path("\(name).f32")
        try await Shell.ffmpeg(
            ["-flags", "+bitexact", "-i", folder.path(name), "-map", "0:a", "-c:a", "pcm_f32le", "-f", "f32le", raw]
        )
        return try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func patch(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
        let url = URL(fileURLWithPath: folder.path(name))
        var bytes = [UInt8](try Data(contentsOf: url))
        change(&bytes)
        try Data(bytes).write(to: url)
    }

    /// Codecs that have no cells, in a container whose packets have no length.
    @Test func wavPackInMatroskaIsCountedByDecoding() async throws {
        try await Shell.ffmpeg(noise(44_100, 60_000) + ["-c:a", "wavpack", folder.path("a.mka")])
        #expect(try sound("a.mka").sampleCount == 60_000)
        #expect(try read("a.mka").samples == (try await decoded("a.mka")))
    }

    /// Its decoder gives the last frame behind the last packet, and no packet says how long it is.
    @Test func windowsMediaAudioIsHeardToItsLastFrame() async throws {
        try await Shell.ffmpeg(noise(44_100, 100_000) + ["-c:a", "wmav2", "-b:a", "160k", folder.path("a.asf")])
        #expect(try read("a.asf").samples == (try await decoded("a.asf")))
    }

    /// Without its index, which stands at the end, libavformat knows the times of some pictures only.
    @Test func picturesOfACutMXFBeginWithItsSound() async throws {
        let pictures = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2"]
        let coding = ["-c:v", "mpeg2video", "-bf", "2", "-c:a", "pcm_s16le", "-shortest"]
        try await Shell.ffmpeg(pictures + noise(48_000, 96_000) + coding + [folder.path("a.mxf")])
        try patch("a.mxf") { $0.removeLast($0.count / 4) }
        #expect(try sound("a.mxf").start == .zero)
    }

    // MARK: MP4

    /// The edit's duration is rounded up to the movie's ticks, and libavformat forgets the priming before it.
    @Test(arguments: ["aac", "libopus", "alac"]) func soundOfMP4EndsWithItsLastSample(codec: String) async throws {
        try await Shell.ffmpeg(noise(48_000, 53_465) + ["-c:a", codec, folder.path("a.mp4")])
        #expect(try sound("a.mp4").sampleCount == 53_465)
        try patch("a.mp4") { bytes in ISOMovie.patch(&bytes) { $0.setDurations(0) } }
        #expect(try sound("a.mp4").sampleCount == 53_465)
        #expect(try read("a.mp4").samples.count == 53_465)
    }

    /// libavformat takes the wait before the sound from the sound's end.
    @Test func soundAfterAWaitIsHeardToItsEnd() async throws {
        let pictures = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2", "-itsoffset", "0.04"]
        try await Shell.ffmpeg(pictures + noise(32_000, 16_233) + ["-c:a", "alac", folder.path("a.mp4")])
        #expect(try sound("a.mp4").start == RationalTime(1, 25))
        #expect(try read("a.mp4").samples == (try await decoded("a.mp4")))
        #expect(try sound("a.mp4").sampleCount == 16_233)
    }

    @Test func primingInFragmentsIsNotHeard() async throws {
        let fragments = ["-c:a", "aac", "-movflags", "+frag_keyframe+delay_moov", "-frag_duration", "300000"]
        try await Shell.ffmpeg(noise(48_000, 60_000) + fragments + [folder.path("a.mp4")])
        try await Shell.ffmpeg(noise(48_000, 60_000) + ["-c:a", "aac", folder.path("b.mp4")])
        #expect(try sound("a.mp4").sampleCount == 60_000)
        #expect(try read("a.mp4").samples == (try read("b.mp4").samples))
    }

    @Test func editsEndSound() {
        func end(_ entries: [(Int64, Int64)], _ length: Int64) -> Int64? {
            let entries = entries.map { SoundEdit.Entry(duration: $0.0, mediaTime: $0.1) }
            return SoundEdit(entries: entries, length: length, ticks: 48_000, movie: 1000)?.end
        }
        #expect(end([], 5000) == 5000)
        #expect(end([(100, 1024)], 5000) == 3976)
        #expect(end([(50, 1024)], 5000) == 2400)
        #expect(end([(40, -1), (100, 0)], 4000) == 5920)
        #expect(end([(40, -1)], 4000) == nil)
        #expect(end([(0, 1024)], 5000) == nil)
        #expect(end([(50, 6000)], 5000) == nil)
        #expect(end([(50, 0), (50, 0)], 5000) == nil)
    }

    // MARK: Ogg

    /// libavformat's times of the first page waver where a long block is followed by a short one.
    @Test func aTransientInTheFirstPageOfVorbisLeavesNoHole() async throws {
        let tone = "0.2*sin(440*2*PI*t)+0.8*(random(0)-0.5)*between(t,0.5,0.505)"
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc='\(tone)':s=44100:d=1.5", "-c:a", "libvorbis", folder.path("a.ogg")]
        )
        let read = try read("a.ogg")
        #expect(read.samples == (try await decoded("a.ogg")))
        #expect(read.damage.isEmpty)
    }
}
