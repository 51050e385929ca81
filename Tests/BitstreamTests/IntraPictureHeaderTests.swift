import Foundation
import TestSupport
import Testing

@testable import Bitstream

/// Headers of pictures that are coded by themselves, against what ffmpeg's encoders were told.
@Suite struct IntraPictureHeaderTests {
    private static let source = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "1"]

    /// The only packet of a movie, as ffmpeg's muxer of raw packets writes it.
    private func packet(_ coding: [String]) async throws -> [UInt8] {
        [UInt8](try await Shell.ffmpeg(Self.source + coding + ["-f", "data", "-map", "0:v", "-"]))
    }

    @Test(arguments: [
        ("yuv422p10le", "3", [] as [String], 2, false, false), ("yuv444p10le", "4", [], 3, false, false),
        ("yuva444p10le", "4", [], 3, false, true),
        ("yuv422p10le", "2", ["-flags", "+ildct", "-top", "1"], 2, true, false),
    ])
    func proRes(
        format: String,
        profile: String,
        more: [String],
        chroma: Int,
        isInterlaced: Bool,
        hasAlpha: Bool
    ) async throws {
        let bytes = try await packet(["-c:v", "prores_ks", "-profile:v", profile, "-pix_fmt", format] + more)
        let header = try IntraPictureHeader(proRes: bytes[...])
        #expect((header.width, header.height, header.chromaFormat) == (320, 180, chroma))
        #expect(header.isInterlaced == isInterlaced && header.hasAlpha == hasAlpha)
        #expect(throws: BitstreamError.self) { try IntraPictureHeader(proRes: bytes[4...]) }
        #expect(throws: BitstreamError.self) { try IntraPictureHeader(proRes: bytes[..<20]) }
    }

    @Test(arguments: [
        ("dnxhr_lb", "yuv422p", 2, 8), ("dnxhr_hqx", "yuv422p10le", 2, 10), ("dnxhr_444", "yuv444p10le", 3, 10),
    ])
    func dnxhr(profile: String, format: String, chroma: Int, bits: Int) async throws {
        let bytes = try await packet(["-c:v", "dnxhd", "-profile:v", profile, "-pix_fmt", format])
        let header = try IntraPictureHeader(dnxhd: bytes[...])
        #expect((header.width, header.height, header.chromaFormat, header.bits) == (320, 180, chroma, bits))
        #expect(!header.isInterlaced && !header.hasAlpha)
        #expect(throws: BitstreamError.self) { try IntraPictureHeader(dnxhd: bytes[..<44]) }
        #expect(throws: BitstreamError.self) { try IntraPictureHeader(dnxhd: bytes[1...]) }
    }

    @Test(arguments: [(["-flags", "+ildct"], true), ([], false)])
    func dnxhd(more: [String], isInterlaced: Bool) async throws {
        let coding = ["-vf", "scale=1920:1080", "-c:v", "dnxhd", "-b:v", "120M", "-pix_fmt", "yuv422p"]
        let header = try IntraPictureHeader(dnxhd: try await packet(coding + more)[...])
        #expect(header.width == 1920 && header.bits == 8 && header.isInterlaced == isInterlaced)
    }

    @Test(arguments: [("yuvj420p", 1), ("yuvj422p", 2), ("yuvj444p", 3)])
    func jpeg(format: String, chroma: Int) async throws {
        let bytes = try await packet(["-c:v", "mjpeg", "-pix_fmt", format])
        let header = try IntraPictureHeader(jpeg: bytes[...])
        #expect((header.width, header.height, header.chromaFormat, header.bits) == (320, 180, chroma, 8))
        #expect(!header.isInterlaced && header.traits[0] == 0)
        // An AVI1 segment whose polarity is not 0 says that the picture is a field.
        let field: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("AVI1".utf8) + [1] + [UInt8](repeating: 0, count: 9)
        #expect(try IntraPictureHeader(jpeg: (bytes[..<2] + field + bytes[2...])[...]).isInterlaced)
        #expect(throws: BitstreamError.self) { try IntraPictureHeader(jpeg: bytes[..<100]) }
    }

    /// Bytes with mistakes are an error or a header, and never a trap.
    @Test func damagedBytesAreAnErrorOrAHeader() async throws {
        let packets = [
            try await packet(["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]), try await packet(["-c:v", "prores_ks"]),
            try await packet(["-c:v", "dnxhd", "-profile:v", "dnxhr_hq", "-pix_fmt", "yuv422p"]),
        ]
        var random = SplitMix(seed: 5)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = Array(try #require(packets.randomElement(using: &random)).prefix(700))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
            for codec in 0..<3 {
                guard let header = try? read(cut, codec) else {
                    refused += 1
                    continue
                }
                #expect(header.width > 0 && header.height > 0)
            }
        }
        #expect(refused > 40_000)
    }

    private func read(_ bytes: ArraySlice<UInt8>, _ codec: Int) throws -> IntraPictureHeader {
        switch codec {
        case 0: try IntraPictureHeader(jpeg: bytes)
        case 1: try IntraPictureHeader(proRes: bytes)
        default: try IntraPictureHeader(dnxhd: bytes)
        }
    }
}
