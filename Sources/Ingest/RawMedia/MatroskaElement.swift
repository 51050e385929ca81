import CompositionModel
import Foundation
import Timing

/// Elements of a Matroska file (RFC 9559): identifier, size, content.
enum MatroskaElement {
    private static func element(_ identifier: UInt32, _ parts: Data...) -> Data {
        let content = parts.reduce(Data(), +)
        return bytes(UInt64(identifier)) + size(content.count) + content
    }

    private static func number(_ identifier: UInt32, _ value: UInt64) -> Data { element(identifier, bytes(value)) }

    /// A size as an EBML number of 8 bytes, whose first byte, 1, says that it has 8.
    private static func size(_ count: Int) -> Data {
        withUnsafeBytes(of: (UInt64(1) << 56 | UInt64(count)).bigEndian) { Data($0) }
    }

    /// The bytes of `value`, big-endian and without leading zeros, at least one byte.
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
