extension H264PPS {
    /// Reads a NAL unit of type 8. Zero bytes at its end are passed over.
    /// - Parameter chromaFormat: chroma_format_idc of the SPS that it names, given its id; nil when that is not known,
    ///   which only a PPS with scaling lists needs.
    /// - Throws: for another type, values that the standard does not allow, and missing or wrong trailing bits.
    package init(_ nal: ArraySlice<UInt8>, chromaFormat: (_ spsID: Int) -> Int?) throws(BitstreamError) {
        let rbsp = EmulationPrevention.removed(from: nal)
        var coder = SyntaxCoder(reading: rbsp)
        self.init()
        try code(&coder, chromaFormat: Self.spsID(of: rbsp).flatMap(chromaFormat))
    }

    /// The NAL unit, with emulation prevention.
    /// - Parameter chromaFormat: chroma_format_idc of the PPS's SPS; used only with scaling lists.
    /// - Throws: for values that the standard does not allow or that contradict each other.
    package func nal(chromaFormat: Int) throws(BitstreamError) -> [UInt8] {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.code(&coder, chromaFormat: chromaFormat)
        return EmulationPrevention.added(to: coder.writer.bytes)
    }

    /// Every syntax element of a NAL unit of type 8, in order.
    /// - Throws: as ``init(_:chromaFormat:)``.
    package static func trace(
        _ nal: ArraySlice<UInt8>,
        chromaFormat: (_ spsID: Int) -> Int?
    ) throws(BitstreamError) -> [SyntaxElement] {
        let rbsp = EmulationPrevention.removed(from: nal)
        var coder = SyntaxCoder(reading: rbsp, isTraced: true)
        var pps = H264PPS()
        try pps.code(&coder, chromaFormat: Self.spsID(of: rbsp).flatMap(chromaFormat))
        return coder.trace ?? []
    }

    private static func spsID(of rbsp: [UInt8]) -> Int? {
        var reader = BitReader(rbsp)
        guard reader.bits(8) != nil, reader.exponentialGolomb() != nil else { return nil }
        return reader.exponentialGolomb()
    }
}
