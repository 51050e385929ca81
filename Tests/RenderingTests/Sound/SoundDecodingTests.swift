import CompositionModel
import Foundation
import Media
import TestSupport
import Testing

/// Media's reader gives the very floats that the ffmpeg command gives: what an independent check may rest on.
@Suite struct SoundDecodingTests {
    private static let codecs: [(name: String, options: [String])] = [
        ("aac.m4a", ["-c:a", "aac", "-b:a", "96k"]),
        ("aac.ts", ["-c:a", "aac", "-b:a", "96k"]),
        ("ac3.ac3", ["-c:a", "ac3"]),
        ("ac3.mp4", ["-c:a", "ac3"]),
        ("mp3.mp3", ["-c:a", "libmp3lame"]),
        ("vorbis.ogg", ["-c:a", "libvorbis"]),
        ("opus.mkv", ["-c:a", "libopus"]),
        ("flac.flac", ["-c:a", "flac"]),
        ("alac.m4a", ["-c:a", "alac"]),
        ("pcm16.wav", ["-c:a", "pcm_s16le"]),
        ("float.mov", ["-c:a", "pcm_f32le"]),
    ]

    @Test(arguments: codecs.indices)
    func samplesAreThoseOfTheCommand(codec: Int) async throws {
        let folder = try TemporaryFolder()
        let (name, options) = Self.codecs[codec]
        let noise = ["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.3:seed=5:d=1.3,aformat=channel_layouts=stereo"]
        let file = try await SoundFile.make(name, in: folder, noise + options)
        let probed = try #require(AssetProbe.probe(FileByteSource(path: file.path)).facts.audio.first)
        #expect(probed.sampleCount == file.facts.sampleCount && probed.channelLayout == file.facts.channelLayout)
        let expected = try await SoundFile.decode(file.path, stream: 0)
        let reader = try SoundReader(source: FileByteSource(path: file.path), stream: probed)
        var samples: [Float] = []
        var position: Int64 = 0
        while let block = try reader.next() {
            #expect(block.start == position)
            for index in 0..<block.count { samples += block.channels.map { $0[index] } }
            position += Int64(block.count)
        }
        #expect(position == file.facts.sampleCount)
        let count = Int(file.facts.sampleCount) * file.facts.channels
        #expect(samples == Array(expected.prefix(count)), "\(name)")
    }
}
