import Foundation

/// Damage within the payload of MPEG-TS, of which neither its packets nor those of the stream in it say anything.
package enum TransportDamage {
    private static let size = 188

    /// Replaces bytes of a stream, at the same places at every run, outside the headers of ADTS.
    /// - Parameters:
    ///   - count: the bytes that are replaced, one behind the other, at each place; at most 100.
    ///   - identifier: the PID of the stream; ffmpeg gives 256 to the first one, 257 to the next.
    ///   - percents: the places in the file.
    package static func write(_ count: Int, at percents: [Int], identifier: Int, of path: String) throws {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SplitMix(state: 5)
        for percent in percents {
            var start = bytes.count * percent / 100 / size * size
            while start + size <= bytes.count, !holds(bytes[start..<start + size], identifier) { start += size }
            guard start + size <= bytes.count else { continue }
            for place in start + 50..<start + 50 + count { bytes[place] = UInt8(random.below(255)) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Whether a packet holds nothing but payload of the stream, without the sync word of ADTS (ISO/IEC 13818-1, 2.4.3.2).
    private static func holds(_ packet: ArraySlice<UInt8>, _ identifier: Int) -> Bool {
        let bytes = Array(packet)
        guard Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) == identifier, bytes[1] & 0x40 == 0, bytes[3] & 0x30 == 0x10
        else { return false }
        return !bytes.indices.dropLast().contains { bytes[$0] == 0xFF && bytes[$0 + 1] & 0xF0 == 0xF0 }
    }
}
