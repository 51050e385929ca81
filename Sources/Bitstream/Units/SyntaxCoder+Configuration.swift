/// What the configuration records of H.264 and HEVC have in common.
extension SyntaxCoder {
    /// Reserved bits: written as 1, and passed over, as some writers leave them 0.
    mutating func reserved(_ count: Int) throws(BitstreamError) {
        var ones = 1 << count - 1
        try u(count, &ones, "reserved")
    }

    mutating func lengthPrefix(_ prefix: inout LengthPrefix) throws(BitstreamError) {
        let start = position
        var size = prefix.size
        try u(2, &size, plus: 1, "lengthSizeMinusOne")
        guard size != 3 else { throw BitstreamError(.outOfRange(2), element: "lengthSizeMinusOne", bit: start) }
        prefix = try LengthPrefix(size: size)
    }

    /// NAL units, each behind a length of 16 bits.
    mutating func units(_ units: inout [[UInt8]], countBits: Int, _ name: StaticString) throws(BitstreamError) {
        var count = units.count
        try u(countBits, &count, name)
        try list(&units, count: count, of: [], name) { coder, unit throws(BitstreamError) in
            try coder.unit(&unit)
        }
    }

    private mutating func unit(_ unit: inout [UInt8]) throws(BitstreamError) {
        var length = unit.count
        try u(16, &length, "nalUnitLength")
        guard !isReading || remaining >= length * 8 else { throw error(.truncated, "nalUnit") }
        if isReading { unit = [UInt8](repeating: 0, count: length) }
        for index in 0..<length {
            var byte = Int(unit[index])
            try u(8, &byte, "nalUnit")
            unit[index] = UInt8(byte)
        }
    }
}
