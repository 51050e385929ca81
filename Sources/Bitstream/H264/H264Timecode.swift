/// A clock timestamp of picture timing (ITU-T H.264, D.2.3).
package struct H264Timecode: Hashable, Sendable {
    /// ct_type: 0 progressive, 1 interlaced, 2 unknown.
    package var scanType = 0
    /// nuit_field_based_flag.
    package var isFieldBased = false
    /// counting_type, 0 … 6: 4 drops frame numbers.
    package var countingType = 0
    /// full_timestamp_flag: seconds, minutes and hours are all given.
    package var isFull = false
    package var isDiscontinuous = false
    /// cnt_dropped_flag.
    package var hasDropped = false
    /// n_frames, 0 … 255.
    package var frames = 0
    /// 0 … 59; nil where it stays as it was.
    package var seconds: Int?
    /// 0 … 59; nil where it stays as it was.
    package var minutes: Int?
    /// 0 … 23; nil where it stays as it was.
    package var hours: Int?
    /// time_offset, in ticks.
    package var offset = 0

    package init() {}

    /// - Parameter offsetLength: bits of time_offset, 0 … 31.
    mutating func code(_ coder: inout SyntaxCoder, offsetLength: Int) throws(BitstreamError) {
        try coder.u(2, &scanType, "ct_type", in: 0...2)
        try coder.flag(&isFieldBased, "nuit_field_based_flag")
        try coder.u(5, &countingType, "counting_type", in: 0...6)
        try coder.flag(&isFull, "full_timestamp_flag")
        try coder.flag(&isDiscontinuous, "discontinuity_flag")
        try coder.flag(&hasDropped, "cnt_dropped_flag")
        try coder.u(8, &frames, "n_frames")
        try codeTime(&coder)
        if offsetLength > 0 { try coder.i(offsetLength, &offset, "time_offset") }
    }

    private mutating func codeTime(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        if isFull {
            var (second, minute, hour) = (seconds ?? 0, minutes ?? 0, hours ?? 0)
            try coder.u(6, &second, "seconds_value", in: 0...59)
            try coder.u(6, &minute, "minutes_value", in: 0...59)
            try coder.u(5, &hour, "hours_value", in: 0...23)
            (seconds, minutes, hours) = (second, minute, hour)
            return
        }
        try coder.presence(of: &seconds, "seconds_flag", else: 0)
        guard var second = seconds else { return }
        try coder.u(6, &second, "seconds_value", in: 0...59)
        seconds = second
        try coder.presence(of: &minutes, "minutes_flag", else: 0)
        guard var minute = minutes else { return }
        try coder.u(6, &minute, "minutes_value", in: 0...59)
        minutes = minute
        try coder.presence(of: &hours, "hours_flag", else: 0)
        guard var hour = hours else { return }
        try coder.u(5, &hour, "hours_value", in: 0...23)
        hours = hour
    }
}
