import CompositionModel
import Foundation
import Media
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

@Suite struct SoundEncodingTests {
    private let folder: TemporaryFolder
    private let aac = AudioEncoding(codec: .aac, bitRate: 192_000)

    init() throws { folder = try TemporaryFolder() }

    private func tones() async throws -> SoundFile {
        let signal = "aevalsrc='0.3*sin(2*PI*440*t)+0.2*sin(2*PI*3000*t)|0.4*sin(2*PI*700*t)':s=48000:d=2"
        return try await SoundFile.make("tones.wav", in: folder, ["-f", "lavfi", "-i", signal, "-c:a", "pcm_s24le"])
    }

    private func task(_ encoding: AudioEncoding, count: Int64) -> SoundTask {
        .mix([AudioTrack([.clip(at: 0, count: count)])], count: count, encoding: encoding)
    }

    /// Priming, then exactly the samples of the task: ceil(n / 1024) + 1 packets, the last one short.
    @Test(arguments: [1, 1023, 1024, 4096, 4097, 50_001] as [Int64])
    func countsAreExact(count: Int64) async throws {
        let file = try await tones()
        let result = try RenderedSound(task(aac, count: count), [file], in: folder)
        #expect(result.packets.count == Int((count + 1023) / 1024) + 1)
        #expect(result.packets.first?.displayIndex == -1024)
        #expect(result.packets.map(\.duration).reduce(0, +) == count + 1024)
        for (packet, following) in zip(result.packets, result.packets.dropFirst()) {
            #expect(following.displayIndex == packet.displayIndex + packet.duration)
        }
        #expect(
            result.header.content
                == .audio(.init(codec: .aac, sampleRate: 48_000, channels: 2, priming: 1024, frameSize: 1024))
        )
    }

    /// Every codec in every container that may hold it, and how near its decode comes to the mix, in dB.
    static let files: [(codec: AudioEncoding.Codec, bitRate: Int?, container: Container, most: Double)] = [
        (.aac, 192_000, .mp4, -25), (.opus, 160_000, .ogg, -15), (.opus, 160_000, .matroska, -15),
        (.opus, 160_000, .mp4, -15), (.mp3, 256_000, .mp3, -25), (.mp3, 256_000, .mp4, -25),
        (.ac3, 448_000, .mp4, -25), (.flac, nil, .flac, -130), (.flac, nil, .matroska, -130),
        (.alac, nil, .mp4, -130), (.alac, nil, .matroska, -130), (.pcm16, nil, .wav, -85), (.pcm24, nil, .wav, -130),
        (.pcm24, nil, .matroska, -130), (.pcm32, nil, .wav, -130), (.pcmFloat, nil, .wav, -130),
    ]

    /// A file of each kind, decoded by us and by the ffmpeg command: exactly the samples of the mix, each where it
    /// belongs.
    @Test(arguments: files.indices, [800, 47_268, 47_999, 96_000] as [Int64])
    func everyCodecStartsAndEndsExactly(index: Int, count: Int64) async throws {
        let kind = Self.files[index]
        let file = try await tones()
        let plain = try RenderedSound(task(.init(codec: .pcm24, bitRate: nil), count: count), [file], in: folder).steps
        let path = try movie(kind, of: file, count: count)
        let decoded = try await SoundFile.decode(path, stream: 0).map(Double.init)
        #expect(try ownDecode(path).map(\.count) == [Int(count), Int(count)])
        // In MP4, FFmpeg's decode goes on to the end of the last packet where that is not a codec's whole one.
        let isOpen = kind.container == .mp4 && !kind.codec.isLossless
        #expect(isOpen ? decoded.count >= 2 * Int(count) : decoded.count == 2 * Int(count))
        guard count > 40_000 else { return }
        let (error, power) = zip(decoded, plain).dropFirst(8192).reduce((0.0, 0.0)) { sum, pair in
            let wanted = Double(pair.1) / 8_388_608
            return (sum.0 + (pair.0 - wanted) * (pair.0 - wanted), sum.1 + wanted * wanted)
        }
        #expect(10 * log10(error / power) < kind.most)
    }

    /// One sample that is not 0 comes out at its own place.
    @Test(arguments: files.indices)
    func everyCodecKeepsAnImpulseInItsPlace(index: Int) async throws {
        let impulse = "aevalsrc='0.9*eq(n,4801)':s=48000:d=0.3,aformat=channel_layouts=stereo"
        let file = try await SoundFile.make("i.wav", in: folder, ["-f", "lavfi", "-i", impulse, "-c:a", "pcm_s24le"])
        let path = try movie(Self.files[index], of: file, count: 14_000)
        let decoded = try await SoundFile.decode(path, stream: 0)
        let loudest = decoded.indices.max { abs(decoded[$0]) < abs(decoded[$1]) }
        #expect(loudest.map { $0 / 2 } == 4801)
        for own in try ownDecode(path) {
            #expect(own.indices.max { abs(own[$0]) < abs(own[$1]) } == 4801)
        }
    }

    static let wide: [(codec: AudioEncoding.Codec, channels: Int)] = AudioEncoding.Codec.allCases.flatMap { codec in
        codec.channelCounts.map { (codec, $0) }
    }

    /// Each channel has a frequency of its own, and comes out of its own loudspeaker.
    @Test(arguments: wide.indices)
    func everyChannelIsInItsPlace(index: Int) async throws {
        let (codec, channels) = Self.wide[index]
        let speakers = try #require(ChannelLayout(edit: channels)?.speakers)
        let hertz = speakers.enumerated().map { $0.element == "LFE" ? 40 : 300 * ($0.offset + 1) }
        let waves = hertz.map { "0.3*sin(2*PI*\($0)*t)" }.joined(separator: "|")
        let layout = ChannelLayout.editNames[channels] ?? ""
        let wave = ["-f", "lavfi", "-i", "aevalsrc='\(waves)':s=48000:d=0.6:c=\(layout)", "-c:a", "pcm_s24le"]
        let file = try await SoundFile.make("w.wav", in: folder, wave)
        let rate = codec.bitRates.map { min($0.upperBound, 128_000 * channels) }
        let containers: [AudioEncoding.Codec: Container] = [
            .mp3: .mp3, .aac: .mp4, .ac3: .mp4, .alac: .mp4, .opus: .ogg, .flac: .flac,
        ]
        let kind = (codec: codec, bitRate: rate, container: containers[codec] ?? .wav, most: 0.0)
        let path = try movie(kind, of: file, count: 24_000, channels: channels)
        let own = try ownDecode(path)
        #expect(own.map(\.count) == Array(repeating: 24_000, count: channels))
        for (samples, wanted) in zip(own, hertz) {
            let heard = samples[4800..<19_200]
            let crossings = zip(heard, heard.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
            #expect(abs(Double(crossings) / 0.6 - Double(wanted)) < 20, "\(wanted)")
        }
    }

    private func movie(
        _ kind: (codec: AudioEncoding.Codec, bitRate: Int?, container: Container, most: Double),
        of file: SoundFile,
        count: Int64,
        channels: Int = 2
    ) throws -> String {
        var task = task(AudioEncoding(codec: kind.codec, bitRate: kind.bitRate), count: count)
        task.channels = channels
        let coded = try RenderedSound(task, [file], in: folder)
        let path = folder.path("movie.\(kind.container.fileExtension(hasPicture: false))")
        let stitch = StitchTask(
            container: kind.container,
            frameRate: try FrameRate(25, 1),
            frameCount: (count * 25 + 47_999) / 48_000,
            sampleRate: 48_000,
            sampleCount: count,
            size: PictureSize(width: 2, height: 2),
            color: .bt709,
            partFrameCounts: [],
            hasSound: true,
            rendererVersion: Renderer.version
        )
        _ = try Stitcher.stitch(stitch, parts: [], sounds: [coded.path], to: path) { _ in }
        return path
    }

    /// The channels that this program itself reads of a file.
    private func ownDecode(_ path: String) throws -> [[Float]] {
        let source = try FileByteSource(path: path)
        let stream = try #require(try AssetProbe.probe(source).facts.audio.first)
        let reader = try SoundReader(source: source, stream: stream)
        var channels = [[Float]](repeating: [], count: stream.channels)
        while let block = try reader.next() {
            for (index, samples) in block.channels.enumerated() { channels[index] += samples }
        }
        return channels
    }

    /// Decoded by the ffmpeg command, the sound is where it belongs and sounds as it should.
    @Test func whatIsEncodedIsTheMix() async throws {
        let file = try await tones()
        let coded = try RenderedSound(task(aac, count: 96_000), [file], in: folder)
        let plain = try RenderedSound(task(.init(codec: .pcm24, bitRate: nil), count: 96_000), [file], in: folder).steps
        let stream = folder.path("coded.aac")
        try coded.packets.reduce(into: Data()) { $0.append(adts($1.data)) }.write(to: URL(fileURLWithPath: stream))
        let decoded = try await SoundFile.decode(stream, stream: 0).dropFirst(2 * 1024).map(Double.init)
        let (error, power) = zip(decoded, plain).dropFirst(4096).reduce((0.0, 0.0)) { sum, pair in
            let wanted = Double(pair.1) / 8_388_608
            return (sum.0 + (pair.0 - wanted) * (pair.0 - wanted), sum.1 + wanted * wanted)
        }
        #expect(decoded.count >= 2 * 96_000)
        // FFmpeg's own command reaches −31 dB on these tones at this bit rate.
        #expect(10 * log10(error / power) < -28)
    }

    @Test(arguments: [AudioEncoding(codec: .aac, bitRate: 128_000), AudioEncoding(codec: .pcm24, bitRate: nil)])
    func twoRendersAreEqualToTheByte(encoding: AudioEncoding) async throws {
        let file = try await tones()
        let first = try RenderedSound(task(encoding, count: 70_000), [file], in: folder)
        let second = try RenderedSound(task(encoding, count: 70_000), [file], in: folder)
        #expect(first.packets == second.packets && first.header == second.header)
    }

    /// ISO/IEC 14496-3 1.A.2.2: a header of 7 bytes for AAC-LC, 48 kHz, stereo.
    private func adts(_ packet: Data) -> Data {
        let count = packet.count + 7
        let head: [UInt8] = [
            0xff, 0xf1, 0x4c, 0x80 | UInt8(count >> 11), UInt8(count >> 3 & 255), UInt8(count & 7) << 5 | 0x1f, 0xfc,
        ]
        return Data(head) + packet
    }
}
