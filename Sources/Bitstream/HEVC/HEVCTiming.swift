/// The tick of a VPS or of a VUI (ITU-T H.265, 7.4.3.1 and E.3.1).
package struct HEVCTiming: Hashable, Sendable {
    /// num_units_in_tick.
    package var unitsInTick: Int
    /// Units in a second. A picture at constant rate lasts one tick.
    package var timeScale: Int
    /// num_ticks_poc_diff_one_minus1; nil where picture order counts are not proportional to time.
    package var ticksPerOrderMinus1: Int?

    package init(unitsInTick: Int, timeScale: Int, ticksPerOrderMinus1: Int? = nil) {
        self.unitsInTick = unitsInTick
        self.timeScale = timeScale
        self.ticksPerOrderMinus1 = ticksPerOrderMinus1
    }

    /// - Parameter isVPS: only the names differ.
    mutating func code(_ coder: inout SyntaxCoder, isVPS: Bool) throws(BitstreamError) {
        try coder.u(32, &unitsInTick, isVPS ? "vps_num_units_in_tick" : "vui_num_units_in_tick")
        try coder.u(32, &timeScale, isVPS ? "vps_time_scale" : "vui_time_scale")
        let flag: StaticString = isVPS ? "vps_poc_proportional_to_timing_flag" : "vui_poc_proportional_to_timing_flag"
        try coder.presence(of: &ticksPerOrderMinus1, flag, else: 0)
        guard var ticks = ticksPerOrderMinus1 else { return }
        let name: StaticString = isVPS ? "vps_num_ticks_poc_diff_one_minus1" : "vui_num_ticks_poc_diff_one_minus1"
        try coder.ue(&ticks, name, in: 0...0xFFFF_FFFE)
        ticksPerOrderMinus1 = ticks
    }
}
