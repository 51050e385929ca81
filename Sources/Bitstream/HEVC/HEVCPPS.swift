/// pic_parameter_set_rbsp() of the base layer: what holds for pictures (ITU-T H.265, 7.3.2.3).
package struct HEVCPPS: ParameterSet {
    package struct Tiles: Hashable, Sendable {
        /// The number of columns, 1 … 20.
        package var columns = 1
        /// The number of rows, 1 … 22.
        package var rows = 1
        /// The widths and heights of all columns and rows but the last, in coding tree blocks less 1; nil when they are equal.
        package var sizes: Sizes?
        package var isFilteredAcross = true

        package init(columns: Int = 1, rows: Int = 1, sizes: Sizes? = nil, isFilteredAcross: Bool = true) {
            self.columns = columns
            self.rows = rows
            self.sizes = sizes
            self.isFilteredAcross = isFilteredAcross
        }
    }

    package struct Sizes: Hashable, Sendable {
        package var widthsMinus1: [Int] = []
        package var heightsMinus1: [Int] = []

        package init(widthsMinus1: [Int] = [], heightsMinus1: [Int] = []) {
            self.widthsMinus1 = widthsMinus1
            self.heightsMinus1 = heightsMinus1
        }
    }

    /// deblocking_filter_control_present_flag.
    package struct Deblocking: Hashable, Sendable {
        /// Whether slices may say otherwise.
        package var isOverridable = false
        package var isOff = false
        /// 0 where the filter is off.
        package var betaOffsetDiv2 = 0
        /// 0 where the filter is off.
        package var tcOffsetDiv2 = 0

        package init(isOverridable: Bool = false, isOff: Bool = false, betaOffsetDiv2: Int = 0, tcOffsetDiv2: Int = 0) {
            self.isOverridable = isOverridable
            self.isOff = isOff
            self.betaOffsetDiv2 = betaOffsetDiv2
            self.tcOffsetDiv2 = tcOffsetDiv2
        }
    }

    package var temporalID = 0
    /// pps_pic_parameter_set_id, 0 … 63.
    package var id = 0
    /// pps_seq_parameter_set_id, 0 … 15.
    package var spsID = 0
    package var hasDependentSlices = false
    /// output_flag_present_flag.
    package var hasOutputFlag = false
    /// num_extra_slice_header_bits, 0 … 7.
    package var extraSliceBits = 0
    package var hidesSigns = false
    package var hasCABACInit = false
    /// num_ref_idx_l0_default_active_minus1 + 1: 1 … 15.
    package var activeReferences0 = 1
    /// num_ref_idx_l1_default_active_minus1 + 1: 1 … 15.
    package var activeReferences1 = 1
    /// init_qp_minus26 + 26.
    package var initialQP = 26
    package var isConstrainedIntra = false
    package var hasTransformSkip = false
    /// diff_cu_qp_delta_depth; nil without cu_qp_delta_enabled_flag.
    package var qpDeltaDepth: Int?
    package var cbQPOffset = 0
    package var crQPOffset = 0
    package var hasSliceChromaOffsets = false
    package var isWeighted = false
    package var isBipredWeighted = false
    /// transquant_bypass_enabled_flag.
    package var hasLosslessBlocks = false
    package var tiles: Tiles?
    /// entropy_coding_sync_enabled_flag: wavefronts.
    package var hasWavefronts = false
    package var isFilteredAcrossSlices = false
    package var deblocking: Deblocking?
    package var scalingLists: HEVCScalingLists?
    package var hasListModifications = false
    /// log2_parallel_merge_level_minus2 + 2: 2 … 6.
    package var log2ParallelMerge = 2
    package var hasSliceExtension = false
    package var extensions: HEVCPPSExtensions?

    package init() {}

    package mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.unitHeader(.pps, &temporalID)
        try coder.ue(&id, "pps_pic_parameter_set_id", in: 0...63)
        try coder.ue(&spsID, "pps_seq_parameter_set_id", in: 0...15)
        try coder.flag(&hasDependentSlices, "dependent_slice_segments_enabled_flag")
        try coder.flag(&hasOutputFlag, "output_flag_present_flag")
        try coder.u(3, &extraSliceBits, "num_extra_slice_header_bits")
        try coder.flag(&hidesSigns, "sign_data_hiding_enabled_flag")
        try coder.flag(&hasCABACInit, "cabac_init_present_flag")
        try coder.ue(&activeReferences0, plus: 1, "num_ref_idx_l0_default_active_minus1", in: 0...14)
        try coder.ue(&activeReferences1, plus: 1, "num_ref_idx_l1_default_active_minus1", in: 0...14)
        try codeQuantiser(&coder)
        try coder.flag(&isWeighted, "weighted_pred_flag")
        try coder.flag(&isBipredWeighted, "weighted_bipred_flag")
        try coder.flag(&hasLosslessBlocks, "transquant_bypass_enabled_flag")
        try coder.presence(of: &tiles, "tiles_enabled_flag", else: Tiles())
        try coder.flag(&hasWavefronts, "entropy_coding_sync_enabled_flag")
        try tiles?.code(&coder)
        try coder.flag(&isFilteredAcrossSlices, "pps_loop_filter_across_slices_enabled_flag")
        try coder.presence(of: &deblocking, "deblocking_filter_control_present_flag", else: Deblocking())
        try deblocking?.code(&coder)
        try coder.presence(of: &scalingLists, "pps_scaling_list_data_present_flag", else: HEVCScalingLists())
        try scalingLists?.code(&coder)
        try coder.flag(&hasListModifications, "lists_modification_present_flag")
        try coder.ue(&log2ParallelMerge, plus: 2, "log2_parallel_merge_level_minus2", in: 0...4)
        try coder.flag(&hasSliceExtension, "slice_segment_header_extension_present_flag")
        try coder.presence(of: &extensions, "pps_extension_present_flag", else: HEVCPPSExtensions())
        try extensions?.code(&coder, hasTransformSkip: hasTransformSkip)
        try coder.trailingBits()
    }

    private mutating func codeQuantiser(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        // −26 less 6 for each bit of luma above 8.
        try coder.se(&initialQP, plus: 26, "init_qp_minus26", in: -74...25)
        try coder.flag(&isConstrainedIntra, "constrained_intra_pred_flag")
        try coder.flag(&hasTransformSkip, "transform_skip_enabled_flag")
        try coder.presence(of: &qpDeltaDepth, "cu_qp_delta_enabled_flag", else: 0)
        if var depth = qpDeltaDepth {
            try coder.ue(&depth, "diff_cu_qp_delta_depth", in: 0...3)
            qpDeltaDepth = depth
        }
        try coder.se(&cbQPOffset, "pps_cb_qp_offset", in: -12...12)
        try coder.se(&crQPOffset, "pps_cr_qp_offset", in: -12...12)
        try coder.flag(&hasSliceChromaOffsets, "pps_slice_chroma_qp_offsets_present_flag")
    }
}

