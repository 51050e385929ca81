/// profile_tier_level(): what a decoder must be able to do (ITU-T H.265, 7.3.3).
package struct HEVCProfileTierLevel: Hashable, Sendable {
    package struct SubLayer: Hashable, Sendable {
        package var profile: HEVCProfile?
        /// level_idc.
        package var level: Int?

        package init(profile: HEVCProfile? = nil, level: Int? = nil) {
            self.profile = profile
            self.level = level
        }
    }

    package var profile = HEVCProfile()
    /// general_level_idc: 30 times the level's number.
    package var level = 0
    /// The profile and level of each temporal sub-layer but the highest, the lowest first.
    package var subLayers: [SubLayer] = []

    package init() {}

    /// - Parameter subLayerCount: temporal sub-layers, 1 … 7.
    mutating func code(_ coder: inout SyntaxCoder, subLayerCount: Int) throws(BitstreamError) {
        try profile.code(&coder, isSubLayer: false)
        try coder.u(8, &level, "general_level_idc")
        try coder.list(&subLayers, count: subLayerCount - 1, of: SubLayer(), "sub_layer_profile_present_flag") {
            coder,
            layer throws(BitstreamError) in
            try coder.presence(of: &layer.profile, "sub_layer_profile_present_flag", else: HEVCProfile())
            try coder.presence(of: &layer.level, "sub_layer_level_present_flag", else: 0)
        }
        guard subLayerCount > 1 else { return }
        for _ in (subLayerCount - 1)..<8 { try coder.fixed(2, 0, "reserved_zero_2bits") }
        for index in subLayers.indices {
            try subLayers[index].profile?.code(&coder, isSubLayer: true)
            guard var level = subLayers[index].level else { continue }
            try coder.u(8, &level, "sub_layer_level_idc")
            subLayers[index].level = level
        }
    }
}
