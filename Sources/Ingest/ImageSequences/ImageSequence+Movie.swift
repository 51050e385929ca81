import Foundation
import Shared

/// A sequence as one file: a QuickTime movie whose samples are the picture files, untouched, with an exact rate. So it
/// is an asset like any other. The same files give the same bytes.
extension ImageSequence {
    /// - Throws: what reading or writing throws.
    func write(to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let output = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? output.close() }
        let head = MovieBox.box("ftyp", Data("qt  ".utf8), MovieBox.number32(0x200), Data("qt  ".utf8))
        // A size of 1 says that 64 bits follow; they are written when they are known.
        let media = MovieBox.number32(1) + Data("mdat".utf8)
        try output.write(contentsOf: head + media + MovieBox.number64(0))
        let start = UInt64(head.count)
        var offset = start + 16
        var samples: [(offset: UInt64, count: UInt32)] = []
        for file in files {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            guard let count = UInt32(exactly: data.count) else { throw CocoaError(.fileReadTooLarge) }
            try output.write(contentsOf: data)
            samples.append((offset, count))
            offset += UInt64(count)
        }
        try output.write(contentsOf: index(samples))
        try output.seek(toOffset: start + 8)
        try output.write(contentsOf: MovieBox.number64(offset - start))
    }

    /// ISO/IEC 14496-12, 8: one chunk a sample, all of them sync samples.
    private func index(_ samples: [(offset: UInt64, count: UInt32)]) -> Data {
        let (scale, step) = (UInt32(clamping: frameRate.numerator), UInt32(clamping: frameRate.denominator))
        let (count, length) = (UInt32(samples.count), UInt64(samples.count) * UInt64(step))
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].map { MovieBox.number32($0) }.joined()
        let sizes = samples.map { MovieBox.number32($0.count) }.joined()
        let offsets = samples.map { MovieBox.number64($0.offset) }.joined()
        let table = MovieBox.box(
            "stbl",
            MovieBox.full("stsd", MovieBox.number32(1), sampleEntry),
            MovieBox.full("stts", MovieBox.number32(1), MovieBox.number32(count), MovieBox.number32(step)),
            MovieBox.full("stsc", [1, 1, 1, 1].map { MovieBox.number32($0) }.reduce(Data(), +)),
            MovieBox.full("stsz", MovieBox.number32(0), MovieBox.number32(count), Data(sizes)),
            MovieBox.full("co64", MovieBox.number32(count), Data(offsets))
        )
        let reference = MovieBox.box(
            "dinf",
            MovieBox.full("dref", MovieBox.number32(1), MovieBox.full("url ", flags: 1))
        )
        let media = MovieBox.box(
            "mdia",
            MovieBox.full(
                "mdhd",
                version: 1,
                Data(count: 16),
                MovieBox.number32(scale),
                MovieBox.number64(length),
                // No language, no quality.
                MovieBox.number32(0x7FFF_0000)
            ),
            MovieBox.full("hdlr", Data("mhlrvide".utf8), Data(count: 13)),
            MovieBox.box("minf", MovieBox.full("vmhd", flags: 1, Data(count: 8)), reference, table)
        )
        let sides = MovieBox.number32(UInt32(size.width) << 16) + MovieBox.number32(UInt32(size.height) << 16)
        let track = MovieBox.full(
            "tkhd",
            version: 1,
            flags: 3,
            Data(count: 16),
            MovieBox.number32(1),
            Data(count: 4),
            MovieBox.number64(length),
            Data(count: 16),
            Data(matrix),
            sides
        )
        let movie = MovieBox.full(
            "mvhd",
            version: 1,
            Data(count: 16),
            MovieBox.number32(scale),
            MovieBox.number64(length),
            MovieBox.number32(0x10000),
            Data(count: 12),
            Data(matrix),
            Data(count: 24),
            MovieBox.number32(2)
        )
        return MovieBox.box("moov", movie, MovieBox.box("trak", track, media))
    }

    /// QuickTime File Format, “Video sample description”: 24 bits, 72 dpi, one frame a sample.
    private var sampleEntry: Data {
        let sides = MovieBox.number16(UInt16(size.width)) + MovieBox.number16(UInt16(size.height))
        let resolution = MovieBox.number32(0x48_0000) + MovieBox.number32(0x48_0000)
        return MovieBox.box(
            format.fourCC,
            Data(count: 6),
            MovieBox.number16(1),
            Data(count: 16),
            sides,
            resolution,
            Data(count: 4),
            MovieBox.number16(1),
            Data(count: 32),
            MovieBox.number16(24),
            MovieBox.number16(0xFFFF)
        )
    }
}

/// Boxes of a QuickTime movie: size, type, content; big-endian.
private enum MovieBox {
    static func box(_ type: String, _ parts: Data...) -> Data { box(type, parts) }

    static func full(_ type: String, version: UInt32 = 0, flags: UInt32 = 0, _ parts: Data...) -> Data {
        box(type, [number32(version << 24 | flags)] + parts)
    }

    private static func box(_ type: String, _ parts: [Data]) -> Data {
        let content = parts.reduce(Data(type.utf8), +)
        return number32(UInt32(content.count + 4)) + content
    }

    static func number16(_ value: UInt16) -> Data { Data([UInt8(value >> 8), UInt8(value & 255)]) }
    static func number32(_ value: UInt32) -> Data { number16(UInt16(value >> 16)) + number16(UInt16(value & 0xFFFF)) }
    static func number64(_ value: UInt64) -> Data {
        number32(UInt32(value >> 32)) + number32(UInt32(value & 0xFFFF_FFFF))
    }
}
