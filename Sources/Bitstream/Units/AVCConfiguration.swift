/// AVCDecoderConfigurationRecord, the content of `avcC`: parameter sets of H.264 beside the samples that use them
/// (ISO/IEC 14496-15, 5.3.3.1).
package struct AVCConfiguration: Hashable, Sendable {
    /// What the record says behind its parameter sets in the High profiles.
    package struct Format: Hashable, Sendable {
        /// chroma_format_idc, 0 … 3.
        package var chromaFormat: Int
        /// Bits of a luma sample, 8 … 15.
        package var lumaBits: Int
        /// Bits of a chroma sample, 8 … 15.
        package var chromaBits: Int
        /// NAL units of type 13.
        package var extensions: [[UInt8]] = []

        package init(chromaFormat: Int, lumaBits: Int, chromaBits: Int, extensions: [[UInt8]] = []) {
            self.chromaFormat = chromaFormat
            self.lumaBits = lumaBits
            self.chromaBits = chromaBits
            self.extensions = extensions
        }
    }

    package static let maximumSPS = 31
    package static let maximumPPS = 255

    /// profile_idc.
    package var profile: Int
    /// constraint_set0_flag … constraint_set5_flag in the high bits.
    package var constraints: Int
    /// level_idc.
    package var level: Int
    package var lengthPrefix = LengthPrefix.four
    /// NAL units, 31 at the most.
    package var sps: [[UInt8]] = []
    /// NAL units, 255 at the most.
    package var pps: [[UInt8]] = []
    /// Nil in profiles without it, and in records of writers that leave it out.
    package var format: Format?

    package init(profile: Int, constraints: Int, level: Int, sps: [[UInt8]], pps: [[UInt8]], format: Format? = nil) {
        self.profile = profile
        self.constraints = constraints
        self.level = level
        self.sps = sps
        self.pps = pps
        self.format = format
    }

    /// Reads a record. Bytes behind it are passed over, as players do.
    /// - Throws: for another version, a length of 3 bytes, and parameter sets that run past the end.
    package init(_ record: ArraySlice<UInt8>) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: Array(record))
        self.init(profile: 0, constraints: 0, level: 0, sps: [], pps: [])
        try code(&coder)
    }

    /// - Throws: for more or longer parameter sets than the record can hold, and numbers out of their range.
    package func record() throws(BitstreamError) -> [UInt8] {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.code(&coder)
        return coder.writer.bytes
    }

    /// Profiles whose record ends with a ``Format``.
    package static func hasFormat(profile: Int) -> Bool { [100, 110, 122, 144].contains(profile) }

    private mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.fixed(8, 1, "configurationVersion")
        try coder.u(8, &profile, "AVCProfileIndication")
        try coder.u(8, &constraints, "profile_compatibility")
        try coder.u(8, &level, "AVCLevelIndication")
        try coder.reserved(6)
        try coder.lengthPrefix(&lengthPrefix)
        try coder.reserved(3)
        try coder.units(&sps, countBits: 5, "numOfSequenceParameterSets")
        try coder.units(&pps, countBits: 8, "numOfPictureParameterSets")
        if coder.isReading { format = Self.hasFormat(profile: profile) && coder.remaining >= 32 ? .unknown : nil }
        guard var known = format else { return }
        try coder.reserved(6)
        try coder.u(2, &known.chromaFormat, "chroma_format")
        try coder.reserved(5)
        try coder.u(3, &known.lumaBits, plus: 8, "bit_depth_luma_minus8")
        try coder.reserved(5)
        try coder.u(3, &known.chromaBits, plus: 8, "bit_depth_chroma_minus8")
        try coder.units(&known.extensions, countBits: 8, "numOfSequenceParameterSetExt")
        format = known
    }
}

extension AVCConfiguration.Format {
    fileprivate static let unknown = AVCConfiguration.Format(chromaFormat: 1, lumaBits: 8, chromaBits: 8)
}
