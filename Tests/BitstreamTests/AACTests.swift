import Foundation
import TestSupport
import Testing

@testable import Bitstream

/// Headers of AAC, and the windows of its packets.
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

    private func windows(_ fields: [(Int, Int)], channels: Int = 2) throws -> [AACWindow] {
        var writer = BitWriter()
        for (value, bits) in fields { writer.write(value, bits: bits) }
        writer.align(with: 0)
        let configuration = try #require(AACChannelConfiguration(channels: channels))
        let bands = try #require(AACBands(sampleRate: 48_000))
        return try writer.bytes.withUnsafeBytes { try AACPacketReader.windows(of: $0, configuration, bands) }
    }

    @Test func windowsOfPackets() throws {
        let pair = try windows([(1, 3), (0, 4), (1, 1), (0, 1), (1, 2), (1, 1), (0, 6), (0, 1)])
        #expect(pair == Array(repeating: AACWindow(sequence: .longStart, shape: .kaiserBessel), count: 2))
        let single = try windows([(0, 3), (0, 4), (90, 8), (0, 1), (3, 2), (0, 1), (0, 6), (0, 1)], channels: 1)
        #expect(single == [AACWindow(sequence: .longStop, shape: .sine)])
        // Two bytes that fill, and three of data, before the sound.
        let behind = try windows(
            [(6, 3), (2, 4), (0xFFFF, 16), (4, 3), (0, 4), (1, 1), (3, 8), (0, 1), (0xFFFFFF, 24)]
                + [(1, 3), (0, 4), (1, 1), (0, 1), (2, 2), (0, 1), (0, 4), (0, 7)]
        )
        #expect(behind == Array(repeating: AACWindow(sequence: .eightShort, shape: .sine), count: 2))
        // Another tag, prediction, another element, nothing.
        #expect(throws: BitstreamError.self) {
            try windows([(0, 3), (3, 4), (90, 8), (0, 1), (3, 2), (0, 1), (0, 6), (0, 1)], channels: 1)
        }
        #expect(throws: BitstreamError.self) {
            try windows([(0, 3), (0, 4), (90, 8), (0, 1), (3, 2), (0, 1), (0, 6), (1, 1)], channels: 1)
        }
        #expect(throws: BitstreamError.self) { try windows([(5, 3), (0, 4)]) }
        #expect(throws: BitstreamError.self) { try windows([]) }
    }

    /// Codes without prefixes that leave nothing out: their lengths fill the whole tree.
    @Test func theCodebooksAreWhole() {
        let codes = AACSpectrumCode.all.map(\.code) + [AACCodebook.scaleFactors]
        #expect(codes.map(\.symbols.count) == [81, 81, 81, 81, 81, 81, 64, 64, 169, 169, 289, 121])
        for code in codes {
            #expect(Set(code.symbols).count == code.symbols.count)
            let filled = code.symbols.reduce(0) { $0 + (code[$1].map { 1 << (AACCodebook.longest - $0.length) } ?? 0) }
            #expect(filled == 1 << AACCodebook.longest)
            for (position, symbol) in code.symbols.enumerated() {
                guard let (word, length) = code[symbol] else { continue }
                let found = code.codeword(in: word << (AACCodebook.longest - length))
                #expect(found?.position == position && found?.length == length)
            }
        }
    }

    /// Packets whose channels have windows of their own are read as they were written, whatever codes their bands have.
    @Test(arguments: 1...6, [11_025, 22_050, 32_000, 48_000, 96_000])
    func writtenPacketsAreRead(channels: Int, rate: Int) throws {
        let configuration = try #require(AACChannelConfiguration(channels: channels))
        let bands = try #require(AACBands(sampleRate: rate))
        var random = SplitMix(seed: UInt64(channels * rate))
        for _ in 0..<50 {
            let made = (0..<channels).map { _ in
                let window = AACWindow(
                    shortLeft: false,
                    shortRight: Bool.random(using: &random),
                    shape: Bool.random(using: &random) ? .sine : .kaiserBessel
                )!
                let largest = [0, 1, 2, 4, 7, 12, 15, 16, 40, 8191].randomElement(using: &random)!
                let coefficients = (0..<1024).map { place in
                    place % 5 == 0 || place > 700 ? 0 : Int.random(in: -largest...largest, using: &random)
                }
                let factors = bands.long.dropLast().map { _ in Int.random(in: 100...160, using: &random) }
                return AACPacketWriter.Channel(window: window, scaleFactors: factors, coefficients: coefficients)
            }
            let packet = try AACPacketWriter(configuration, bands).packet(made)
            let read = try packet.withUnsafeBytes { try AACPacketReader.windows(of: $0, configuration, bands) }
            #expect(read == made.map(\.window))
        }
    }

    /// A packet of noise that is as loud as full scale, and the bits of its first channel's global_gain.
    private func packet(channels: Int, factor: Int, seed: UInt64) throws -> [UInt8] {
        var random = SplitMix(seed: seed)
        let configuration = try #require(AACChannelConfiguration(channels: channels))
        let bands = try #require(AACBands(sampleRate: 48_000))
        let made = try (0..<channels).map { _ in
            AACPacketWriter.Channel(
                window: try #require(AACWindow(shortLeft: false, shortRight: false, shape: .sine)),
                scaleFactors: bands.long.dropLast().map { factor + $0 % 3 },
                coefficients: (0..<1024).map { _ in Int.random(in: -20...20, using: &random) }
            )
        }
        return try AACPacketWriter(configuration, bands).packet(made)
    }

    private func check(_ packet: [UInt8], channels: Int) throws {
        let configuration = try #require(AACChannelConfiguration(channels: channels))
        let bands = try #require(AACBands(sampleRate: 48_000))
        try packet.withUnsafeBytes { try AACPacketReader.check($0, configuration, bands) }
    }

    /// What lies behind the last window is read too: the spectrum, the end, and nothing behind it but zeros.
    @Test(arguments: 1...6) func wholePacketsAreChecked(channels: Int) throws {
        let packet = try packet(channels: channels, factor: 150, seed: UInt64(channels))
        try check(packet, channels: channels)
        try check(packet + [0, 0], channels: channels)
        for wrong in [packet + [1], packet + [0, 0, 128], Array(packet.dropLast()), packet.dropLast() + [0]] {
            #expect(throws: BitstreamError.self) { try check(wrong, channels: channels) }
        }
        if channels > 1 { #expect(throws: BitstreamError.self) { try check(packet, channels: channels - 1) } }
    }

    /// A wrong gain leaves all codewords as they are. The coefficients have an RMS of 28 after their dequantisation; a
    /// square wave at full scale has one of 2^20.5, so that noise of 158 (57 steps of a quarter of 6 dB up) is near it.
    @Test func whatIsLouderThanAnySoundIsDamaged() throws {
        try check(packet(channels: 2, factor: 158, seed: 3), channels: 2)
        for factor in [168, 174, 190, 222] {
            #expect(throws: BitstreamError.self) {
                try check(packet(channels: 2, factor: factor, seed: 3), channels: 2)
            }
        }
        #expect(AACLoudness.energy(coefficient: 0) == 0 && AACLoudness.energy(coefficient: -1) == 1)
        for value in [2, 7, 16, 100, 8191] {
            let wanted = pow(Double(value), 8.0 / 3)
            #expect(abs(AACLoudness.energy(coefficient: value) / wanted - 1) < 1e-5, "\(value)")
        }
        for factor in -4...5 { #expect(abs(AACLoudness.energy(factor: factor) - pow(2, Double(factor) / 2)) < 1e-9) }
    }

    /// Any one wrong bit gives an error or an answer, and more than a third give an error.
    @Test func wrongBitsAreFound() throws {
        let packet = try packet(channels: 2, factor: 150, seed: 8)
        var found = 0
        for bit in 0..<8 * packet.count {
            var wrong = packet
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            if (try? check(wrong, channels: 2)) == nil { found += 1 }
        }
        #expect(3 * found > 8 * packet.count, "\(found) of \(8 * packet.count)")
    }

    @Test(arguments: [8000, 16_000, 44_100, 96_000])
    func bandsCoverTheSpectrum(rate: Int) {
        let bands = AACBands(sampleRate: rate)
        #expect((bands == nil) == (rate == 8000))
        guard let bands else { return }
        for (offsets, count) in [(bands.long, 1024), (bands.short, 128)] {
            #expect(offsets.first == 0 && offsets.last == count && offsets == offsets.sorted())
            // Codewords stand for up to four coefficients.
            #expect(offsets.allSatisfy { $0 % 4 == 0 })
        }
    }

    /// Wrong bytes give an error or an answer.
    @Test func wrongBytes() throws {
        let configuration = try #require(AACChannelConfiguration(channels: 6))
        let bands = try #require(AACBands(sampleRate: 48_000))
        var random = SplitMix(seed: 3)
        for _ in 0..<100_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            _ = try? AACConfiguration(bytes[...])
            bytes.withUnsafeBytes {
                _ = try? AACPacketReader.windows(of: $0, configuration, bands)
                _ = try? AACPacketReader.check($0, configuration, bands)
                _ = ADTSFrame($0)
            }
        }
    }
}
