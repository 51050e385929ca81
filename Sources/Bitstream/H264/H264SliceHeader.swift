/// slice_header() and the NAL unit header before it (ITU-T H.264, 7.3.3).
package struct H264SliceHeader: Hashable, Sendable {
    package struct Deblocking: Hashable, Sendable {
        /// disable_deblocking_filter_idc, 0 … 2.
        package var disableIDC = 0
        /// slice_alpha_c0_offset_div2; 0 where the filter is off.
        package var alphaOffsetDiv2 = 0
        /// slice_beta_offset_div2; 0 where the filter is off.
        package var betaOffsetDiv2 = 0

        package init(disableIDC: Int = 0, alphaOffsetDiv2: Int = 0, betaOffsetDiv2: Int = 0) {
            self.disableIDC = disableIDC
            self.alphaOffsetDiv2 = alphaOffsetDiv2
            self.betaOffsetDiv2 = betaOffsetDiv2
        }
    }

    /// nal_ref_idc, 0 … 3: 0 for a picture that is no reference.
    package var referenceIDC = 0
    /// ``H264UnitType/slice`` or ``H264UnitType/idrSlice``.
    package var unitType = H264UnitType.slice
    /// first_mb_in_slice.
    package var firstMacroblock = 0
    /// slice_type, 0 … 9: from 5 on all slices of the picture have the type.
    package var typeNumber = 7
    package var ppsID = 0
    /// colour_plane_id, 0 … 2; with separate planes.
    package var colourPlane = 0
    package var frameNum = 0
    package var isField = false
    package var isBottomField = false
    /// idr_pic_id, 0 … 65535; in IDR pictures.
    package var idrID = 0
    /// pic_order_cnt_lsb; for order type 0.
    package var orderLSB = 0
    /// delta_pic_order_cnt_bottom; for order type 0.
    package var orderDeltaBottom = 0
    /// delta_pic_order_cnt[0]; for order type 1.
    package var orderDelta0 = 0
    /// delta_pic_order_cnt[1]; for order type 1.
    package var orderDelta1 = 0
    /// redundant_pic_cnt, 0 … 127: 0 in the primary picture.
    package var redundantCount = 0
    /// direct_spatial_mv_pred_flag.
    package var isDirectSpatial = false
    /// num_ref_idx_active_override_flag.
    package var overridesReferences = false
    /// Pictures of list 0, 0 … 32: from the PPS unless overridden.
    package var activeReferences0 = 0
    /// Pictures of list 1, 0 … 32: from the PPS unless overridden.
    package var activeReferences1 = 0
    /// Nil without ref_pic_list_modification_flag_l0.
    package var modifications0: [H264ListModification]?
    /// Nil without ref_pic_list_modification_flag_l1.
    package var modifications1: [H264ListModification]?
    /// The explicit weights; nil where the PPS asks for none.
    package var weights: H264PredictionWeights?
    /// What becomes of the reference pictures; nil where the picture itself is none.
    package var marking: H264ReferenceMarking?
    /// cabac_init_idc, 0 … 2.
    package var cabacInit = 0
    package var qpDelta = 0
    /// sp_for_switch_flag.
    package var isSwitchingPicture = false
    package var qsDelta = 0
    /// The deblocking filter's settings; nil where the PPS leaves no control to slices.
    package var deblocking: Deblocking?
    /// slice_group_change_cycle.
    package var groupChangeCycle = 0

    package init() {}

    package var type: H264SliceType { H264SliceType(rawValue: typeNumber % 5) ?? .i }
    /// IdrPicFlag.
    package var isIDR: Bool { unitType == .idrSlice }
    package var isReference: Bool { referenceIDC != 0 }
}
