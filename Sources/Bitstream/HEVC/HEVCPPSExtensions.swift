/// What later editions add to a PPS (ITU-T H.265, 7.3.2.3.1).
package struct HEVCPPSExtensions: Hashable, Sendable {
    /// pps_range_extension().
    package struct Range: Hashable, Sendable {
        /// Log2MaxTransformSkipSize; coded only where the PPS allows transform skip.
        package var log2MaxTransformSkip = 2
        package var hasCrossComponentPrediction = false
        /// Nil without chroma_qp_offset_list_enabled_flag.
        package var chromaOffsets: ChromaOffsets?
        package var log2LumaOffsetScale = 0
        package var log2ChromaOffsetScale = 0

        package init(
            log2MaxTransformSkip: Int = 2,
            hasCrossComponentPrediction: Bool = false,
            chromaOffsets: ChromaOffsets? = nil,
            log2LumaOffsetScale: Int = 0,
            log2ChromaOffsetScale: Int = 0
        ) {
            self.log2MaxTransformSkip = log2MaxTransformSkip
            self.hasCrossComponentPrediction = hasCrossComponentPrediction
            self.chromaOffsets = chromaOffsets
            self.log2LumaOffsetScale = log2LumaOffsetScale
            self.log2ChromaOffsetScale = log2ChromaOffsetScale
        }
    }

    package struct ChromaOffsets: Hashable, Sendable {
        package var depth = 0
        /// The offsets of Cb and Cr that a block may choose from: 1 … 6 entries.
        package var list: [Offset] = []

        package init(depth: Int = 0, list: [Offset] = []) {
            self.depth = depth
            self.list = list
        }
    }

    package struct Offset: Hashable, Sendable {
        package var cb = 0
        package var cr = 0

        package init(cb: Int = 0, cr: Int = 0) {
            self.cb = cb
            self.cr = cr
        }
    }

    package var range: Range?
    package var isMultilayer = false
    package var is3D = false
    /// pps_scc_extension_flag: screen content coding.
    package var isScreenContent = false
    /// pps_extension_4bits.
    package var others = 0
    /// The extensions from the multi-layer one on, as they are.
    package var data = BitRun()

    package init() {}

    mutating func code(_ coder: inout SyntaxCoder, hasTransformSkip: Bool) throws(BitstreamError) {
        try coder.presence(of: &range, "pps_range_extension_flag", else: Range())
        try coder.flag(&isMultilayer, "pps_multilayer_extension_flag")
        try coder.flag(&is3D, "pps_3d_extension_flag")
        try coder.flag(&isScreenContent, "pps_scc_extension_flag")
        try coder.u(4, &others, "pps_extension_4bits")
        try range?.code(&coder, hasTransformSkip: hasTransformSkip)
        if isMultilayer || is3D || isScreenContent || others != 0 { try coder.rest(&data, "extension_data") }
    }
}

extension HEVCPPSExtensions.Range {
    fileprivate mutating func code(_ coder: inout SyntaxCoder, hasTransformSkip: Bool) throws(BitstreamError) {
        if hasTransformSkip {
            let name = "log2_max_transform_skip_block_size_minus2" as StaticString
            try coder.ue(&log2MaxTransformSkip, plus: 2, name, in: 0...3)
        }
        try coder.flag(&hasCrossComponentPrediction, "cross_component_prediction_enabled_flag")
        let none = HEVCPPSExtensions.ChromaOffsets()
        try coder.presence(of: &chromaOffsets, "chroma_qp_offset_list_enabled_flag", else: none)
        try chromaOffsets?.code(&coder)
        try coder.ue(&log2LumaOffsetScale, "log2_sao_offset_scale_luma", in: 0...6)
        try coder.ue(&log2ChromaOffsetScale, "log2_sao_offset_scale_chroma", in: 0...6)
    }
}

extension HEVCPPSExtensions.ChromaOffsets {
    fileprivate mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&depth, "diff_cu_chroma_qp_offset_depth", in: 0...3)
        var count = list.count
        try coder.ue(&count, plus: 1, "chroma_qp_offset_list_len_minus1", in: 0...5)
        try coder.list(&list, count: count, of: HEVCPPSExtensions.Offset(), "cb_qp_offset_list") {
            coder,
            offset throws(BitstreamError) in
            try coder.se(&offset.cb, "cb_qp_offset_list", in: -12...12)
            try coder.se(&offset.cr, "cr_qp_offset_list", in: -12...12)
        }
    }
}
