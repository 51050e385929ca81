import CompositionModel
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct SampleConversionTests {
    /// A filter would remember what is no number for ever.
    @Test(arguments: ["pcm_f32le", "pcm_f64le"]) func whatIsNoFiniteNumberIsSilence(codec: String) async throws {
        let folder = try TemporaryFolder()
        let samples: [Float] = [0.25, .nan, .infinity, -.infinity, -0.5, 3]
        let bytes = samples.flatMap { sample in withUnsafeBytes(of: sample.bitPattern.littleEndian, Array.init) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("raw")))
        let input = ["-f", "f32le", "-ar", "48000", "-ac", "1", "-i", folder.path("raw")]
        try await Shell.ffmpeg(input + ["-c:a", codec, folder.path("s.wav")])
        let source = try FileByteSource(path: folder.path("s.wav"))
        let stream = try #require(try AssetProbe.probe(source).facts.defaultAudio)
        let reader = try SoundReader(source: source, stream: stream)
        var heard: [Float] = []
        while let block = try reader.next() { heard += block.channels[0] }
        #expect(heard == [0.25, 0, 0, 0, -0.5, 3])
    }
}
