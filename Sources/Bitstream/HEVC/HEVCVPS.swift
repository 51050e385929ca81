/// video_parameter_set_rbsp(): what holds for all layers (ITU-T H.265, 7.3.2.1).
package struct HEVCVPS: ParameterSet {
    package struct HRD: Hashable, Sendable {
        /// hrd_layer_set_idx.
        package var layerSet = 0
        /// cprms_present_flag: otherwise the common part is that of the one before.
        package var hasCommon = true
        package var hrd = HEVCHRD()

        package init(layerSet: Int = 0, hasCommon: Bool = true, hrd: HEVCHRD = HEVCHRD()) {
            self.layerSet = layerSet
            self.hasCommon = hasCommon
            self.hrd = hrd
        }
    }

    package var temporalID = 0
    /// vps_video_parameter_set_id, 0 … 15.
    package var id = 0
    /// vps_base_layer_internal_flag.
    package var isBaseInternal = true
    /// vps_base_layer_available_flag.
    package var isBaseAvailable = true
    /// vps_max_layers_minus1 + 1.
    package var layerCount = 1
    /// Temporal sub-layers, 1 … 7.
    package var subLayerCount = 1
    /// vps_temporal_id_nesting_flag.
    package var isNested = true
    package var profileTierLevel = HEVCProfileTierLevel()
    /// vps_sub_layer_ordering_info_present_flag: one of ``buffering`` for each sub-layer rather than one for all.
    package var hasBufferingOfEach = true
    package var buffering = [HEVCBuffering()]
    /// vps_max_layer_id.
    package var maxLayer = 0
    /// layer_id_included_flag of the sets from the second on, each with ``maxLayer`` + 1 flags.
    package var layerSets: [[Bool]] = []
    package var timing: HEVCTiming?
    /// The decoder's buffers, one for each layer set that has one; coded only with ``timing``.
    package var hrds: [HRD] = []
    /// vps_extension_flag and what follows it, of multi-layer streams.
    package var extensionData: BitRun?

    package init() {}

    package mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.unitHeader(.vps, &temporalID)
        try coder.u(4, &id, "vps_video_parameter_set_id")
        try coder.flag(&isBaseInternal, "vps_base_layer_internal_flag")
        try coder.flag(&isBaseAvailable, "vps_base_layer_available_flag")
        try coder.u(6, &layerCount, plus: 1, "vps_max_layers_minus1", in: 0...62)
        try coder.u(3, &subLayerCount, plus: 1, "vps_max_sub_layers_minus1", in: 0...6)
        try coder.flag(&isNested, "vps_temporal_id_nesting_flag")
        try coder.fixed(16, 0xFFFF, "vps_reserved_0xffff_16bits")
        try profileTierLevel.code(&coder, subLayerCount: subLayerCount)
        try coder.flag(&hasBufferingOfEach, "vps_sub_layer_ordering_info_present_flag")
        let count = hasBufferingOfEach ? subLayerCount : 1
        try HEVCBuffering.code(&buffering, subLayerCount: count, &coder, isVPS: true)
        try codeLayerSets(&coder)
        let unknown = HEVCTiming(unitsInTick: 0, timeScale: 0)
        try coder.presence(of: &timing, "vps_timing_info_present_flag", else: unknown)
        if timing != nil { try codeTiming(&coder) }
        try coder.presence(of: &extensionData, "vps_extension_flag", else: BitRun())
        if var run = extensionData {
            try coder.rest(&run, "extension_data")
            extensionData = run
        }
        try coder.trailingBits()
    }

    private mutating func codeLayerSets(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.u(6, &maxLayer, "vps_max_layer_id", in: 0...62)
        var count = layerSets.count + 1
        try coder.ue(&count, plus: 1, "vps_num_layer_sets_minus1", in: 0...1023)
        let size = maxLayer + 1
        try coder.list(&layerSets, count: count - 1, of: [], "layer_id_included_flag") {
            coder,
            set throws(BitstreamError) in
            try coder.list(&set, count: size, of: false, "layer_id_included_flag") {
                coder,
                flag throws(BitstreamError) in
                try coder.flag(&flag, "layer_id_included_flag")
            }
        }
    }

    private mutating func codeTiming(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try timing?.code(&coder, isVPS: true)
        var count = hrds.count
        let sets = layerSets.count
        try coder.ue(&count, "vps_num_hrd_parameters", in: 0...(sets + 1))
        let layers = subLayerCount
        let first = isBaseInternal ? 0 : 1
        var common: HEVCHRD.Common?
        try coder.list(&hrds, count: count, of: HRD(), "hrd_layer_set_idx") { coder, entry throws(BitstreamError) in
            try coder.ue(&entry.layerSet, "hrd_layer_set_idx", in: min(first, sets)...sets)
            if common != nil { try coder.flag(&entry.hasCommon, "cprms_present_flag") }
            if let common, !entry.hasCommon { entry.hrd.common = common }
            try entry.hrd.code(&coder, hasCommon: common == nil || entry.hasCommon, subLayerCount: layers)
            common = entry.hrd.common
        }
    }
}
