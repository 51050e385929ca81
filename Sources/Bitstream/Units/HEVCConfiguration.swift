/// HEVCDecoderConfigurationRecord, the content of `hvcC`: parameter sets of HEVC beside the samples that use them
/// (ISO/IEC 14496-15, 8.3.3.1).
package struct HEVCConfiguration: Hashable, Sendable {
    /// NAL units of one type.
    package struct UnitArray: Hashable, Sendable {
        package var type: HEVCUnitType
        /// Whether all units of this type are here and none is among the samples.
        package var isComplete: Bool
        package var units: [[UInt8]]

        package init(type: HEVCUnitType, isComplete: Bool, units: [[UInt8]]) {
            self.type = type
            self.isComplete = isComplete
            self.units = units
        }
    }

    /// general_profile_space, general_tier_flag and general_profile_idc, one byte.
    package var profile = 0
    /// general_profile_compatibility_flag[0] … [31], the first in the highest bit.
    package var compatibility = 0
    /// The 48 bits from general_progressive_source_flag on.
    package var constraints = 0
    /// general_level_idc: 30 times the level.
    package var level = 0
    /// min_spatial_segmentation_idc, 0 … 4095.
    package var minimumSpatialSegmentation = 0
    /// parallelismType: 0 unknown, 1 slices, 2 tiles, 3 wavefronts.
    package var parallelism = 0
    /// chroma_format_idc, 0 … 3.
    package var chromaFormat = 1
    /// Bits of a luma sample, 8 … 15.
    package var lumaBits = 8
    /// Bits of a chroma sample, 8 … 15.
    package var chromaBits = 8
    /// Frames in 256 seconds; 0 when unknown.
    package var averageFrameRate = 0
    /// 0 unknown, 1 constant, 2 constant in each temporal layer.
    package var constantFrameRate = 0
    /// 0 … 7; 0 when unknown, 1 without temporal scalability.
    package var temporalLayers = 1
    package var isTemporalIDNested = true
    package var lengthPrefix = LengthPrefix.four
    package var arrays: [UnitArray] = []

    package init() {}

    /// Reads a record. Bytes behind it are passed over, as players do.
    /// - Throws: for another version, a length of 3 bytes, and parameter sets that run past the end.
    package init(_ record: ArraySlice<UInt8>) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: Array(record))
        try code(&coder)
    }

    /// - Throws: for more or longer units than the record can hold, and numbers out of their range.
    package func record() throws(BitstreamError) -> [UInt8] {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.code(&coder)
        return coder.writer.bytes
    }

    /// All units of a type, in order.
    package func units(_ type: HEVCUnitType) -> [[UInt8]] { arrays.filter { $0.type == type }.flatMap(\.units) }

    private mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.fixed(8, 1, "configurationVersion")
        try coder.u(8, &profile, "general_profile")
        try coder.u(32, &compatibility, "general_profile_compatibility_flags")
        try codeConstraints(&coder)
        try coder.u(8, &level, "general_level_idc")
        try coder.reserved(4)
        try coder.u(12, &minimumSpatialSegmentation, "min_spatial_segmentation_idc")
        try coder.reserved(6)
        try coder.u(2, &parallelism, "parallelismType")
        try coder.reserved(6)
        try coder.u(2, &chromaFormat, "chroma_format_idc")
        try coder.reserved(5)
        try coder.u(3, &lumaBits, plus: 8, "bit_depth_luma_minus8")
        try coder.reserved(5)
        try coder.u(3, &chromaBits, plus: 8, "bit_depth_chroma_minus8")
        try coder.u(16, &averageFrameRate, "avgFrameRate")
        try coder.u(2, &constantFrameRate, "constantFrameRate")
        try coder.u(3, &temporalLayers, "numTemporalLayers")
        try coder.flag(&isTemporalIDNested, "temporalIdNested")
        try coder.lengthPrefix(&lengthPrefix)
        var count = arrays.count
        try coder.u(8, &count, "numOfArrays")
        let empty = UnitArray(type: .vps, isComplete: false, units: [])
        try coder.list(&arrays, count: count, of: empty, "numOfArrays") { coder, array throws(BitstreamError) in
            try array.code(&coder)
        }
    }

    private mutating func codeConstraints(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var (high, low) = (constraints >> 32, constraints & 0xFFFF_FFFF)
        try coder.u(16, &high, "general_constraint_indicator_flags")
        try coder.u(32, &low, "general_constraint_indicator_flags")
        constraints = high << 32 | low
    }
}

extension HEVCConfiguration.UnitArray {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&isComplete, "array_completeness")
        // "reserved = 0", but as with other reserved bits any value is read.
        var reserved = 0
        try coder.u(1, &reserved, "reserved")
        var kind = type.rawValue
        try coder.u(6, &kind, "NAL_unit_type")
        type = HEVCUnitType(rawValue: kind)
        try coder.units(&units, countBits: 16, "numNalus")
    }
}
