/// hrd_parameters(): a decoder's coded picture buffer (ITU-T H.265, E.2.2).
package struct HEVCHRD: Hashable, Sendable {
    /// What is the same for all sub-layers.
    package struct Common: Hashable, Sendable {
        package var hasNAL = false
        package var hasVCL = false
        package var subPicture: SubPicture?
        package var bitRateScale = 0
        package var sizeScale = 0
        /// Bits of initial_cpb_removal_delay, 1 … 32.
        package var initialDelayLength = 24
        /// Bits of au_cpb_removal_delay_minus1, 1 … 32.
        package var removalDelayLength = 24
        /// Bits of pic_dpb_output_delay, 1 … 32.
        package var outputDelayLength = 24

        package init() {}

        /// CpbDpbDelaysPresentFlag.
        package var hasDelays: Bool { hasNAL || hasVCL }
    }

    /// Buffering of decoding units, which are smaller than pictures.
    package struct SubPicture: Hashable, Sendable {
        package var tickDivisorMinus2 = 0
        /// Bits of du_cpb_removal_delay_increment_minus1, 1 … 32.
        package var removalDelayLength = 1
        /// Whether picture timing messages tell of decoding units.
        package var isInPictureTiming = false
        /// Bits of pic_dpb_output_du_delay, 1 … 32.
        package var outputDelayLength = 1
        package var sizeScale = 0

        package init(
            tickDivisorMinus2: Int = 0,
            removalDelayLength: Int = 1,
            isInPictureTiming: Bool = false,
            outputDelayLength: Int = 1,
            sizeScale: Int = 0
        ) {
            self.tickDivisorMinus2 = tickDivisorMinus2
            self.removalDelayLength = removalDelayLength
            self.isInPictureTiming = isInPictureTiming
            self.outputDelayLength = outputDelayLength
            self.sizeScale = sizeScale
        }
    }

    package struct Schedule: Hashable, Sendable {
        package var bitRateMinus1 = 0
        package var sizeMinus1 = 0
        /// cpb_size_du_value_minus1; coded only with ``Common/subPicture``.
        package var unitSizeMinus1 = 0
        /// bit_rate_du_value_minus1; coded only with ``Common/subPicture``.
        package var unitBitRateMinus1 = 0
        package var isConstantRate = false

        package init(
            bitRateMinus1: Int = 0,
            sizeMinus1: Int = 0,
            unitSizeMinus1: Int = 0,
            unitBitRateMinus1: Int = 0,
            isConstantRate: Bool = false
        ) {
            self.bitRateMinus1 = bitRateMinus1
            self.sizeMinus1 = sizeMinus1
            self.unitSizeMinus1 = unitSizeMinus1
            self.unitBitRateMinus1 = unitBitRateMinus1
            self.isConstantRate = isConstantRate
        }
    }

    package struct SubLayer: Hashable, Sendable {
        /// fixed_pic_rate_general_flag.
        package var isFixedRate = false
        /// fixed_pic_rate_within_cvs_flag.
        package var isFixedRateInSequence = false
        /// elemental_duration_in_tc_minus1 + 1, in ticks; with a fixed rate.
        package var duration = 1
        package var isLowDelay = false
        /// The number of schedules in ``nal`` and in ``vcl``, 1 … 32.
        package var scheduleCount = 1
        package var nal: [Schedule] = []
        package var vcl: [Schedule] = []

        package init() {}
    }

    package var common = Common()
    package var subLayers: [SubLayer] = []

    package init() {}

    /// - Parameters:
    ///   - hasCommon: whether ``common`` is coded; otherwise it is as it was before.
    ///   - subLayerCount: temporal sub-layers, 1 … 7.
    mutating func code(_ coder: inout SyntaxCoder, hasCommon: Bool, subLayerCount: Int) throws(BitstreamError) {
        if hasCommon { try common.code(&coder) }
        let known = common
        try coder.list(&subLayers, count: subLayerCount, of: SubLayer(), "fixed_pic_rate_general_flag") {
            coder,
            layer throws(BitstreamError) in
            try layer.code(&coder, known)
        }
    }
}

extension HEVCHRD.Common {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&hasNAL, "nal_hrd_parameters_present_flag")
        try coder.flag(&hasVCL, "vcl_hrd_parameters_present_flag")
        guard hasDelays else { return }
        try coder.presence(of: &subPicture, "sub_pic_hrd_params_present_flag", else: HEVCHRD.SubPicture())
        if var part = subPicture {
            try coder.u(8, &part.tickDivisorMinus2, "tick_divisor_minus2")
            try coder.u(5, &part.removalDelayLength, plus: 1, "du_cpb_removal_delay_increment_length_minus1")
            try coder.flag(&part.isInPictureTiming, "sub_pic_cpb_params_in_pic_timing_sei_flag")
            try coder.u(5, &part.outputDelayLength, plus: 1, "dpb_output_delay_du_length_minus1")
            subPicture = part
        }
        try coder.u(4, &bitRateScale, "bit_rate_scale")
        try coder.u(4, &sizeScale, "cpb_size_scale")
        if var part = subPicture {
            try coder.u(4, &part.sizeScale, "cpb_size_du_scale")
            subPicture = part
        }
        try coder.u(5, &initialDelayLength, plus: 1, "initial_cpb_removal_delay_length_minus1")
        try coder.u(5, &removalDelayLength, plus: 1, "au_cpb_removal_delay_length_minus1")
        try coder.u(5, &outputDelayLength, plus: 1, "dpb_output_delay_length_minus1")
    }
}

extension HEVCHRD.SubLayer {
    fileprivate mutating func code(
        _ coder: inout SyntaxCoder,
        _ common: HEVCHRD.Common
    ) throws(BitstreamError) {
        try coder.flag(&isFixedRate, "fixed_pic_rate_general_flag")
        if isFixedRate {
            isFixedRateInSequence = true
        } else {
            try coder.flag(&isFixedRateInSequence, "fixed_pic_rate_within_cvs_flag")
        }
        if isFixedRateInSequence {
            try coder.ue(&duration, plus: 1, "elemental_duration_in_tc_minus1", in: 0...2047)
        } else {
            try coder.flag(&isLowDelay, "low_delay_hrd_flag")
        }
        if !isLowDelay { try coder.ue(&scheduleCount, plus: 1, "cpb_cnt_minus1", in: 0...31) }
        if common.hasNAL { try code(&nal, &coder, common) }
        if common.hasVCL { try code(&vcl, &coder, common) }
    }

    private func code(
        _ schedules: inout [HEVCHRD.Schedule],
        _ coder: inout SyntaxCoder,
        _ common: HEVCHRD.Common
    ) throws(BitstreamError) {
        let hasUnits = common.subPicture != nil
        let all = 0...0xFFFF_FFFE
        try coder.list(&schedules, count: scheduleCount, of: HEVCHRD.Schedule(), "cpb_cnt_minus1") {
            coder,
            schedule throws(BitstreamError) in
            try coder.ue(&schedule.bitRateMinus1, "bit_rate_value_minus1", in: all)
            try coder.ue(&schedule.sizeMinus1, "cpb_size_value_minus1", in: all)
            if hasUnits {
                try coder.ue(&schedule.unitSizeMinus1, "cpb_size_du_value_minus1", in: all)
                try coder.ue(&schedule.unitBitRateMinus1, "bit_rate_du_value_minus1", in: all)
            }
            try coder.flag(&schedule.isConstantRate, "cbr_flag")
        }
    }
}
