/// NAL units behind their lengths, as the samples of MP4, MOV and Matroska have them (ISO/IEC 14496-15, 5.3.2).
package struct LengthPrefix: Hashable, Sendable {
    /// Bytes of each length: 1, 2 or 4.
    package let size: Int

    package static let four = LengthPrefix(checked: 4)

    /// - Throws: for a size that is not 1, 2 or 4.
    package init(size: Int) throws(BitstreamError) {
        guard [1, 2, 4].contains(size) else {
            throw BitstreamError(.outOfRange(size - 1), element: "lengthSizeMinusOne", bit: 0)
        }
        self.size = size
    }

    private init(checked size: Int) { self.size = size }

    /// The NAL units of a sample, in order; empty ones are left out.
    /// - Throws: when a length or a unit runs past the sample's end.
    package func units(of sample: ArraySlice<UInt8>) throws(BitstreamError) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var index = sample.startIndex
        while index < sample.endIndex {
            guard sample.endIndex - index >= size else { throw error(.truncated, index, sample) }
            let length = sample[index..<index + size].reduce(0) { $0 << 8 | Int($1) }
            guard sample.endIndex - index - size >= length else { throw error(.outOfRange(length), index, sample) }
            let begin = index + size
            index = begin + length
            if length > 0 { units.append(sample[begin..<index]) }
        }
        return units
    }

    /// A sample of these units.
    /// - Throws: when a unit is too long for its length.
    package func sample(of units: some Sequence<ArraySlice<UInt8>>) throws(BitstreamError) -> [UInt8] {
        var sample: [UInt8] = []
        for unit in units {
            guard unit.count < 1 << (8 * size) else {
                throw BitstreamError(.outOfRange(unit.count), element: "NALUnitLength", bit: sample.count * 8)
            }
            for byte in (0..<size).reversed() { sample.append(UInt8(truncatingIfNeeded: unit.count >> (8 * byte))) }
            sample += unit
        }
        return sample
    }

    private func error(
        _ reason: BitstreamError.Reason,
        _ index: Int,
        _ sample: ArraySlice<UInt8>
    ) -> BitstreamError {
        BitstreamError(reason, element: "NALUnitLength", bit: (index - sample.startIndex) * 8)
    }
}
