/// vui_parameters(): how pictures are shown, timed and buffered (ITU-T H.265, E.2.1).
package struct HEVCVUI: Hashable, Sendable {
    package struct Restriction: Hashable, Sendable {
        package var hasFixedTiles = false
        package var motionVectorsOverBoundaries = true
        package var hasRestrictedLists = false
        package var minimumSpatialSegmentation = 0
        package var maxBytesPerPictureDenominator = 2
        package var maxBitsPerUnitDenominator = 1
        package var log2MaxHorizontalVector = 15
        package var log2MaxVerticalVector = 15

        package init() {}
    }

    package var aspectRatio: AspectRatio?
    /// overscan_appropriate_flag.
    package var isOverscanAppropriate: Bool?
    package var signal: VideoSignal?
    package var chromaLocation: ChromaLocation?
    /// neutral_chroma_indication_flag.
    package var isNeutralChroma = false
    /// field_seq_flag: each picture is a field.
    package var isFieldSequence = false
    /// Whether picture timing SEI messages say which fields a picture has.
    package var hasFieldInformation = false
    package var displayWindow: HEVCWindow?
    package var timing: HEVCTiming?
    /// The decoder's buffer; coded only with ``timing``.
    package var hrd: HEVCHRD?
    package var restriction: Restriction?

    package init() {}

    mutating func code(_ coder: inout SyntaxCoder, subLayerCount: Int) throws(BitstreamError) {
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
        try coder.flag(&isNeutralChroma, "neutral_chroma_indication_flag")
        try coder.flag(&isFieldSequence, "field_seq_flag")
        try coder.flag(&hasFieldInformation, "frame_field_info_present_flag")
        try coder.presence(of: &displayWindow, "default_display_window_flag", else: HEVCWindow())
        try displayWindow?.code(&coder, isDisplay: true)
        let unknown = HEVCTiming(unitsInTick: 0, timeScale: 0)
        try coder.presence(of: &timing, "vui_timing_info_present_flag", else: unknown)
        if timing != nil {
            try timing?.code(&coder, isVPS: false)
            try coder.presence(of: &hrd, "vui_hrd_parameters_present_flag", else: HEVCHRD())
            try hrd?.code(&coder, hasCommon: true, subLayerCount: subLayerCount)
        } else if hrd != nil {
            throw coder.error(.outOfRange(1), "vui_hrd_parameters_present_flag")
        }
        try coder.presence(of: &restriction, "bitstream_restriction_flag", else: Restriction())
        try restriction?.code(&coder)
    }
}

extension HEVCVUI.Restriction {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&hasFixedTiles, "tiles_fixed_structure_flag")
        try coder.flag(&motionVectorsOverBoundaries, "motion_vectors_over_pic_boundaries_flag")
        try coder.flag(&hasRestrictedLists, "restricted_ref_pic_lists_flag")
        try coder.ue(&minimumSpatialSegmentation, "min_spatial_segmentation_idc", in: 0...4095)
        try coder.ue(&maxBytesPerPictureDenominator, "max_bytes_per_pic_denom", in: 0...16)
        try coder.ue(&maxBitsPerUnitDenominator, "max_bits_per_min_cu_denom", in: 0...16)
        try coder.ue(&log2MaxHorizontalVector, "log2_max_mv_length_horizontal", in: 0...16)
        try coder.ue(&log2MaxVerticalVector, "log2_max_mv_length_vertical", in: 0...16)
    }
}
