import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct OpenEndedWaveTests {
    /// What was written to a pipe has no length in its header, and is whole.
    @Test(arguments: ["pcm_s16le", "pcm_s24le", "pcm_f32le"]) func aWaveWithoutLengthEndsWhereItEnds(
        codec: String
    ) async throws {
        let folder = try TemporaryFolder()
        let input = ["-f", "lavfi", "-i", "sine=r=44100,atrim=end_sample=33333", "-c:a", codec, "-f", "wav", "-"]
        let data = try await Shell.ffmpeg(input)
        let file = URL(fileURLWithPath: folder.path("pipe.wav"))
        try data.write(to: file)
        #expect(data[4..<8] == Data([255, 255, 255, 255]))
        let source = try FileByteSource(path: file.path)
        let stream = try #require(try AssetProbe.probe(source).facts.defaultAudio)
        #expect(stream.sampleCount == 33_333)
        let reader = try SoundReader(source: source, stream: stream)
        var count = 0
        while let block = try reader.next() { count += block.channels[0].count }
        #expect(count == 33_333)
        // With a length it is known to be cut off.
        try await Shell.ffmpeg(["-i", file.path, "-c", "copy", folder.path("known.wav")])
        let known = try Data(contentsOf: URL(fileURLWithPath: folder.path("known.wav")))
        try known.dropLast(1001).write(to: file)
        #expect(throws: MediaError.self) { try AssetProbe.probe(FileByteSource(path: file.path)) }
    }
}
