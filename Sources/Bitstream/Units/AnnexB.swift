/// NAL units between start codes, as transport streams and raw files have them (ITU-T H.264 and H.265, Annex B).
package enum AnnexB {
    /// The NAL units in order. Bytes before the first start code and zeros behind a unit are no part of any; empty units
    /// are left out.
    package static func units(of stream: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var begin: Int?
        for code in startCodes(of: stream) {
            if let begin { append(stream[begin..<code], to: &units) }
            begin = code + 3
        }
        if let begin { append(stream[begin...], to: &units) }
        return units
    }

    /// The units behind start codes of four bytes.
    package static func stream(of units: some Sequence<ArraySlice<UInt8>>) -> [UInt8] {
        var stream: [UInt8] = []
        for unit in units {
            stream += [0, 0, 0, 1]
            stream += unit
        }
        return stream
    }

    private static func append(_ unit: ArraySlice<UInt8>, to units: inout [ArraySlice<UInt8>]) {
        // trailing_zero_8bits are no part of it.
        let unit = EmulationPrevention.trimmed(unit)
        if !unit.isEmpty { units.append(unit) }
    }

    /// The indices of the sequences 00 00 01.
    private static func startCodes(of stream: ArraySlice<UInt8>) -> [Int] {
        var codes: [Int] = []
        stream.withUnsafeBufferPointer { bytes in
            // The third byte of a start code is 1: a larger one says that none begins at the three before.
            var index = 2
            while index < bytes.count {
                if bytes[index] > 1 {
                    index += 3
                } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                    codes.append(stream.startIndex + index - 2)
                    index += 3
                } else {
                    index += 1
                }
            }
        }
        return codes
    }
}
