/// A parameter set that is read and written without knowledge of others: the SPS of H.264, and VPS, SPS and PPS of HEVC.
///
/// The PPS of H.264 is none: its scaling lists depend on the SPS that it names.
package protocol ParameterSet: Hashable, Sendable {
    init()

    /// Reads or writes the syntax elements of the whole NAL unit, from its header to its trailing bits.
    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError)
}

extension ParameterSet {
    /// Reads a NAL unit. Zero bytes at its end are passed over.
    /// - Throws: for another type, a layer above the base, values that the standard does not allow, and missing or wrong
    ///   trailing bits.
    package init(_ nal: ArraySlice<UInt8>) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal))
        self.init()
        try code(&coder)
    }

    /// The NAL unit, with emulation prevention.
    /// - Throws: for values that the standard does not allow or that contradict each other.
    package func nal() throws(BitstreamError) -> [UInt8] {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.code(&coder)
        return EmulationPrevention.added(to: coder.writer.bytes)
    }

    /// Every syntax element of a NAL unit, in order.
    /// - Throws: as ``init(_:)``.
    package static func trace(_ nal: ArraySlice<UInt8>) throws(BitstreamError) -> [SyntaxElement] {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal), isTraced: true)
        var set = Self()
        try set.code(&coder)
        return coder.trace ?? []
    }
}
