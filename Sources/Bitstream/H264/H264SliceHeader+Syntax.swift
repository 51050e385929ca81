extension H264SliceHeader {
    mutating func code(_ coder: inout SyntaxCoder, _ sets: H264ParameterSets) throws(BitstreamError) {
        try codeUnitHeader(&coder)
        try coder.ue(&firstMacroblock, "first_mb_in_slice", in: 0...139_263)
        try coder.ue(&typeNumber, "slice_type", in: 0...9)
        let place = coder.position
        try coder.ue(&ppsID, "pic_parameter_set_id", in: 0...255)
        do throws(BitstreamError) {
            let (pps, sps) = try sets.active(pps: ppsID)
            try codePicture(&coder, pps, sps)
            try codeReferences(&coder, pps, sps)
            try codeRest(&coder, pps, sps)
        } catch {
            guard case .missing = error.reason else { throw error }
            throw BitstreamError(error.reason, element: error.element, bit: place)
        }
    }

    private mutating func codeUnitHeader(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var header = H264UnitHeader(referenceIDC: referenceIDC, type: unitType)
        try header.code(&coder)
        switch header.type {
        case .slice, .idrSlice: break
        case .partitionA, .partitionB, .partitionC:
            throw coder.error(.unsupported("data partitioning"), "nal_unit_type")
        case .auxiliarySlice: throw coder.error(.unsupported("an auxiliary picture"), "nal_unit_type")
        case .sliceExtension, .depthSliceExtension:
            throw coder.error(.unsupported("a layer or view above the base"), "nal_unit_type")
        default: throw coder.error(.outOfRange(header.type.rawValue), "nal_unit_type")
        }
        referenceIDC = header.referenceIDC
        unitType = header.type
    }

    /// The elements that identify the picture and its place in the order of output.
    private mutating func codePicture(
        _ coder: inout SyntaxCoder,
        _ pps: H264PPS,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        if sps.hasSeparatePlanes { try coder.u(2, &colourPlane, "colour_plane_id", in: 0...2) }
        try coder.u(sps.log2MaxFrameNum, &frameNum, "frame_num")
        if !sps.isFrameOnly {
            try coder.flag(&isField, "field_pic_flag")
            if isField { try coder.flag(&isBottomField, "bottom_field_flag") }
        }
        if isIDR { try coder.ue(&idrID, "idr_pic_id", in: 0...65_535) }
        let hasBottom = pps.hasBottomOrder && !isField
        let deltas = -0x7FFF_FFFF...0x7FFF_FFFF
        if sps.orderType == 0 {
            try coder.u(sps.log2MaxOrderLSB, &orderLSB, "pic_order_cnt_lsb")
            if hasBottom { try coder.se(&orderDeltaBottom, "delta_pic_order_cnt_bottom", in: deltas) }
        } else if sps.orderType == 1, !sps.orderCycle.isDeltaZero {
            try coder.se(&orderDelta0, "delta_pic_order_cnt", in: deltas)
            if hasBottom { try coder.se(&orderDelta1, "delta_pic_order_cnt", in: deltas) }
        }
        if pps.hasRedundantCount { try coder.ue(&redundantCount, "redundant_pic_cnt", in: 0...127) }
    }

    /// The lists of reference pictures, their weights, and what becomes of them.
    private mutating func codeReferences(
        _ coder: inout SyntaxCoder,
        _ pps: H264PPS,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        let isB = type == .b
        if isB { try coder.flag(&isDirectSpatial, "direct_spatial_mv_pred_flag") }
        if !type.isIntra {
            try coder.flag(&overridesReferences, "num_ref_idx_active_override_flag")
            if overridesReferences {
                try coder.ue(&activeReferences0, plus: 1, "num_ref_idx_l0_active_minus1", in: 0...31)
                if isB { try coder.ue(&activeReferences1, plus: 1, "num_ref_idx_l1_active_minus1", in: 0...31) }
            } else {
                activeReferences0 = pps.activeReferences0
                activeReferences1 = isB ? pps.activeReferences1 : 0
            }
            try coder.presence(of: &modifications0, "ref_pic_list_modification_flag_l0", else: [])
            try Self.code(&modifications0, &coder)
            if isB {
                try coder.presence(of: &modifications1, "ref_pic_list_modification_flag_l1", else: [])
                try Self.code(&modifications1, &coder)
            }
        }
        try codeWeights(&coder, pps, sps)
        guard isReference else { return }
        if coder.isReading { marking = isIDR ? .idr(discardsPrior: false, isLongTerm: false) : .slidingWindow }
        guard var known = marking else { throw coder.error(.outOfRange(0), "dec_ref_pic_marking") }
        try known.code(&coder, isIDR: isIDR)
        marking = known
    }

    private static func code(
        _ list: inout [H264ListModification]?,
        _ coder: inout SyntaxCoder
    ) throws(BitstreamError) {
        guard var steps = list else { return }
        try H264ListModification.code(&steps, &coder)
        list = steps
    }

    private mutating func codeWeights(
        _ coder: inout SyntaxCoder,
        _ pps: H264PPS,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        let isWeighted = type == .b ? pps.weightedBipredIDC == 1 : !type.isIntra && pps.isWeighted
        guard isWeighted else { return }
        if coder.isReading { weights = H264PredictionWeights() }
        guard var table = weights else { throw coder.error(.outOfRange(0), "pred_weight_table") }
        try table.code(
            &coder,
            count0: activeReferences0,
            count1: type == .b ? activeReferences1 : 0,
            hasChroma: sps.chromaArrayType != 0
        )
        weights = table
    }

    private mutating func codeRest(
        _ coder: inout SyntaxCoder,
        _ pps: H264PPS,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        if pps.isCABAC, !type.isIntra { try coder.ue(&cabacInit, "cabac_init_idc", in: 0...2) }
        try coder.se(&qpDelta, "slice_qp_delta", in: -87...87)
        if type.isSwitching {
            if type == .sp { try coder.flag(&isSwitchingPicture, "sp_for_switch_flag") }
            try coder.se(&qsDelta, "slice_qs_delta", in: -51...51)
        }
        if pps.hasDeblockingControl {
            if coder.isReading { deblocking = Deblocking() }
            guard var filter = deblocking else { throw coder.error(.outOfRange(0), "disable_deblocking_filter_idc") }
            try filter.code(&coder)
            deblocking = filter
        }
        if let rate = pps.sliceGroups?.changeRate {
            let bits = Self.changeCycleBits(rate: rate, mapUnits: sps.widthInMacroblocks * sps.heightInMapUnits)
            try coder.u(bits, &groupChangeCycle, "slice_group_change_cycle")
        }
    }

    /// Ceil(Log2(PicSizeInMapUnits ÷ SliceGroupChangeRate + 1)) (7.4.3): the quotient is not rounded.
    private static func changeCycleBits(rate: Int, mapUnits: Int) -> Int {
        let steps = (mapUnits + rate - 1) / rate + 1
        return Int.bitWidth - (steps - 1).leadingZeroBitCount
    }
}

extension H264SliceHeader.Deblocking {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&disableIDC, "disable_deblocking_filter_idc", in: 0...2)
        guard disableIDC != 1 else { return }
        try coder.se(&alphaOffsetDiv2, "slice_alpha_c0_offset_div2", in: -6...6)
        try coder.se(&betaOffsetDiv2, "slice_beta_offset_div2", in: -6...6)
    }
}
