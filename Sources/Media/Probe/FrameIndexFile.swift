package import CompositionModel
package import Foundation
import Timing

/// The stored form of a ``FrameIndex``: some five bytes a packet, with a digest, so that damage is noticed.
///
/// ```
/// “CFIX” · version · numbers as zigzag LEB128 (differences for lists) · flags one byte a packet · SHA-256 in hex
/// ```
package enum FrameIndexFile {
    private static let magic = Data("CFIX".utf8)
    private static let digestLength = 64

    /// The bytes of the file of `index`.
    package static func encode(_ index: FrameIndex) -> Data {
        var writer = NumberWriter(data: magic)
        writer.put(Int64(index.version))
        writer.put(Int64(index.streamIndex))
        writer.put(index.timeBase)
        writer.put(index.origin)
        writer.put(index.constantFrameDuration ?? .zero)
        writer.put(index.endPts)
        writer.putDifferences(index.packets.map(\.pts))
        writer.putDifferences(index.packets.map(\.dts))
        writer.putDifferences(index.packets.map(\.position))
        for packet in index.packets { writer.data.append(packet.flags) }
        writer.putDifferences(index.shown)
        writer.data.append(contentsOf: ContentDigest(of: writer.data).hex.utf8)
        return writer.data
    }

    /// - Throws: ``MediaError/invalidIndex(_:)`` for another version, or bytes that are not what was written.
    package static func decode(_ data: Data) throws(MediaError) -> FrameIndex {
        let body = data.dropLast(digestLength)
        guard body.starts(with: magic),
            ContentDigest(of: body).hex.utf8.elementsEqual(data.suffix(digestLength))
        else { throw .invalidIndex("A frame index is damaged or none at all; probe the asset again.") }
        var reader = NumberReader(data: body.dropFirst(magic.count))
        guard try reader.get() == Int64(FrameIndex.currentVersion) else {
            throw .invalidIndex("A frame index is of another version; probe the asset again.")
        }
        return try index(&reader)
    }

    private static func index(_ reader: inout NumberReader) throws(MediaError) -> FrameIndex {
        let stream = Int(try reader.get())
        let timeBase = try reader.time()
        let origin = try reader.get()
        let duration = try reader.time()
        let end = try reader.get()
        let (pts, dts, positions) = (try reader.differences(), try reader.differences(), try reader.differences())
        guard pts.count == dts.count, pts.count == positions.count else { throw NumberReader.damaged }
        let flags = try reader.bytes(pts.count)
        let packets = zip(flags, pts.indices).map { flags, number in
            FrameIndex.Entry(flags: flags, pts: pts[number], dts: dts[number], position: positions[number])
        }
        return FrameIndex(
            streamIndex: stream,
            timeBase: timeBase,
            origin: origin,
            constantFrameDuration: duration == .zero ? nil : duration,
            packets: packets,
            shown: try reader.differences(),
            endPts: end
        )
    }
}

extension FrameIndex.Entry {
    fileprivate var flags: UInt8 { (isKey ? 1 : 0) | (isEntryPoint ? 2 : 0) | (isDiscarded ? 4 : 0) }

    fileprivate init(flags: UInt8, pts: Int64, dts: Int64, position: Int64) {
        self.init(
            pts: pts,
            dts: dts,
            position: position,
            isKey: flags & 1 != 0,
            isEntryPoint: flags & 2 != 0,
            isDiscarded: flags & 4 != 0
        )
    }
}

private struct NumberWriter {
    var data: Data

    mutating func put(_ number: Int64) {
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        while rest > 127 {
            data.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    mutating func put(_ time: RationalTime) {
        put(time.numerator)
        put(time.denominator)
    }

    mutating func putDifferences(_ numbers: [Int64]) {
        put(Int64(numbers.count))
        var last: Int64 = 0
        for number in numbers {
            put(number &- last)
            last = number
        }
    }
}

private struct NumberReader {
    static let damaged = MediaError.invalidIndex("A frame index ends too early; probe the asset again.")
    var data: Data

    mutating func get() throws(MediaError) -> Int64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = data.popFirst(), shift < 64 {
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
            shift += 7
        }
        throw Self.damaged
    }

    mutating func time() throws(MediaError) -> RationalTime {
        let (top, bottom) = (try get(), try get())
        guard let time = try? RationalTime(top, bottom) else { throw Self.damaged }
        return time
    }

    mutating func differences() throws(MediaError) -> [Int64] {
        let count = try get()
        guard count >= 0, count <= Int64(data.count) else { throw Self.damaged }
        var (numbers, last): ([Int64], Int64) = ([], 0)
        numbers.reserveCapacity(Int(count))
        for _ in 0..<count {
            last &+= try get()
            numbers.append(last)
        }
        return numbers
    }

    mutating func bytes(_ count: Int) throws(MediaError) -> Data {
        guard data.count >= count else { throw Self.damaged }
        defer { data = data.dropFirst(count) }
        return data.prefix(count)
    }
}
