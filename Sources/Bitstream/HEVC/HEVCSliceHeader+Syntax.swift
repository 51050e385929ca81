extension HEVCSliceHeader {
    mutating func code(_ coder: inout SyntaxCoder, _ sets: HEVCParameterSets) throws(BitstreamError) {
        try unit.code(&coder)
        guard unit.type.isSlice else { throw coder.error(.outOfRange(unit.type.rawValue), "nal_unit_type") }
        guard unit.layer == 0 else { throw coder.error(.unsupported("a layer above the base"), "nuh_layer_id") }
        try coder.flag(&isFirst, "first_slice_segment_in_pic_flag")
        if unit.type.isIRAP { try coder.flag(&discardsPrior, "no_output_of_prior_pics_flag") }
        let place = coder.position
        try coder.ue(&ppsID, "slice_pic_parameter_set_id", in: 0...63)
        do throws(BitstreamError) {
            let (pps, sps) = try sets.active(pps: ppsID)
            if sps.extensions?.isScreenContent == true || pps.extensions?.isScreenContent == true {
                throw coder.error(.unsupported("screen content coding"), "slice_segment_header")
            }
            try codePlace(&coder, pps, sps)
            if !isDependent { try codeSlice(&coder, pps, sps) }
            try codeEnd(&coder, pps)
        } catch {
            guard case .missing = error.reason else { throw error }
            throw BitstreamError(error.reason, element: error.element, bit: place)
        }
    }

    private mutating func codePlace(
        _ coder: inout SyntaxCoder,
        _ pps: HEVCPPS,
        _ sps: HEVCSPS
    ) throws(BitstreamError) {
        guard !isFirst else {
            isDependent = false
            address = 0
            return
        }
        if pps.hasDependentSlices { try coder.flag(&isDependent, "dependent_slice_segment_flag") }
        // Ceil(Log2(PicSizeInCtbsY)) bits.
        let bits = Int.bitWidth - (sps.treeBlocks - 1).leadingZeroBitCount
        try coder.u(bits, &address, "slice_segment_address", in: 0...(sps.treeBlocks - 1))
    }

    private mutating func codeSlice(
        _ coder: inout SyntaxCoder,
        _ pps: HEVCPPS,
        _ sps: HEVCSPS
    ) throws(BitstreamError) {
        for bit in (0..<pps.extraSliceBits).reversed() {
            var flag = reservedBits >> bit & 1
            try coder.u(1, &flag, "slice_reserved_flag")
            reservedBits = reservedBits & ~(1 << bit) | flag << bit
        }
        var number = kind.rawValue
        try coder.ue(&number, "slice_type", in: 0...2)
        kind = Kind(rawValue: number) ?? .i
        if pps.hasOutputFlag { try coder.flag(&isOutput, "pic_output_flag") }
        if sps.hasSeparatePlanes { try coder.u(2, &colourPlane, "colour_plane_id", in: 0...2) }
        let used = try codeReferenceSets(&coder, sps)
        if sps.hasAdaptiveOffset {
            try coder.flag(&hasLumaOffset, "slice_sao_luma_flag")
            if sps.chromaArrayType != 0 { try coder.flag(&hasChromaOffset, "slice_sao_chroma_flag") }
        }
        if kind != .i { try codeInter(&coder, pps, sps, used) }
        try codeQuantiser(&coder, pps)
        try codeFilters(&coder, pps)
    }

    /// - Returns: NumPicTotalCurr, the pictures that may be referred to.
    private mutating func codeReferenceSets(
        _ coder: inout SyntaxCoder,
        _ sps: HEVCSPS
    ) throws(BitstreamError) -> Int {
        guard !unit.type.isIDR else { return 0 }
        try coder.u(sps.log2MaxOrderLSB, &orderLSB, "slice_pic_order_cnt_lsb")
        let count = sps.referenceSets.count
        var isIndex = if case .index = references { true } else { false }
        try coder.flag(&isIndex, "short_term_ref_pic_set_sps_flag")
        if coder.isReading { references = isIndex ? .index(0) : .own(HEVCReferenceSet()) }
        var used = 0
        switch references {
        case .index(var index):
            // Ceil(Log2(num_short_term_ref_pic_sets)) bits.
            let bits = count > 1 ? Int.bitWidth - (count - 1).leadingZeroBitCount : 0
            if bits > 0 { try coder.u(bits, &index, "short_term_ref_pic_set_idx") }
            guard sps.referenceSets.indices.contains(index) else {
                throw coder.error(.outOfRange(index), "short_term_ref_pic_set_idx")
            }
            used = sps.referenceSets[index].usedCount
            references = .index(index)
        case .own(var set):
            try set.code(&coder, index: count, sps.referenceSets, isInSlice: true)
            used = set.usedCount
            references = .own(set)
        case nil: throw coder.error(.outOfRange(0), "short_term_ref_pic_set_sps_flag")
        }
        if sps.longTerm != nil {
            var pictures = longTerm ?? HEVCLongTermReferences()
            try pictures.code(&coder, sps)
            used += pictures.usedCount(sps)
            longTerm = pictures
        }
        if sps.hasTemporalVectors { try coder.flag(&hasTemporalVectors, "slice_temporal_mvp_enabled_flag") }
        return used
    }

    private mutating func codeInter(
        _ coder: inout SyntaxCoder,
        _ pps: HEVCPPS,
        _ sps: HEVCSPS,
        _ used: Int
    ) throws(BitstreamError) {
        let isB = kind == .b
        try coder.flag(&overridesReferences, "num_ref_idx_active_override_flag")
        if overridesReferences {
            try coder.ue(&activeReferences0, plus: 1, "num_ref_idx_l0_active_minus1", in: 0...14)
            if isB { try coder.ue(&activeReferences1, plus: 1, "num_ref_idx_l1_active_minus1", in: 0...14) }
        } else {
            activeReferences0 = pps.activeReferences0
            activeReferences1 = isB ? pps.activeReferences1 : 0
        }
        if pps.hasListModifications, used > 1 { try codeListEntries(&coder, used) }
        if isB { try coder.flag(&hasZeroVectors1, "mvd_l1_zero_flag") }
        if pps.hasCABACInit { try coder.flag(&cabacInit, "cabac_init_flag") }
        if hasTemporalVectors {
            if isB { try coder.flag(&isCollocatedFrom0, "collocated_from_l0_flag") }
            let pictures = !isB || isCollocatedFrom0 ? activeReferences0 : activeReferences1
            if pictures > 1 { try coder.ue(&collocatedIndex, "collocated_ref_idx", in: 0...(pictures - 1)) }
        }
        if isB ? pps.isBipredWeighted : pps.isWeighted { try codeWeights(&coder, sps) }
        try coder.ue(&fiveMinusMergeCandidates, "five_minus_max_num_merge_cand", in: 0...4)
    }

    /// ref_pic_lists_modification() (7.3.6.2).
    private mutating func codeListEntries(_ coder: inout SyntaxCoder, _ used: Int) throws(BitstreamError) {
        let bits = Int.bitWidth - (used - 1).leadingZeroBitCount
        try coder.presence(of: &listEntries0, "ref_pic_list_modification_flag_l0", else: [])
        if var entries = listEntries0 {
            try coder.list(&entries, count: activeReferences0, of: 0, "list_entry_l0") {
                coder,
                entry throws(BitstreamError) in
                try coder.u(bits, &entry, "list_entry_l0", in: 0...(used - 1))
            }
            listEntries0 = entries
        }
        guard kind == .b else { return }
        try coder.presence(of: &listEntries1, "ref_pic_list_modification_flag_l1", else: [])
        guard var entries = listEntries1 else { return }
        try coder.list(&entries, count: activeReferences1, of: 0, "list_entry_l1") {
            coder,
            entry throws(BitstreamError) in
            try coder.u(bits, &entry, "list_entry_l1", in: 0...(used - 1))
        }
        listEntries1 = entries
    }

    private mutating func codeWeights(_ coder: inout SyntaxCoder, _ sps: HEVCSPS) throws(BitstreamError) {
        if coder.isReading { weights = HEVCPredictionWeights() }
        guard var table = weights else { throw coder.error(.outOfRange(0), "pred_weight_table") }
        let isPrecise = sps.extensions?.range?.hasHighPrecisionOffsets == true
        let context = HEVCPredictionWeights.Context(
            count0: activeReferences0,
            count1: kind == .b ? activeReferences1 : 0,
            hasChroma: sps.chromaArrayType != 0,
            lumaRange: 1 << (isPrecise ? sps.lumaBits - 1 : 7),
            chromaRange: 1 << (isPrecise ? sps.chromaBits - 1 : 7)
        )
        try table.code(&coder, context)
        weights = table
    }

    private mutating func codeQuantiser(_ coder: inout SyntaxCoder, _ pps: HEVCPPS) throws(BitstreamError) {
        try coder.se(&qpDelta, "slice_qp_delta", in: -99...99)
        if pps.hasSliceChromaOffsets {
            try coder.se(&cbQPOffset, "slice_cb_qp_offset", in: -12...12)
            try coder.se(&crQPOffset, "slice_cr_qp_offset", in: -12...12)
        }
        if pps.extensions?.range?.chromaOffsets != nil {
            try coder.flag(&hasBlockChromaOffsets, "cu_chroma_qp_offset_enabled_flag")
        }
    }

    private mutating func codeFilters(_ coder: inout SyntaxCoder, _ pps: HEVCPPS) throws(BitstreamError) {
        if pps.deblocking?.isOverridable == true {
            try coder.presence(of: &deblocking, "deblocking_filter_override_flag", else: Deblocking())
            try deblocking?.code(&coder)
        }
        let isOff = deblocking?.isOff ?? pps.deblocking?.isOff ?? false
        if pps.isFilteredAcrossSlices, hasLumaOffset || hasChromaOffset || !isOff {
            try coder.flag(&isFilteredAcrossSlices, "slice_loop_filter_across_slices_enabled_flag")
        }
    }

    private mutating func codeEnd(_ coder: inout SyntaxCoder, _ pps: HEVCPPS) throws(BitstreamError) {
        if pps.tiles != nil || pps.hasWavefronts {
            var points = entryPoints ?? EntryPoints()
            try points.code(&coder)
            entryPoints = points
        }
        if pps.hasSliceExtension {
            var length = extensionBytes.count
            try coder.ue(&length, "slice_segment_header_extension_length", in: 0...256)
            try coder.list(&extensionBytes, count: length, of: 0, "slice_segment_header_extension_data_byte") {
                coder,
                byte throws(BitstreamError) in
                var value = Int(byte)
                try coder.u(8, &value, "slice_segment_header_extension_data_byte")
                byte = UInt8(value)
            }
        }
        // byte_alignment() (7.3.2.12).
        try coder.fixed(1, 1, "alignment_bit_equal_to_one")
        while !coder.isAligned { try coder.fixed(1, 0, "alignment_bit_equal_to_zero") }
    }
}

extension HEVCSliceHeader.Deblocking {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&isOff, "slice_deblocking_filter_disabled_flag")
        guard !isOff else { return }
        try coder.se(&betaOffsetDiv2, "slice_beta_offset_div2", in: -6...6)
        try coder.se(&tcOffsetDiv2, "slice_tc_offset_div2", in: -6...6)
    }
}

extension HEVCSliceHeader.EntryPoints {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var count = offsetsMinus1.count
        // At the most as many as tiles times rows of coding tree blocks (7.4.7.1).
        try coder.ue(&count, "num_entry_point_offsets", in: 0...(440 * 2111))
        guard count > 0 else {
            offsetsMinus1 = []
            return
        }
        try coder.ue(&offsetLength, plus: 1, "offset_len_minus1", in: 0...31)
        let bits = offsetLength
        try coder.list(&offsetsMinus1, count: count, of: 0, "entry_point_offset_minus1") {
            coder,
            offset throws(BitstreamError) in
            try coder.u(bits, &offset, "entry_point_offset_minus1")
        }
    }
}
