/// pic_timing: the fields of a picture, and when it leaves the buffers (ITU-T H.265, D.2.3).
package struct HEVCPictureTiming: Hashable, Sendable {
    /// What the message's syntax takes from the SPS that is active.
    package struct Context: Hashable, Sendable {
        /// frame_field_info_present_flag.
        package var hasFields: Bool
        /// Nil without CpbDpbDelaysPresentFlag.
        package var hrd: HEVCHRD.Common?

        package init(_ sps: HEVCSPS) {
            hasFields = sps.vui?.hasFieldInformation ?? false
            hrd = sps.vui?.hrd?.common
            if hrd?.hasDelays == false { hrd = nil }
        }

        /// Whether such a message says anything.
        package var isEmpty: Bool { hrd == nil && !hasFields }
    }

    /// Decoding units of a picture.
    package struct Units: Hashable, Sendable {
        /// du_common_cpb_removal_delay_increment_minus1; nil where each unit has its own.
        package var commonIncrementMinus1: Int?
        /// The units of the picture, 1 or more.
        package var list = [Unit()]

        package init(commonIncrementMinus1: Int? = nil, list: [Unit] = [Unit()]) {
            self.commonIncrementMinus1 = commonIncrementMinus1
            self.list = list
        }
    }

    package struct Unit: Hashable, Sendable {
        /// num_nalus_in_du_minus1.
        package var unitsMinus1 = 0
        /// du_cpb_removal_delay_increment_minus1; 0 in the last unit and with a common one.
        package var incrementMinus1 = 0

        package init(unitsMinus1: Int = 0, incrementMinus1: Int = 0) {
            self.unitsMinus1 = unitsMinus1
            self.incrementMinus1 = incrementMinus1
        }
    }

    /// pic_struct, 0 … 12 (table D.2).
    package var structure = 0
    /// source_scan_type: 0 interlaced, 1 progressive, 2 unknown.
    package var scanType = 2
    package var isDuplicate = false
    /// au_cpb_removal_delay_minus1 + 1, in ticks.
    package var removalDelay = 1
    /// pic_dpb_output_delay, in ticks.
    package var outputDelay = 0
    /// pic_dpb_output_du_delay; with sub-picture buffering.
    package var outputUnitDelay = 0
    /// The picture's decoding units; nil where the HRD does not put them into picture timing.
    package var units: Units?

    package init() {}

    /// - Throws: when the payload is too short for what the SPS announces or holds values that the standard does not allow.
    package init(_ payload: [UInt8], _ context: Context) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: payload)
        try code(&coder, context)
    }

    /// The message as it stands beside another SPS: without delays where that has no HRD.
    /// - Returns: nil where the message would be empty.
    /// - Throws: for values that do not fit the SPS's fields.
    package func message(_ context: Context) throws(BitstreamError) -> SEIMessage? {
        guard !context.isEmpty else { return nil }
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.code(&coder, context)
        return SEIMessage(type: 1, payload: coder.writtenPayload())
    }

    private mutating func code(_ coder: inout SyntaxCoder, _ context: Context) throws(BitstreamError) {
        if context.hasFields {
            try coder.u(4, &structure, "pic_struct", in: 0...12)
            try coder.u(2, &scanType, "source_scan_type")
            try coder.flag(&isDuplicate, "duplicate_flag")
        }
        guard let hrd = context.hrd else { return }
        try coder.u(hrd.removalDelayLength, &removalDelay, plus: 1, "au_cpb_removal_delay_minus1")
        try coder.u(hrd.outputDelayLength, &outputDelay, "pic_dpb_output_delay")
        guard let part = hrd.subPicture else { return }
        try coder.u(part.outputDelayLength, &outputUnitDelay, "pic_dpb_output_du_delay")
        guard part.isInPictureTiming else { return }
        var list = units ?? Units()
        try list.code(&coder, incrementLength: part.removalDelayLength)
        units = list
    }
}

extension HEVCPictureTiming.Units {
    fileprivate mutating func code(_ coder: inout SyntaxCoder, incrementLength: Int) throws(BitstreamError) {
        // No more than coding tree blocks of 8 × 8 samples in the largest picture (D.3.3).
        let all = 0...557_055
        var count = list.count
        try coder.ue(&count, plus: 1, "num_decoding_units_minus1", in: all)
        try coder.presence(of: &commonIncrementMinus1, "du_common_cpb_removal_delay_flag", else: 0)
        if var increment = commonIncrementMinus1 {
            try coder.u(incrementLength, &increment, "du_common_cpb_removal_delay_increment_minus1")
            commonIncrementMinus1 = increment
        }
        let isCommon = commonIncrementMinus1 != nil
        var left = count
        try coder.list(&list, count: count, of: HEVCPictureTiming.Unit(), "num_nalus_in_du_minus1") {
            coder,
            unit throws(BitstreamError) in
            try coder.ue(&unit.unitsMinus1, "num_nalus_in_du_minus1", in: all)
            left -= 1
            guard !isCommon, left > 0 else { return }
            try coder.u(incrementLength, &unit.incrementMinus1, "du_cpb_removal_delay_increment_minus1")
        }
    }
}
