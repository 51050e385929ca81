/// A NAL unit of types 0 … 9 and 16 … 21 of the base layer: its header, and its data as they are.
package struct HEVCSlice: Hashable, Sendable {
    /// The header that ``nal(_:)`` writes; callers change it.
    package var header: HEVCSliceHeader
    /// Bytes of the NAL unit before slice_segment_data(), without emulation prevention.
    package let headerLength: Int
    private let original: ArraySlice<UInt8>

    /// - Parameter sets: those in force where the slice stands.
    /// - Throws: when its parameter sets are missing, and for values that the standard does not allow.
    package init(_ nal: ArraySlice<UInt8>, _ sets: HEVCParameterSets) throws(BitstreamError) {
        original = EmulationPrevention.trimmed(nal)
        (header, headerLength) = try Self.header(of: original, sets)
    }

    /// The NAL unit with the header as it is now. Its data begin at a byte, and are copied.
    /// - Parameter sets: those in force where it will stand, with the header's ``HEVCSliceHeader/ppsID``.
    /// - Throws: when the header does not fit the parameter sets.
    package func nal(_ sets: HEVCParameterSets) throws(BitstreamError) -> [UInt8] {
        var coder = SyntaxCoder.writing()
        var copy = header
        try copy.code(&coder, sets)
        return PayloadSplice.nal(head: coder.writer, keeping: original, from: headerLength * 8)
    }

    /// Every syntax element of the header, in order.
    /// - Throws: as ``init(_:_:)``.
    package static func trace(
        _ nal: ArraySlice<UInt8>,
        _ sets: HEVCParameterSets
    ) throws(BitstreamError) -> [SyntaxElement] {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal), isTraced: true)
        var header = HEVCSliceHeader()
        try header.code(&coder, sets)
        return coder.trace ?? []
    }

    /// Most headers are short: the rest of the slice is looked at only where one is not.
    private static func header(
        of nal: ArraySlice<UInt8>,
        _ sets: HEVCParameterSets
    ) throws(BitstreamError) -> (HEVCSliceHeader, Int) {
        do throws(BitstreamError) {
            return try header(of: nal, limit: 256, sets)
        } catch {
            guard error.reason == .truncated, nal.count > 256 else { throw error }
            return try header(of: nal, limit: .max, sets)
        }
    }

    private static func header(
        of nal: ArraySlice<UInt8>,
        limit: Int,
        _ sets: HEVCParameterSets
    ) throws(BitstreamError) -> (HEVCSliceHeader, Int) {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal, limit: limit))
        var header = HEVCSliceHeader()
        try header.code(&coder, sets)
        // There is at least rbsp_slice_segment_trailing_bits().
        guard let last = coder.lastSetBit, last >= coder.position else {
            throw coder.error(.truncated, "slice_segment_data")
        }
        return (header, coder.position / 8)
    }
}
