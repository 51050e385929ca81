/// vui_parameters(): how pictures are shown, timed and buffered (ITU-T H.264, E.1.1).
package struct H264VUI: Hashable, Sendable {
    package struct Timing: Hashable, Sendable {
        /// num_units_in_tick.
        package var unitsInTick: Int
        /// Units in a second. A frame lasts two ticks.
        package var timeScale: Int
        package var isFixedRate: Bool

        package init(unitsInTick: Int, timeScale: Int, isFixedRate: Bool) {
            self.unitsInTick = unitsInTick
            self.timeScale = timeScale
            self.isFixedRate = isFixedRate
        }
    }

    /// bitstream_restriction: what a decoder may rely on.
    package struct Restriction: Hashable, Sendable {
        package var motionVectorsOverBoundaries = true
        package var maxBytesPerPictureDenominator = 0
        package var maxBitsPerMacroblockDenominator = 0
        package var log2MaxHorizontalVector = 15
        package var log2MaxVerticalVector = 15
        /// Frames that precede another in decoding order and follow it in output order.
        package var reorderFrames: Int
        /// max_dec_frame_buffering: the size of the decoded picture buffer, in frames.
        package var frameBuffering: Int

        package init(reorderFrames: Int, frameBuffering: Int) {
            self.reorderFrames = reorderFrames
            self.frameBuffering = frameBuffering
        }
    }

    package var aspectRatio: AspectRatio?
    /// overscan_appropriate_flag.
    package var isOverscanAppropriate: Bool?
    package var signal: VideoSignal?
    package var chromaLocation: ChromaLocation?
    package var timing: Timing?
    package var nalHRD: H264HRD?
    package var vclHRD: H264HRD?
    /// low_delay_hrd_flag; written only with an HRD.
    package var isLowDelay = false
    /// Whether picture timing SEI messages say which fields a picture has.
    package var hasPictureStructure = false
    package var restriction: Restriction?

    package init() {}

    package var hasHRD: Bool { nalHRD != nil || vclHRD != nil }

    /// Says nothing of a buffer any more. Buffering period messages then have no meaning and must go too; picture timing
    /// messages become shorter (``H264PictureTiming``).
    package mutating func removeHRD() {
        nalHRD = nil
        vclHRD = nil
        isLowDelay = false
    }

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.presence(of: &aspectRatio, "aspect_ratio_info_present_flag", else: AspectRatio())
        try aspectRatio?.code(&coder)
        try coder.presence(of: &isOverscanAppropriate, "overscan_info_present_flag", else: false)
        if var flag = isOverscanAppropriate {
            try coder.flag(&flag, "overscan_appropriate_flag")
            isOverscanAppropriate = flag
        }
        try coder.presence(of: &signal, "video_signal_type_present_flag", else: VideoSignal())
        try signal?.code(&coder)
        try coder.presence(of: &chromaLocation, "chroma_loc_info_present_flag", else: ChromaLocation())
        try chromaLocation?.code(&coder)
        let unknown = Timing(unitsInTick: 0, timeScale: 0, isFixedRate: false)
        try coder.presence(of: &timing, "timing_info_present_flag", else: unknown)
        try timing?.code(&coder)
        try coder.presence(of: &nalHRD, "nal_hrd_parameters_present_flag", else: H264HRD())
        try nalHRD?.code(&coder)
        try coder.presence(of: &vclHRD, "vcl_hrd_parameters_present_flag", else: H264HRD())
        try vclHRD?.code(&coder)
        if hasHRD { try coder.flag(&isLowDelay, "low_delay_hrd_flag") }
        try coder.flag(&hasPictureStructure, "pic_struct_present_flag")
        let all = Restriction(reorderFrames: 16, frameBuffering: 16)
        try coder.presence(of: &restriction, "bitstream_restriction_flag", else: all)
        try restriction?.code(&coder)
    }
}

extension H264VUI.Timing {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        // Some cameras write 0, which the standard does not allow and which says nothing.
        try coder.u(32, &unitsInTick, "num_units_in_tick")
        try coder.u(32, &timeScale, "time_scale")
        try coder.flag(&isFixedRate, "fixed_frame_rate_flag")
    }
}

extension H264VUI.Restriction {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&motionVectorsOverBoundaries, "motion_vectors_over_pic_boundaries_flag")
        try coder.ue(&maxBytesPerPictureDenominator, "max_bytes_per_pic_denom", in: 0...16)
        try coder.ue(&maxBitsPerMacroblockDenominator, "max_bits_per_mb_denom", in: 0...16)
        // Up to 16 in the first editions.
        try coder.ue(&log2MaxHorizontalVector, "log2_max_mv_length_horizontal", in: 0...16)
        try coder.ue(&log2MaxVerticalVector, "log2_max_mv_length_vertical", in: 0...16)
        try coder.ue(&reorderFrames, "max_num_reorder_frames", in: 0...16)
        try coder.ue(&frameBuffering, "max_dec_frame_buffering", in: 0...16)
    }
}
