import Bitstream
import TestSupport

/// Damage to NAL units and records, the same for the same seed.
enum Mutation {
    /// Every parameter set and message, and the heads of slices: data are only copied.
    static func short(_ units: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        units.prefix(60).map { $0.prefix(300) }
    }

    /// One of the units, changed at a few places; now and then as it is.
    static func of(_ units: [ArraySlice<UInt8>], _ random: inout SplitMix) -> [UInt8] {
        var bytes = Array(units[random.below(units.count)])
        for _ in 0..<random.below(4) { change(&bytes, units, &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ units: [ArraySlice<UInt8>], _ random: inout SplitMix) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(random.below(256))) }
        // Headers stand in front.
        let place = random.below(random.below(2) == 0 ? min(bytes.count, 24) : bytes.count)
        switch random.below(10) {
        case 0...3: bytes[place] ^= 1 << UInt8(random.below(8))
        case 4: bytes[place] = UInt8(random.below(256))
        case 5: bytes[place] = [0, 1, 3, 0x80, 0xFF][random.below(5)]
        case 6:
            bytes.insert(contentsOf: [UInt8](repeating: UInt8(random.below(4)), count: 1 + random.below(3)), at: place)
        case 7: bytes.remove(at: place)
        case 8: bytes.removeLast(random.below(bytes.count))
        default:
            let other = units[random.below(units.count)]
            bytes.replaceSubrange(place..., with: other.dropFirst(random.below(other.count)))
        }
    }
}
