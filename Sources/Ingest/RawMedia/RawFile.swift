import Foundation
import Shared

/// A file without a header, on its way to be an asset as any other: its bytes, untouched, in a Matroska file (pictures)
/// or a wave file (sound) that says what they are. The same bytes and words give the same file.
struct RawFile {
    /// Why a file is not what its edit says, as a sentence.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    let format: RawFormat
    private let byteCount: Int64

    /// Samples of sound that are copied at a time.
    private static let block = 1 << 16

    /// - Parameter path: absolute.
    init(path: String, format: RawFormat) throws(Refusal) {
        self.path = path
        self.format = format
        var about = stat()
        guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            throw Refusal(description: "\(path) cannot be read")
        }
        byteCount = Int64(about.st_size)
        let (unit, what) =
            switch format {
            case .picture(let picture):
                (
                    picture.byteCount,
                    "a frame of \(picture.size.width)x\(picture.size.height) in \(picture.pixelFormat.rawValue)"
                )
            case .sound(let sound):
                (
                    sound.byteCount,
                    "a sample of \(Count.of(sound.channels, "channel")) in \(sound.sampleFormat.rawValue)"
                )
            }
        guard byteCount > 0, byteCount % Int64(unit) == 0 else {
            let numbers = "has \(byteCount) bytes, no multiple of the \(unit) of \(what)"
            throw Refusal(description: "\(path) \(numbers); is \"raw\" what it holds?")
        }
    }

    /// What ends the name of its file.
    var fileExtension: String {
        if case .picture = format { "mkv" } else { "wav" }
    }

    /// - Throws: what reading or writing throws.
    func write(to target: String) throws {
        guard let input = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileReadUnknown) }
        defer { try? input.close() }
        guard FileManager.default.createFile(atPath: target, contents: nil),
            let output = FileHandle(forWritingAtPath: target)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? output.close() }
        switch format {
        case .picture(let picture): try write(picture, from: input, to: output)
        case .sound(let sound): try write(sound, from: input, to: output)
        }
    }

    private func read(_ count: Int, from input: FileHandle) throws -> Data {
        guard let data = try input.read(upToCount: count), data.count == count else {
            throw CocoaError(.fileReadUnknown)
        }
        return data
    }

    /// One cluster with one block a frame; times in milliseconds, rounded, as Matroska has them as a rule.
    private func write(_ picture: RawPicture, from input: FileHandle, to output: FileHandle) throws {
        try output.write(contentsOf: MatroskaElement.head(of: picture))
        for frame in 0..<byteCount / Int64(picture.byteCount) {
            let data = try read(picture.byteCount, from: input)
            let time = try picture.frameRate.time(ofFrame: frame).count(of: RationalTime(1, 1000)).value
            try output.write(contentsOf: MatroskaElement.cluster(at: time, data))
        }
    }

    /// EBU Tech 3306: what does not fit into 32 bits stands in a chunk `ds64`.
    private func write(_ sound: RawSound, from input: FileHandle, to output: FileHandle) throws {
        let isLarge = byteCount + 100 > Int64(UInt32.max)
        func number<Number: FixedWidthInteger>(_ value: Number) -> Data {
            withUnsafeBytes(of: value.littleEndian) { Data($0) }
        }
        let long =
            Data("ds64".utf8) + number(UInt32(28)) + number(UInt64(byteCount + 72))
            + number(UInt64(byteCount)) + number(UInt64(byteCount) / UInt64(sound.byteCount)) + number(UInt32(0))
        let bits = UInt16(8 * sound.sampleFormat.byteCount)
        var head = Data((isLarge ? "RF64" : "RIFF").utf8)
        head += number(isLarge ? UInt32.max : UInt32(byteCount + 36 + byteCount % 2)) + Data("WAVE".utf8)
        if isLarge { head += long }
        head += Data("fmt ".utf8) + number(UInt32(16)) + number(UInt16(sound.sampleFormat.isFloat ? 3 : 1))
        head += number(UInt16(sound.channels)) + number(UInt32(sound.sampleRate))
        head += number(UInt32(sound.sampleRate * sound.byteCount)) + number(UInt16(sound.byteCount)) + number(bits)
        head += Data("data".utf8) + number(isLarge ? UInt32.max : UInt32(byteCount))
        try output.write(contentsOf: head)
        var rest = byteCount
        while rest > 0 {
            let count = Int(min(rest, Int64(RawFile.block * sound.byteCount)))
            try output.write(contentsOf: try read(count, from: input))
            rest -= Int64(count)
        }
        if byteCount % 2 == 1 { try output.write(contentsOf: Data([0])) }
    }
}

/// Elements of a Matroska file (RFC 9559): identifier, size, content.
private enum MatroskaElement {
    private static func element(_ identifier: UInt32, _ parts: Data...) -> Data {
        let content = parts.reduce(Data(), +)
        return bytes(UInt64(identifier)) + size(content.count) + content
    }

    private static func number(_ identifier: UInt32, _ value: UInt64) -> Data { element(identifier, bytes(value)) }

    /// In 8 bytes, of which the first says so.
    private static func size(_ count: Int) -> Data {
        withUnsafeBytes(of: (UInt64(1) << 56 | UInt64(count)).bigEndian) { Data($0) }
    }

    /// Big-endian without leading zeros, at least one byte.
    private static func bytes(_ value: UInt64) -> Data {
        let all = withUnsafeBytes(of: value.bigEndian) { Data($0) }
        return Data(all.dropFirst(min(value.leadingZeroBitCount / 8, 7)))
    }

    /// All before the first cluster. The segment's size is not known: it ends with the file.
    static func head(of picture: RawPicture) -> Data {
        let heading = element(
            0x1A45_DFA3,
            number(0x4286, 1),
            number(0x42F7, 1),
            number(0x42F2, 4),
            number(0x42F3, 8),
            element(0x4282, Data("matroska".utf8)),
            number(0x4287, 4),
            number(0x4285, 2)
        )
        let name = Data("cutfarm".utf8)
        let info = element(0x1549_A966, number(0x2AD7B1, 1_000_000), element(0x4D80, name), element(0x5741, name))
        let video = element(
            0xE0,
            number(0xB0, UInt64(picture.size.width)),
            number(0xBA, UInt64(picture.size.height)),
            element(0x2EB524, Data(picture.pixelFormat.fourCC))
        )
        let rate = picture.frameRate
        let nanoseconds =
            (1_000_000_000 * UInt64(rate.denominator) + UInt64(rate.numerator) / 2) / UInt64(rate.numerator)
        let track = element(
            0xAE,
            number(0xD7, 1),
            number(0x73C5, 1),
            number(0x83, 1),
            number(0x9C, 0),
            element(0x86, Data("V_UNCOMPRESSED".utf8)),
            number(0x23E383, nanoseconds),
            video
        )
        let unknownSize = Data([0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        return heading + bytes(0x1853_8067) + unknownSize + info + element(0x1654_AE6B, track)
    }

    /// - Parameter time: milliseconds.
    static func cluster(at time: Int64, _ frame: Data) -> Data {
        // Track 1, at the cluster's own time, a keyframe.
        let block = Data([0x81, 0, 0, 0x80])
        let head = bytes(0xA3) + size(block.count + frame.count) + block
        let timestamp = number(0xE7, UInt64(time))
        return bytes(0x1F43_B675) + size(timestamp.count + head.count + frame.count) + timestamp + head + frame
    }
}
