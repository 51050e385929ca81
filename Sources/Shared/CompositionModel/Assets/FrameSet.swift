import Foundation
package import Timing

/// A set of frame numbers from 0 on, one bit for each. Its JSON is the base64 of the bits, the lowest bit of each byte
/// first, so that ten hours of frames are some hundred kilobytes.
package struct FrameSet: Sendable, Hashable {
    private var bits: [UInt8] = []

    package init() {}

    package init(_ frames: some Sequence<Int64>) {
        for frame in frames { insert(frame) }
    }

    /// - Precondition: `frame` ≥ 0.
    package mutating func insert(_ frame: Int64) {
        let place = Int(frame >> 3)
        if place >= bits.count { bits += [UInt8](repeating: 0, count: place + 1 - bits.count) }
        bits[place] |= 1 << UInt8(frame & 7)
    }

    package func contains(_ frame: Int64) -> Bool {
        let place = Int(frame >> 3)
        return frame >= 0 && place < bits.count && bits[place] >> UInt8(frame & 7) & 1 == 1
    }

    /// The greatest number in the set that is at most `frame`; nil when there is none.
    package func last(upTo frame: Int64) -> Int64? {
        guard frame >= 0, !bits.isEmpty else { return nil }
        var place = Int(min(frame >> 3, Int64(bits.count - 1)))
        var byte = bits[place]
        if Int64(place) == frame >> 3 { byte &= UInt8(truncatingIfNeeded: (2 << (frame & 7)) - 1) }
        while byte == 0 {
            guard place > 0 else { return nil }
            place -= 1
            byte = bits[place]
        }
        return Int64(place) << 3 + Int64(7 - byte.leadingZeroBitCount)
    }

    /// The least number in the set that is at least `frame`; nil when there is none.
    package func first(from frame: Int64) -> Int64? {
        var place = Int(max(frame, 0) >> 3)
        guard place < bits.count else { return nil }
        var byte = bits[place] & (0xFF << UInt8(max(frame, 0) & 7))
        while byte == 0 {
            place += 1
            guard place < bits.count else { return nil }
            byte = bits[place]
        }
        return Int64(place) << 3 + Int64(byte.trailingZeroBitCount)
    }

    /// How many numbers of the set lie in `range`.
    package func count(in range: FrameRange) -> Int64 {
        var (count, frame): (Int64, Int64) = (0, range.start)
        while let next = first(from: frame), next < range.end { (count, frame) = (count + 1, next + 1) }
        return count
    }

    /// The numbers in the set, ascending.
    package var frames: [Int64] {
        bits.indices.flatMap { place in
            (0..<8).filter { bits[place] >> $0 & 1 == 1 }.map { Int64(place) << 3 + Int64($0) }
        }
    }
}

extension FrameSet: Codable {
    /// - Throws: `DecodingError` for text that is no base64.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a set of frames is no base64")
        }
        bits = [UInt8](data)
        // Equal sets have equal bits.
        while bits.last == 0 { bits.removeLast() }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bits).base64EncodedString())
    }
}
