/// The 88 bits of a profile in profile_tier_level() (ITU-T H.265, 7.3.3).
package struct HEVCProfile: Hashable, Sendable {
    /// profile_space, 0.
    package var space = 0
    /// tier_flag: the High tier.
    package var isHighTier = false
    /// profile_idc: 1 Main, 2 Main 10, 3 Main Still Picture, 4 range extensions.
    package var idc = 1
    /// profile_compatibility_flag[0] … [31], the first in the highest bit.
    package var compatibility = 0
    package var isProgressive = false
    package var isInterlaced = false
    /// non_packed_constraint_flag.
    package var isNonPacked = false
    /// frame_only_constraint_flag.
    package var isFrameOnly = false
    /// 44 bits whose meaning depends on the profile, reserved ones among them; the first in the highest bit.
    package var constraints = 0

    package init() {}

    /// The 48 bits from progressive_source_flag on, as a configuration record has them.
    package var constraintIndicators: Int {
        let flags = [isProgressive, isInterlaced, isNonPacked, isFrameOnly].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        return flags << 44 | constraints
    }

    /// - Parameter isSubLayer: only the names differ.
    mutating func code(_ coder: inout SyntaxCoder, isSubLayer: Bool) throws(BitstreamError) {
        try coder.u(2, &space, isSubLayer ? "sub_layer_profile_space" : "general_profile_space")
        try coder.flag(&isHighTier, isSubLayer ? "sub_layer_tier_flag" : "general_tier_flag")
        try coder.u(5, &idc, isSubLayer ? "sub_layer_profile_idc" : "general_profile_idc")
        let name: StaticString =
            isSubLayer ? "sub_layer_profile_compatibility_flag" : "general_profile_compatibility_flag"
        var flags = 0
        for index in 0..<32 {
            var bit = compatibility >> (31 - index) & 1
            try coder.u(1, &bit, name)
            flags |= bit << (31 - index)
        }
        compatibility = flags
        try codeConstraints(&coder, isSubLayer)
    }

    private mutating func codeConstraints(
        _ coder: inout SyntaxCoder,
        _ isSubLayer: Bool
    ) throws(BitstreamError) {
        let layer: [StaticString] = [
            "sub_layer_progressive_source_flag", "sub_layer_interlaced_source_flag",
            "sub_layer_non_packed_constraint_flag", "sub_layer_frame_only_constraint_flag", "sub_layer_constraints",
        ]
        let general: [StaticString] = [
            "general_progressive_source_flag", "general_interlaced_source_flag", "general_non_packed_constraint_flag",
            "general_frame_only_constraint_flag", "general_constraints",
        ]
        let names = isSubLayer ? layer : general
        try coder.flag(&isProgressive, names[0])
        try coder.flag(&isInterlaced, names[1])
        try coder.flag(&isNonPacked, names[2])
        try coder.flag(&isFrameOnly, names[3])
        var (high, low) = (constraints >> 22, constraints & 0x3F_FFFF)
        try coder.u(22, &high, names[4])
        try coder.u(22, &low, names[4])
        constraints = high << 22 | low
    }
}
