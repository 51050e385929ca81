/// What later editions add to an SPS (ITU-T H.265, 7.3.2.2.1).
package struct HEVCSPSExtensions: Hashable, Sendable {
    /// sps_range_extension().
    package struct Range: Hashable, Sendable {
        package var rotatesTransformSkip = false
        package var hasTransformSkipContext = false
        package var hasImplicitRDPCM = false
        package var hasExplicitRDPCM = false
        package var isExtendedPrecision = false
        package var isIntraSmoothingOff = false
        /// high_precision_offsets_enabled_flag: weights' offsets have the samples' precision.
        package var hasHighPrecisionOffsets = false
        package var hasPersistentRice = false
        package var hasBypassAlignment = false

        package init() {}
    }

    package var range: Range?
    /// sps_multilayer_extension(): inter_view_mv_vert_constraint_flag.
    package var multilayer: Bool?
    /// sps_3d_extension_flag.
    package var is3D = false
    /// sps_scc_extension_flag: screen content coding.
    package var isScreenContent = false
    /// sps_extension_4bits.
    package var others = 0
    /// The extensions from 3D on, as they are.
    package var data = BitRun()

    package init() {}

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.presence(of: &range, "sps_range_extension_flag", else: Range())
        try coder.presence(of: &multilayer, "sps_multilayer_extension_flag", else: false)
        try coder.flag(&is3D, "sps_3d_extension_flag")
        try coder.flag(&isScreenContent, "sps_scc_extension_flag")
        try coder.u(4, &others, "sps_extension_4bits")
        try range?.code(&coder)
        if var flag = multilayer {
            try coder.flag(&flag, "inter_view_mv_vert_constraint_flag")
            multilayer = flag
        }
        if is3D || isScreenContent || others != 0 { try coder.rest(&data, "extension_data") }
    }
}

extension HEVCSPSExtensions.Range {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.flag(&rotatesTransformSkip, "transform_skip_rotation_enabled_flag")
        try coder.flag(&hasTransformSkipContext, "transform_skip_context_enabled_flag")
        try coder.flag(&hasImplicitRDPCM, "implicit_rdpcm_enabled_flag")
        try coder.flag(&hasExplicitRDPCM, "explicit_rdpcm_enabled_flag")
        try coder.flag(&isExtendedPrecision, "extended_precision_processing_flag")
        try coder.flag(&isIntraSmoothingOff, "intra_smoothing_disabled_flag")
        try coder.flag(&hasHighPrecisionOffsets, "high_precision_offsets_enabled_flag")
        try coder.flag(&hasPersistentRice, "persistent_rice_adaptation_enabled_flag")
        try coder.flag(&hasBypassAlignment, "cabac_bypass_alignment_enabled_flag")
    }
}
