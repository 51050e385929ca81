/// seq_parameter_set_data(): what holds for a coded video sequence (ITU-T H.264, 7.3.2.1.1).
package struct H264SPS: ParameterSet {
    package struct Cropping: Hashable, Sendable {
        /// Crop units that are cut off the left side. Across, a unit is one sample of chroma, or of luma in monochrome
        /// and 4:4:4; down, it is twice as much where fields may be coded.
        package var left = 0
        package var right = 0
        package var top = 0
        package var bottom = 0

        package init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
            self.left = left
            self.right = right
            self.top = top
            self.bottom = bottom
        }
    }

    /// How picture order counts of type 1 run (8.2.1.2).
    package struct OrderCycle: Hashable, Sendable {
        /// delta_pic_order_always_zero_flag.
        package var isDeltaZero = false
        package var offsetForNonReference = 0
        package var offsetTopToBottom = 0
        /// offset_for_ref_frame, 255 at the most.
        package var offsets: [Int] = []

        package init(
            isDeltaZero: Bool = false,
            offsetForNonReference: Int = 0,
            offsetTopToBottom: Int = 0,
            offsets: [Int] = []
        ) {
            self.isDeltaZero = isDeltaZero
            self.offsetForNonReference = offsetForNonReference
            self.offsetTopToBottom = offsetTopToBottom
            self.offsets = offsets
        }
    }

    /// nal_ref_idc of its NAL unit, 1 … 3.
    package var referenceIDC = 3
    /// profile_idc.
    package var profile = 100
    /// constraint_set0_flag … constraint_set5_flag and two reserved bits, the first in the highest.
    package var constraints = 0
    /// level_idc.
    package var level = 40
    /// seq_parameter_set_id, 0 … 31.
    package var id = 0
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat = 1
    /// separate_colour_plane_flag: three monochrome planes.
    package var hasSeparatePlanes = false
    /// Bits of a luma sample, 8 … 14.
    package var lumaBits = 8
    /// Bits of a chroma sample, 8 … 14.
    package var chromaBits = 8
    /// qpprime_y_zero_transform_bypass_flag.
    package var isLosslessAtZero = false
    /// 8 scaling lists, or 12 for 4:4:4; nil without seq_scaling_matrix_present_flag.
    package var scalingLists: [H264ScalingList?]?
    /// Bits of frame_num, 4 … 16.
    package var log2MaxFrameNum = 4
    /// pic_order_cnt_type, 0 … 2.
    package var orderType = 0
    /// Bits of pic_order_cnt_lsb, 4 … 16; coded only for order type 0.
    package var log2MaxOrderLSB = 4
    /// How the counts of order type 1 run; unused with types 0 and 2.
    package var orderCycle = OrderCycle()
    /// max_num_ref_frames.
    package var maxReferenceFrames = 1
    /// gaps_in_frame_num_value_allowed_flag.
    package var allowsFrameNumGaps = false
    package var widthInMacroblocks = 1
    /// The height of a frame in macroblocks, or in pairs of macroblocks where fields may be coded.
    package var heightInMapUnits = 1
    package var isFrameOnly = true
    /// mb_adaptive_frame_field_flag.
    package var isAdaptiveFrameField = false
    package var infersDirect8x8 = true
    package var cropping: Cropping?
    package var vui: H264VUI?

    package init() {}

    /// Profiles that say chroma format, bit depth and scaling lists (7.3.2.1.1).
    package static let highProfiles: Set<Int> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    package mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var header = H264UnitHeader(referenceIDC: referenceIDC, type: .sps)
        try header.code(&coder)
        guard header.type == .sps else { throw coder.error(.outOfRange(header.type.rawValue), "nal_unit_type") }
        referenceIDC = header.referenceIDC
        try coder.u(8, &profile, "profile_idc")
        try codeConstraints(&coder)
        try coder.u(8, &level, "level_idc")
        try coder.ue(&id, "seq_parameter_set_id", in: 0...31)
        if Self.highProfiles.contains(profile) { try codeFormat(&coder) }
        try coder.ue(&log2MaxFrameNum, plus: 4, "log2_max_frame_num_minus4", in: 0...12)
        try codeOrder(&coder)
        try coder.ue(&maxReferenceFrames, "max_num_ref_frames", in: 0...16)
        try coder.flag(&allowsFrameNumGaps, "gaps_in_frame_num_allowed_flag")
        try coder.ue(&widthInMacroblocks, plus: 1, "pic_width_in_mbs_minus1", in: 0...1055)
        try coder.ue(&heightInMapUnits, plus: 1, "pic_height_in_map_units_minus1", in: 0...1055)
        try coder.flag(&isFrameOnly, "frame_mbs_only_flag")
        if !isFrameOnly { try coder.flag(&isAdaptiveFrameField, "mb_adaptive_frame_field_flag") }
        try coder.flag(&infersDirect8x8, "direct_8x8_inference_flag")
        try coder.presence(of: &cropping, "frame_cropping_flag", else: Cropping())
        try cropping?.code(&coder)
        try coder.presence(of: &vui, "vui_parameters_present_flag", else: H264VUI())
        try vui?.code(&coder)
        try coder.trailingBits()
    }

    private mutating func codeConstraints(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        let names: [StaticString] = [
            "constraint_set0_flag", "constraint_set1_flag", "constraint_set2_flag", "constraint_set3_flag",
            "constraint_set4_flag", "constraint_set5_flag",
        ]
        var all = constraints & 3
        for (index, name) in names.enumerated() {
            var bit = constraints >> (7 - index) & 1
            try coder.u(1, &bit, name)
            all |= bit << (7 - index)
        }
        var reserved = constraints & 3
        try coder.u(2, &reserved, "reserved_zero_2bits")
        constraints = all & ~3 | reserved
    }

    private mutating func codeFormat(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&chromaFormat, "chroma_format_idc", in: 0...3)
        if chromaFormat == 3 { try coder.flag(&hasSeparatePlanes, "separate_colour_plane_flag") }
        try coder.ue(&lumaBits, plus: 8, "bit_depth_luma_minus8", in: 0...6)
        try coder.ue(&chromaBits, plus: 8, "bit_depth_chroma_minus8", in: 0...6)
        try coder.flag(&isLosslessAtZero, "qpprime_y_zero_transform_bypass_flag")
        try coder.presence(of: &scalingLists, "seq_scaling_matrix_present_flag", else: [])
        guard var lists = scalingLists else { return }
        let count = chromaFormat == 3 ? 12 : 8
        try H264ScalingList.code(&lists, count: count, "seq_scaling_list_present_flag", &coder)
        scalingLists = lists
    }

    private mutating func codeOrder(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&orderType, "pic_order_cnt_type", in: 0...2)
        if orderType == 0 {
            try coder.ue(&log2MaxOrderLSB, plus: 4, "log2_max_pic_order_cnt_lsb_minus4", in: 0...12)
        }
        if orderType == 1 { try orderCycle.code(&coder) }
    }
}

extension H264SPS.Cropping {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&left, "frame_crop_left_offset", in: 0...16_880)
        try coder.ue(&right, "frame_crop_right_offset", in: 0...16_880)
        try coder.ue(&top, "frame_crop_top_offset", in: 0...16_880)
        try coder.ue(&bottom, "frame_crop_bottom_offset", in: 0...16_880)
    }
}

extension H264SPS.OrderCycle {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        let all = -0x7FFF_FFFF...0x7FFF_FFFF
        try coder.flag(&isDeltaZero, "delta_pic_order_always_zero_flag")
        try coder.se(&offsetForNonReference, "offset_for_non_ref_pic", in: all)
        try coder.se(&offsetTopToBottom, "offset_for_top_to_bottom_field", in: all)
        var count = offsets.count
        try coder.ue(&count, "num_ref_frames_in_pic_order_cnt_cycle", in: 0...255)
        try coder.list(&offsets, count: count, of: 0, "offset_for_ref_frame") { coder, offset throws(BitstreamError) in
            try coder.se(&offset, "offset_for_ref_frame", in: all)
        }
    }
}
