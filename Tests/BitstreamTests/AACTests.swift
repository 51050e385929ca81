import TestSupport
import Testing

@testable import Bitstream

/// Headers of AAC, and the beginnings of its packets.
@Suite struct AACTests {
    /// AudioSpecificConfigs: plain, of FFmpeg's encoder, of HE-AAC in both ways of saying so, of 960 samples, AAC Main.
    private static let records: [([UInt8], Int, Int, Bool)] = [
        ([0x11, 0x90], 48_000, 2, true), ([0x12, 0x08], 44_100, 1, true),
        ([0x11, 0x90, 0x56, 0xE5, 0x00], 48_000, 2, true), ([0x13, 0x10, 0x56, 0xE5, 0x98], 24_000, 2, false),
        ([0x2B, 0x11, 0x88, 0x00], 24_000, 2, false), ([0x11, 0x94], 48_000, 2, false),
        ([0x09, 0x90], 48_000, 2, false),
    ]

    @Test(arguments: records)
    func configurations(bytes: [UInt8], rate: Int, channels: Int, isPlain: Bool) throws {
        let configuration = try AACConfiguration(bytes[...])
        #expect(configuration.sampleRate == rate && configuration.channelConfiguration == channels)
        #expect(configuration.isPlain == isPlain)
        #expect(throws: BitstreamError.self) { try AACConfiguration(bytes.prefix(1)) }
    }

    private func head(_ fields: [(Int, Int)]) throws -> AACPacketHead {
        var writer = BitWriter()
        for (value, bits) in fields { writer.write(value, bits: bits) }
        writer.align(with: 0)
        return try writer.bytes.withUnsafeBytes { try AACPacketHead($0) }
    }

    @Test func headsOfPackets() throws {
        let pair = try head([(1, 3), (0, 4), (1, 1), (0, 1), (1, 2), (1, 1)])
        #expect(pair.channels == 2 && pair.window == AACWindow(sequence: .longStart, shape: .kaiserBessel))
        let apart = try head([(1, 3), (0, 4), (0, 1), (90, 8)])
        #expect(apart.channels == 2 && apart.window == nil)
        let single = try head([(0, 3), (3, 4), (90, 8), (0, 1), (3, 2), (0, 1)])
        #expect(single.channels == 1 && single.tag == 3)
        #expect(single.window == AACWindow(sequence: .longStop, shape: .sine))
        // Two bytes that fill, and three of data, before the sound.
        let behind = try head(
            [(6, 3), (2, 4), (0xFFFF, 16), (4, 3), (0, 4), (1, 1), (3, 8), (0, 1), (0xFFFFFF, 24)]
                + [(1, 3), (0, 4), (1, 1), (0, 1), (2, 2), (0, 1)]
        )
        #expect(behind.window == AACWindow(sequence: .eightShort, shape: .sine))
        #expect(throws: BitstreamError.self) { try head([(5, 3), (0, 4)]) }
        #expect(throws: BitstreamError.self) { try head([]) }
    }

    /// Codes without prefixes that leave nothing out: their lengths fill the whole tree.
    @Test func theCodebooksAreWhole() {
        #expect(AACCodebook.escapedPairs.count == 289 && AACCodebook.scaleFactors.count == 23)
        let lengths = (0..<289).compactMap { AACCodebook.escapedPairs[$0]?.length }
        #expect(lengths.reduce(0) { $0 + 1 << (12 - $1) } == 1 << 12)
    }

    @Test(arguments: [8000, 16_000, 44_100, 96_000])
    func bandsCoverTheSpectrum(rate: Int) {
        let offsets = AACBands.offsets(sampleRate: rate)
        #expect((offsets == nil) == (rate == 8000))
        if let offsets { #expect(offsets.first == 0 && offsets.last == 1024 && offsets == offsets.sorted()) }
    }

    /// Wrong bytes give an error or an answer.
    @Test func wrongBytes() {
        var random = SplitMix(seed: 3)
        for _ in 0..<100_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            _ = try? AACConfiguration(bytes[...])
            bytes.withUnsafeBytes {
                _ = try? AACPacketHead($0)
                _ = ADTSFrame($0)
            }
        }
    }
}
