/// hrd_parameters(): a decoder's coded picture buffer (ITU-T H.264, E.1.2).
package struct H264HRD: Hashable, Sendable {
    package struct Schedule: Hashable, Sendable {
        /// bit_rate_value_minus1.
        package var bitRateMinus1 = 0
        /// cpb_size_value_minus1.
        package var sizeMinus1 = 0
        package var isConstantRate = false

        package init(bitRateMinus1: Int = 0, sizeMinus1: Int = 0, isConstantRate: Bool = false) {
            self.bitRateMinus1 = bitRateMinus1
            self.sizeMinus1 = sizeMinus1
            self.isConstantRate = isConstantRate
        }
    }

    package var bitRateScale = 0
    package var sizeScale = 0
    /// The schedules by which the bits may arrive, 1 … 32.
    package var schedules = [Schedule()]
    /// Bits of initial_cpb_removal_delay, 1 … 32.
    package var initialDelayLength = 24
    /// Bits of cpb_removal_delay, 1 … 32.
    package var removalDelayLength = 24
    /// Bits of dpb_output_delay, 1 … 32.
    package var outputDelayLength = 24
    /// Bits of time_offset in picture timing, 0 … 31.
    package var timeOffsetLength = 24

    package init() {}

    /// Bits per second of a schedule.
    /// - Parameter index: the schedule's place in ``schedules``.
    package func bitRate(of index: Int) -> Int { (schedules[index].bitRateMinus1 + 1) << (6 + bitRateScale) }

    /// Bits that a schedule's buffer holds.
    /// - Parameter index: the schedule's place in ``schedules``.
    package func size(of index: Int) -> Int { (schedules[index].sizeMinus1 + 1) << (4 + sizeScale) }

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var count = schedules.count
        try coder.ue(&count, plus: 1, "cpb_cnt_minus1", in: 0...31)
        try coder.u(4, &bitRateScale, "bit_rate_scale")
        try coder.u(4, &sizeScale, "cpb_size_scale")
        try coder.list(&schedules, count: count, of: Schedule(), "cpb_cnt_minus1") {
            coder,
            schedule throws(BitstreamError) in
            try coder.ue(&schedule.bitRateMinus1, "bit_rate_value_minus1", in: 0...0xFFFF_FFFE)
            try coder.ue(&schedule.sizeMinus1, "cpb_size_value_minus1", in: 0...0xFFFF_FFFE)
            try coder.flag(&schedule.isConstantRate, "cbr_flag")
        }
        try coder.u(5, &initialDelayLength, plus: 1, "initial_cpb_removal_delay_length_minus1")
        try coder.u(5, &removalDelayLength, plus: 1, "cpb_removal_delay_length_minus1")
        try coder.u(5, &outputDelayLength, plus: 1, "dpb_output_delay_length_minus1")
        try coder.u(5, &timeOffsetLength, "time_offset_length")
    }
}