extension HEVCPPS.Tiles {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&columns, plus: 1, "num_tile_columns_minus1", in: 0...19)
        try coder.ue(&rows, plus: 1, "num_tile_rows_minus1", in: 0...21)
        var isUniform = sizes == nil
        try coder.flag(&isUniform, "uniform_spacing_flag")
        if coder.isReading { sizes = isUniform ? nil : HEVCPPS.Sizes() }
        if var known = sizes {
            try coder.list(&known.widthsMinus1, count: columns - 1, of: 0, "column_width_minus1") {
                coder,
                width throws(BitstreamError) in
                try coder.ue(&width, "column_width_minus1", in: 0...2110)
            }
            try coder.list(&known.heightsMinus1, count: rows - 1, of: 0, "row_height_minus1") {
                coder,
                height throws(BitstreamError) in
                try coder.ue(&height, "row_height_minus1", in: 0...2110)
            }
            sizes = known
        }
        try coder.flag(&isFilteredAcross, "loop_filter_across_tiles_enabled_flag")
    }
}

extension HEVCPPS.Deblocking {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&isOverridable, "deblocking_filter_override_enabled_flag")
        try coder.flag(&isOff, "pps_deblocking_filter_disabled_flag")
        guard !isOff else { return }
        try coder.se(&betaOffsetDiv2, "pps_beta_offset_div2", in: -6...6)
        try coder.se(&tcOffsetDiv2, "pps_tc_offset_div2", in: -6...6)
    }
}
