/// pic_timing: when a picture leaves the buffers, what fields it has, and their timecode (ITU-T H.264, D.1.3).
package struct H264PictureTiming: Hashable, Sendable {
    /// What the message's syntax takes from the SPS that is active.
    package struct Context: Hashable, Sendable {
        /// CpbDpbDelaysPresentFlag: of the NAL HRD, else of the VCL HRD.
        package var hrd: H264HRD?
        /// pic_struct_present_flag.
        package var hasStructure: Bool

        package init(_ sps: H264SPS) {
            hrd = sps.vui?.nalHRD ?? sps.vui?.vclHRD
            hasStructure = sps.vui?.hasPictureStructure ?? false
        }

        /// Whether such a message says anything.
        package var isEmpty: Bool { hrd == nil && !hasStructure }
    }

    /// cpb_removal_delay, in ticks; with an HRD.
    package var removalDelay = 0
    /// dpb_output_delay, in ticks; with an HRD.
    package var outputDelay = 0
    /// pic_struct, 0 … 8 (table D-1): 0 a frame, 1 and 2 a field, 3 … 6 frames of fields, 7 and 8 repeated frames.
    package var structure = 0
    /// One, two or three by ``structure``; nil where no time is given. Empty where the SPS has no structure.
    package var timecodes: [H264Timecode?] = []

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
        if let hrd = context.hrd {
            try coder.u(hrd.removalDelayLength, &removalDelay, "cpb_removal_delay")
            try coder.u(hrd.outputDelayLength, &outputDelay, "dpb_output_delay")
        }
        guard context.hasStructure else { return }
        try coder.u(4, &structure, "pic_struct", in: 0...8)
        // NumClockTS of table D-1.
        let count = [1, 1, 1, 2, 2, 3, 3, 2, 3][structure]
        let offsetLength = context.hrd?.timeOffsetLength ?? 24
        try coder.list(&timecodes, count: count, of: nil, "clock_timestamp_flag") {
            coder,
            timecode throws(BitstreamError) in
            try coder.presence(of: &timecode, "clock_timestamp_flag", else: H264Timecode())
            try timecode?.code(&coder, offsetLength: offsetLength)
        }
    }
}
