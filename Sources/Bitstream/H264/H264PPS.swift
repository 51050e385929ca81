/// pic_parameter_set_rbsp(): what holds for pictures (ITU-T H.264, 7.3.2.2).
package struct H264PPS: Hashable, Sendable {
    /// What profiles from High on add.
    package struct High: Hashable, Sendable {
        /// transform_8x8_mode_flag.
        package var has8x8Transform = false
        /// 6 of them, with the 8 × 8 transform 8, or 12 for 4:4:4; nil when there is no matrix.
        package var scalingLists: [H264ScalingList?]?
        package var secondChromaQPOffset = 0

        package init(
            has8x8Transform: Bool = false,
            scalingLists: [H264ScalingList?]? = nil,
            secondChromaQPOffset: Int = 0
        ) {
            self.has8x8Transform = has8x8Transform
            self.scalingLists = scalingLists
            self.secondChromaQPOffset = secondChromaQPOffset
        }
    }

    /// nal_ref_idc of its NAL unit, 1 … 3.
    package var referenceIDC = 3
    /// pic_parameter_set_id, 0 … 255.
    package var id = 0
    /// seq_parameter_set_id, 0 … 31.
    package var spsID = 0
    /// entropy_coding_mode_flag: CABAC rather than CAVLC.
    package var isCABAC = false
    /// bottom_field_pic_order_in_frame_present_flag.
    package var hasBottomOrder = false
    /// The slice groups; nil where all macroblocks are one group.
    package var sliceGroups: H264SliceGroups?
    /// num_ref_idx_l0_default_active_minus1 + 1: 1 … 32.
    package var activeReferences0 = 1
    /// num_ref_idx_l1_default_active_minus1 + 1: 1 … 32.
    package var activeReferences1 = 1
    /// weighted_pred_flag: P and SP slices have tables of weights.
    package var isWeighted = false
    /// weighted_bipred_idc: 1 with tables in B slices, 2 with weights by distance.
    package var weightedBipredIDC = 0
    /// pic_init_qp_minus26 + 26.
    package var initialQP = 26
    /// pic_init_qs_minus26 + 26.
    package var initialQS = 26
    package var chromaQPOffset = 0
    /// deblocking_filter_control_present_flag.
    package var hasDeblockingControl = false
    package var isConstrainedIntra = false
    /// redundant_pic_cnt_present_flag.
    package var hasRedundantCount = false
    /// Nil where the PPS ends before it.
    package var high: High?

    package init() {}

    /// - Parameter chromaFormat: chroma_format_idc of its SPS; nil when that is not known.
    mutating func code(_ coder: inout SyntaxCoder, chromaFormat: Int?) throws(BitstreamError) {
        var header = H264UnitHeader(referenceIDC: referenceIDC, type: .pps)
        try header.code(&coder)
        guard header.type == .pps else { throw coder.error(.outOfRange(header.type.rawValue), "nal_unit_type") }
        referenceIDC = header.referenceIDC
        try coder.ue(&id, "pic_parameter_set_id", in: 0...255)
        try coder.ue(&spsID, "seq_parameter_set_id", in: 0...31)
        try coder.flag(&isCABAC, "entropy_coding_mode_flag")
        try coder.flag(&hasBottomOrder, "bottom_field_pic_order_in_frame_present_flag")
        try codeSliceGroups(&coder)
        try coder.ue(&activeReferences0, plus: 1, "num_ref_idx_l0_default_active_minus1", in: 0...31)
        try coder.ue(&activeReferences1, plus: 1, "num_ref_idx_l1_default_active_minus1", in: 0...31)
        try coder.flag(&isWeighted, "weighted_pred_flag")
        try coder.u(2, &weightedBipredIDC, "weighted_bipred_idc", in: 0...2)
        // −26 less 6 for each bit of luma above 8.
        try coder.se(&initialQP, plus: 26, "pic_init_qp_minus26", in: -62...25)
        try coder.se(&initialQS, plus: 26, "pic_init_qs_minus26", in: -26...25)
        try coder.se(&chromaQPOffset, "chroma_qp_index_offset", in: -12...12)
        try coder.flag(&hasDeblockingControl, "deblocking_filter_control_present_flag")
        try coder.flag(&isConstrainedIntra, "constrained_intra_pred_flag")
        try coder.flag(&hasRedundantCount, "redundant_pic_cnt_present_flag")
        if coder.isReading { high = coder.hasMoreData ? High() : nil }
        if var part = high {
            try part.code(&coder, chromaFormat: chromaFormat, spsID: spsID)
            high = part
        }
        try coder.trailingBits()
    }

    private mutating func codeSliceGroups(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var count = sliceGroups?.count ?? 1
        try coder.ue(&count, plus: 1, "num_slice_groups_minus1", in: 0...7)
        if coder.isReading { sliceGroups = count > 1 ? H264SliceGroups() : nil }
        sliceGroups?.count = count
        try sliceGroups?.code(&coder)
    }
}

extension H264PPS.High {
    fileprivate mutating func code(
        _ coder: inout SyntaxCoder,
        chromaFormat: Int?,
        spsID: Int
    ) throws(BitstreamError) {
        try coder.flag(&has8x8Transform, "transform_8x8_mode_flag")
        try coder.presence(of: &scalingLists, "pic_scaling_matrix_present_flag", else: [])
        if var lists = scalingLists {
            guard let chromaFormat else { throw coder.error(.missing(id: spsID), "pic_scaling_list_present_flag") }
            let count = 6 + (has8x8Transform ? (chromaFormat == 3 ? 6 : 2) : 0)
            try H264ScalingList.code(&lists, count: count, "pic_scaling_list_present_flag", &coder)
            scalingLists = lists
        }
        try coder.se(&secondChromaQPOffset, "second_chroma_qp_index_offset", in: -12...12)
    }
}
