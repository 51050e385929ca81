/// A NAL unit of types 1 and 5: its header, and its data as they are.
package struct H264Slice: Hashable, Sendable {
    /// The header that ``nal(_:)`` writes; callers change it.
    package var header: H264SliceHeader
    /// entropy_coding_mode_flag of its PPS.
    package let isCABAC: Bool
    /// Bits of the NAL unit before slice_data(), without emulation prevention.
    package let headerLength: Int
    private let original: ArraySlice<UInt8>

    /// - Parameter sets: those in force where the slice stands.
    /// - Throws: when its parameter sets are missing, and for values that the standard does not allow.
    package init(_ nal: ArraySlice<UInt8>, _ sets: H264ParameterSets) throws(BitstreamError) {
        original = EmulationPrevention.trimmed(nal)
        let (read, end) = try Self.header(of: original, sets)
        header = read
        headerLength = end
        isCABAC = try sets.active(pps: read.ppsID).pps.isCABAC
    }

    /// The NAL unit with the header as it is now: data of CABAC are aligned anew, data of CAVLC follow bit by bit.
    /// - Parameter sets: those in force where it will stand, with the header's ``H264SliceHeader/ppsID``.
    /// - Throws: when the header does not fit the parameter sets, or they are of the other entropy coding.
    package func nal(_ sets: H264ParameterSets) throws(BitstreamError) -> [UInt8] {
        var coder = SyntaxCoder.writing()
        var copy = header
        try copy.code(&coder, sets)
        guard try sets.active(pps: header.ppsID).pps.isCABAC == isCABAC else {
            throw coder.error(.outOfRange(isCABAC ? 0 : 1), "entropy_coding_mode_flag")
        }
        var head = coder.writer
        guard isCABAC else { return PayloadSplice.nal(head: head, keeping: original, from: headerLength) }
        // cabac_alignment_one_bit (7.3.4).
        head.align(with: 1)
        return PayloadSplice.nal(head: head, keeping: original, from: (headerLength + 7) & ~7)
    }

    /// Every syntax element of the header, in order.
    /// - Throws: as ``init(_:_:)``.
    package static func trace(
        _ nal: ArraySlice<UInt8>,
        _ sets: H264ParameterSets
    ) throws(BitstreamError) -> [SyntaxElement] {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal), isTraced: true)
        var header = H264SliceHeader()
        try header.code(&coder, sets)
        return coder.trace ?? []
    }

    /// Most headers are short: the rest of the slice is looked at only where one is not.
    private static func header(
        of nal: ArraySlice<UInt8>,
        _ sets: H264ParameterSets
    ) throws(BitstreamError) -> (H264SliceHeader, Int) {
        do throws(BitstreamError) {
            return try header(of: nal, limit: 128, sets)
        } catch {
            guard error.reason == .truncated, nal.count > 128 else { throw error }
            return try header(of: nal, limit: .max, sets)
        }
    }

    private static func header(
        of nal: ArraySlice<UInt8>,
        limit: Int,
        _ sets: H264ParameterSets
    ) throws(BitstreamError) -> (H264SliceHeader, Int) {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal, limit: limit))
        var header = H264SliceHeader()
        try header.code(&coder, sets)
        let isCABAC = try sets.active(pps: header.ppsID).pps.isCABAC
        let data = isCABAC ? (coder.position + 7) & ~7 : coder.position
        // There is at least rbsp_stop_one_bit.
        guard let last = coder.lastSetBit, last >= data else { throw coder.error(.truncated, "slice_data") }
        return (header, coder.position)
    }
}
