import Foundation
import Shared
import TestSupport
import Testing

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
        #expect(result.header.content == .audio(.init(codec: .aac, sampleRate: 48_000, channels: 2, priming: 1024)))
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
