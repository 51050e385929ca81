/// slice_segment_header() of the base layer and the NAL unit header before it (ITU-T H.265, 7.3.6.1).
package struct HEVCSliceHeader: Hashable, Sendable {
    package enum Kind: Int, Hashable, Sendable {
        case b, p, i
    }

    /// How a slice says its short-term references.
    package enum ReferenceSet: Hashable, Sendable {
        /// The set of this index in the SPS.
        case index(Int)
        /// A set that the slice header holds itself.
        case own(HEVCReferenceSet)
    }

    /// deblocking_filter_override_flag.
    package struct Deblocking: Hashable, Sendable {
        package var isOff = false
        /// 0 where the filter is off.
        package var betaOffsetDiv2 = 0
        /// 0 where the filter is off.
        package var tcOffsetDiv2 = 0

        package init(isOff: Bool = false, betaOffsetDiv2: Int = 0, tcOffsetDiv2: Int = 0) {
            self.isOff = isOff
            self.betaOffsetDiv2 = betaOffsetDiv2
            self.tcOffsetDiv2 = tcOffsetDiv2
        }
    }

    /// Where substreams begin: tiles and wavefronts.
    package struct EntryPoints: Hashable, Sendable {
        /// Bits of each offset, 1 … 32.
        package var offsetLength = 1
        /// entry_point_offset_minus1: bytes of each substream but the last, emulation prevention among them, less 1.
        package var offsetsMinus1: [Int] = []

        package init(offsetLength: Int = 1, offsetsMinus1: [Int] = []) {
            self.offsetLength = offsetLength
            self.offsetsMinus1 = offsetsMinus1
        }
    }

    /// The header of the NAL unit, whose ``HEVCUnitHeader/layer`` is 0.
    package var unit = HEVCUnitHeader(type: .trailR)
    /// first_slice_segment_in_pic_flag.
    package var isFirst = true
    /// no_output_of_prior_pics_flag; coded in IRAP pictures only.
    package var discardsPrior = false
    package var ppsID = 0
    /// dependent_slice_segment_flag: all up to ``entryPoints`` is then that of the slice segment before.
    package var isDependent = false
    /// slice_segment_address, in coding tree blocks.
    package var address = 0
    /// slice_reserved_flag, as many bits as the PPS says.
    package var reservedBits = 0
    package var kind = Kind.i
    /// pic_output_flag.
    package var isOutput = true
    package var colourPlane = 0
    /// slice_pic_order_cnt_lsb; 0 in IDR pictures.
    package var orderLSB = 0
    /// The short-term references; nil in IDR pictures.
    package var references: ReferenceSet?
    /// The long-term references; nil where the SPS allows none.
    package var longTerm: HEVCLongTermReferences?
    package var hasTemporalVectors = false
    package var hasLumaOffset = false
    package var hasChromaOffset = false
    package var overridesReferences = false
    /// Pictures of list 0, 0 … 15: from the PPS unless overridden.
    package var activeReferences0 = 0
    /// Pictures of list 1, 0 … 15: from the PPS unless overridden.
    package var activeReferences1 = 0
    /// list_entry_l0; nil without ref_pic_list_modification_flag_l0.
    package var listEntries0: [Int]?
    /// list_entry_l1; nil without ref_pic_list_modification_flag_l1.
    package var listEntries1: [Int]?
    /// mvd_l1_zero_flag.
    package var hasZeroVectors1 = false
    package var cabacInit = false
    /// collocated_from_l0_flag.
    package var isCollocatedFrom0 = true
    package var collocatedIndex = 0
    package var weights: HEVCPredictionWeights?
    /// five_minus_max_num_merge_cand, 0 … 4.
    package var fiveMinusMergeCandidates = 0
    package var qpDelta = 0
    package var cbQPOffset = 0
    package var crQPOffset = 0
    package var hasBlockChromaOffsets = false
    package var deblocking: Deblocking?
    package var isFilteredAcrossSlices = false
    /// The substreams' beginnings; nil where the PPS has neither tiles nor wavefronts.
    package var entryPoints: EntryPoints?
    /// slice_segment_header_extension_data_byte, 256 at the most; coded only where the PPS asks for them.
    package var extensionBytes: [UInt8] = []

    package init() {}
}
