import CompositionModel
import Foundation
import Timing

extension ImageSequence {
    /// Writes the sequence as a QuickTime movie whose samples are the unchanged picture files, at an exact rate, so that
    /// it is an asset like any other. The same files give the same bytes.
    /// - Parameter path: the movie's path; an existing file is replaced.
    /// - Throws: `CocoaError` when a picture cannot be read or the movie cannot be written.
    func write(to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let output = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? output.close() }
        let head = QuickTimeBox.box("ftyp", Data("qt  ".utf8), QuickTimeBox.number32(0x200), Data("qt  ".utf8))
        // A size of 1 says that 64 bits follow; they are written when they are known.
        let media = QuickTimeBox.number32(1) + Data("mdat".utf8)
        try output.write(contentsOf: head + media + QuickTimeBox.number64(0))
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
        try output.write(contentsOf: QuickTimeBox.number64(offset - start))
    }

    /// ISO/IEC 14496-12, 8: one chunk a sample, all of them sync samples.
    private func index(_ samples: [(offset: UInt64, count: UInt32)]) -> Data {
        let (scale, step) = (UInt32(clamping: frameRate.numerator), UInt32(clamping: frameRate.denominator))
        let (count, length) = (UInt32(samples.count), UInt64(samples.count) * UInt64(step))
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].map { QuickTimeBox.number32($0) }.joined()
        let sizes = samples.map { QuickTimeBox.number32($0.count) }.joined()
        let offsets = samples.map { QuickTimeBox.number64($0.offset) }.joined()
        let table = QuickTimeBox.box(
            "stbl",
            QuickTimeBox.full("stsd", QuickTimeBox.number32(1), sampleEntry),
            QuickTimeBox.full(
                "stts",
                QuickTimeBox.number32(1),
                QuickTimeBox.number32(count),
                QuickTimeBox.number32(step)
            ),
            QuickTimeBox.full("stsc", [1, 1, 1, 1].map { QuickTimeBox.number32($0) }.reduce(Data(), +)),
            QuickTimeBox.full("stsz", QuickTimeBox.number32(0), QuickTimeBox.number32(count), Data(sizes)),
            QuickTimeBox.full("co64", QuickTimeBox.number32(count), Data(offsets))
        )
        let reference = QuickTimeBox.box(
            "dinf",
            QuickTimeBox.full("dref", QuickTimeBox.number32(1), QuickTimeBox.full("url ", flags: 1))
        )
        let media = QuickTimeBox.box(
            "mdia",
            QuickTimeBox.full(
                "mdhd",
                version: 1,
                Data(count: 16),
                QuickTimeBox.number32(scale),
                QuickTimeBox.number64(length),
                // No language, no quality.
                QuickTimeBox.number32(0x7FFF_0000)
            ),
            QuickTimeBox.full("hdlr", Data("mhlrvide".utf8), Data(count: 13)),
            QuickTimeBox.box("minf", QuickTimeBox.full("vmhd", flags: 1, Data(count: 8)), reference, table)
        )
        let sides = QuickTimeBox.number32(UInt32(size.width) << 16) + QuickTimeBox.number32(UInt32(size.height) << 16)
        let track = QuickTimeBox.full(
            "tkhd",
            version: 1,
            flags: 3,
            Data(count: 16),
            QuickTimeBox.number32(1),
            Data(count: 4),
            QuickTimeBox.number64(length),
            Data(count: 16),
            Data(matrix),
            sides
        )
        let movie = QuickTimeBox.full(
            "mvhd",
            version: 1,
            Data(count: 16),
            QuickTimeBox.number32(scale),
            QuickTimeBox.number64(length),
            QuickTimeBox.number32(0x10000),
            Data(count: 12),
            Data(matrix),
            Data(count: 24),
            QuickTimeBox.number32(2)
        )
        return QuickTimeBox.box("moov", movie, QuickTimeBox.box("trak", track, media))
    }

    /// QuickTime File Format, “Video sample description”: 24 bits, 72 dpi, one frame a sample.
    private var sampleEntry: Data {
        let sides = QuickTimeBox.number16(UInt16(size.width)) + QuickTimeBox.number16(UInt16(size.height))
        let resolution = QuickTimeBox.number32(0x48_0000) + QuickTimeBox.number32(0x48_0000)
        return QuickTimeBox.box(
            format.fourCC,
            Data(count: 6),
            QuickTimeBox.number16(1),
            Data(count: 16),
            sides,
            resolution,
            Data(count: 4),
            QuickTimeBox.number16(1),
            Data(count: 32),
            QuickTimeBox.number16(24),
            QuickTimeBox.number16(0xFFFF)
        )
    }
}
