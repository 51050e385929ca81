/// seq_parameter_set_rbsp() of the base layer: what holds for a coded video sequence (ITU-T H.265, 7.3.2.2).
package struct HEVCSPS: ParameterSet {
    /// Samples that are coded as they are.
    package struct PCM: Hashable, Sendable {
        /// Bits of a luma sample, 1 … 16.
        package var lumaBits = 8
        /// Bits of a chroma sample, 1 … 16.
        package var chromaBits = 8
        package var log2MinimumSize = 3
        package var log2SizeDifference = 0
        package var isFilterOff = false

        package init(
            lumaBits: Int = 8,
            chromaBits: Int = 8,
            log2MinimumSize: Int = 3,
            log2SizeDifference: Int = 0,
            isFilterOff: Bool = false
        ) {
            self.lumaBits = lumaBits
            self.chromaBits = chromaBits
            self.log2MinimumSize = log2MinimumSize
            self.log2SizeDifference = log2SizeDifference
            self.isFilterOff = isFilterOff
        }
    }

    /// A long-term reference picture that slices may name by its index.
    package struct LongTerm: Hashable, Sendable {
        /// lt_ref_pic_poc_lsb_sps.
        package var orderLSB = 0
        /// used_by_curr_pic_lt_sps_flag.
        package var isUsed = false

        package init(orderLSB: Int = 0, isUsed: Bool = false) {
            self.orderLSB = orderLSB
            self.isUsed = isUsed
        }
    }

    package var temporalID = 0
    /// sps_video_parameter_set_id, 0 … 15.
    package var vpsID = 0
    /// Temporal sub-layers, 1 … 7.
    package var subLayerCount = 1
    /// sps_temporal_id_nesting_flag.
    package var isNested = true
    package var profileTierLevel = HEVCProfileTierLevel()
    /// sps_seq_parameter_set_id, 0 … 15.
    package var id = 0
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat = 1
    package var hasSeparatePlanes = false
    /// Samples of luma, a multiple of the smallest coding block.
    package var width = 8
    /// Samples of luma, a multiple of the smallest coding block.
    package var height = 8
    /// What of the picture is shown; nil for all of it.
    package var conformanceWindow: HEVCWindow?
    /// Bits of a luma sample, 8 … 16.
    package var lumaBits = 8
    /// Bits of a chroma sample, 8 … 16.
    package var chromaBits = 8
    /// Bits of slice_pic_order_cnt_lsb, 4 … 16.
    package var log2MaxOrderLSB = 4
    /// sps_sub_layer_ordering_info_present_flag: one of ``buffering`` for each sub-layer rather than one for all.
    package var hasBufferingOfEach = true
    package var buffering = [HEVCBuffering()]
    /// The binary logarithm of the side of the smallest coding block in samples of luma, 3 … 6.
    package var log2MinimumCodingBlock = 3
    package var log2CodingBlockDifference = 0
    /// The binary logarithm of the side of the smallest transform block in samples of luma, 2 … 5.
    package var log2MinimumTransformBlock = 2
    package var log2TransformBlockDifference = 0
    package var maxInterTransformDepth = 0
    package var maxIntraTransformDepth = 0
    package var isScaled = false
    /// Nil with default lists; only where ``isScaled``.
    package var scalingLists: HEVCScalingLists?
    /// amp_enabled_flag.
    package var hasAsymmetricPartitions = false
    package var hasAdaptiveOffset = false
    package var pcm: PCM?
    /// The sets that slices may name, 64 at the most.
    package var referenceSets: [HEVCReferenceSet] = []
    /// long_term_ref_pics_present_flag, and 32 pictures at the most.
    package var longTerm: [LongTerm]?
    package var hasTemporalVectors = false
    package var isStronglySmoothed = false
    package var vui: HEVCVUI?
    package var extensions: HEVCSPSExtensions?

    package init() {}

    package mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.unitHeader(.sps, &temporalID)
        try coder.u(4, &vpsID, "sps_video_parameter_set_id")
        try coder.u(3, &subLayerCount, plus: 1, "sps_max_sub_layers_minus1", in: 0...6)
        try coder.flag(&isNested, "sps_temporal_id_nesting_flag")
        try profileTierLevel.code(&coder, subLayerCount: subLayerCount)
        try coder.ue(&id, "sps_seq_parameter_set_id", in: 0...15)
        try codeFormat(&coder)
        try coder.ue(&log2MaxOrderLSB, plus: 4, "log2_max_pic_order_cnt_lsb_minus4", in: 0...12)
        try coder.flag(&hasBufferingOfEach, "sps_sub_layer_ordering_info_present_flag")
        let count = hasBufferingOfEach ? subLayerCount : 1
        try HEVCBuffering.code(&buffering, subLayerCount: count, &coder, isVPS: false)
        try codeBlocks(&coder)
        try codeTools(&coder)
        try codeReferences(&coder)
        try coder.flag(&hasTemporalVectors, "sps_temporal_mvp_enabled_flag")
        try coder.flag(&isStronglySmoothed, "strong_intra_smoothing_enabled_flag")
        try coder.presence(of: &vui, "vui_parameters_present_flag", else: HEVCVUI())
        try vui?.code(&coder, subLayerCount: subLayerCount)
        try coder.presence(of: &extensions, "sps_extension_present_flag", else: HEVCSPSExtensions())
        try extensions?.code(&coder)
        try coder.trailingBits()
    }

    private mutating func codeFormat(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&chromaFormat, "chroma_format_idc", in: 0...3)
        if chromaFormat == 3 { try coder.flag(&hasSeparatePlanes, "separate_colour_plane_flag") }
        // 8.444 × the largest luma picture of level 6.2, squared (A.4.1).
        try coder.ue(&width, "pic_width_in_luma_samples", in: 1...16_888)
        try coder.ue(&height, "pic_height_in_luma_samples", in: 1...16_888)
        try coder.presence(of: &conformanceWindow, "conformance_window_flag", else: HEVCWindow())
        try conformanceWindow?.code(&coder, isDisplay: false)
        try coder.ue(&lumaBits, plus: 8, "bit_depth_luma_minus8", in: 0...8)
        try coder.ue(&chromaBits, plus: 8, "bit_depth_chroma_minus8", in: 0...8)
    }

    private mutating func codeBlocks(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&log2MinimumCodingBlock, plus: 3, "log2_min_luma_coding_block_size_minus3", in: 0...3)
        try coder.ue(&log2CodingBlockDifference, "log2_diff_max_min_luma_coding_block_size", in: 0...3)
        let largest = log2MinimumCodingBlock + log2CodingBlockDifference
        guard largest <= 6, width % (1 << log2MinimumCodingBlock) == 0, height % (1 << log2MinimumCodingBlock) == 0
        else { throw coder.error(.outOfRange(largest), "log2_diff_max_min_luma_coding_block_size") }
        let minimum = "log2_min_luma_transform_block_size_minus2" as StaticString
        try coder.ue(&log2MinimumTransformBlock, plus: 2, minimum, in: 0...(log2MinimumCodingBlock - 3))
        let transforms = min(largest, 5) - log2MinimumTransformBlock
        let difference = "log2_diff_max_min_luma_transform_block_size" as StaticString
        try coder.ue(&log2TransformBlockDifference, difference, in: 0...transforms)
        let depths = 0...(largest - log2MinimumTransformBlock)
        try coder.ue(&maxInterTransformDepth, "max_transform_hierarchy_depth_inter", in: depths)
        try coder.ue(&maxIntraTransformDepth, "max_transform_hierarchy_depth_intra", in: depths)
    }

    private mutating func codeTools(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&isScaled, "scaling_list_enabled_flag")
        if isScaled {
            let none = HEVCScalingLists()
            try coder.presence(of: &scalingLists, "sps_scaling_list_data_present_flag", else: none)
            try scalingLists?.code(&coder)
        }
        try coder.flag(&hasAsymmetricPartitions, "amp_enabled_flag")
        try coder.flag(&hasAdaptiveOffset, "sample_adaptive_offset_enabled_flag")
        try coder.presence(of: &pcm, "pcm_enabled_flag", else: PCM())
        try pcm?.code(&coder)
    }

    private mutating func codeReferences(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var count = referenceSets.count
        try coder.ue(&count, "num_short_term_ref_pic_sets", in: 0...64)
        var known: [HEVCReferenceSet] = []
        try coder.list(&referenceSets, count: count, of: HEVCReferenceSet(), "st_ref_pic_set") {
            coder,
            set throws(BitstreamError) in
            try set.code(&coder, index: known.count, known, isInSlice: false)
            known.append(set)
        }
        try coder.presence(of: &longTerm, "long_term_ref_pics_present_flag", else: [])
        guard var pictures = longTerm else { return }
        var longTermCount = pictures.count
        try coder.ue(&longTermCount, "num_long_term_ref_pics_sps", in: 0...32)
        let bits = log2MaxOrderLSB
        try coder.list(&pictures, count: longTermCount, of: LongTerm(), "lt_ref_pic_poc_lsb_sps") {
            coder,
            picture throws(BitstreamError) in
            try coder.u(bits, &picture.orderLSB, "lt_ref_pic_poc_lsb_sps")
            try coder.flag(&picture.isUsed, "used_by_curr_pic_lt_sps_flag")
        }
        longTerm = pictures
    }
}

extension HEVCSPS.PCM {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.u(4, &lumaBits, plus: 1, "pcm_sample_bit_depth_luma_minus1")
        try coder.u(4, &chromaBits, plus: 1, "pcm_sample_bit_depth_chroma_minus1")
        try coder.ue(&log2MinimumSize, plus: 3, "log2_min_pcm_luma_coding_block_size_minus3", in: 0...2)
        let largest = 5 - log2MinimumSize
        try coder.ue(&log2SizeDifference, "log2_diff_max_min_pcm_luma_coding_block_size", in: 0...largest)
        try coder.flag(&isFilterOff, "pcm_loop_filter_disabled_flag")
    }
}
