extension HEVCSPS {
    /// Reads a NAL unit of type 33. Zero bytes at its end are passed over.
    /// - Throws: for another type or layer, values that the standard does not allow, and missing or wrong trailing bits.
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

    /// Every syntax element of a NAL unit of type 33, in order.
    /// - Throws: as ``init(_:)``.
    package static func trace(_ nal: ArraySlice<UInt8>) throws(BitstreamError) -> [SyntaxElement] {
        var coder = SyntaxCoder(reading: EmulationPrevention.removed(from: nal), isTraced: true)
        var set = HEVCSPS()
        try set.code(&coder)
        return coder.trace ?? []
    }
}
