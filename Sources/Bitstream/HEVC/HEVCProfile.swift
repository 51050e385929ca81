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

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.u(2, &space, "general_profile_space")
        try coder.flag(&isHighTier, "general_tier_flag")
        try coder.u(5, &idc, "general_profile_idc")
        var flags = 0
        for index in 0..<32 {
            var bit = compatibility >> (31 - index) & 1
            try coder.u(1, &bit, "general_profile_compatibility_flag")
            flags |= bit << (31 - index)
        }
        compatibility = flags
        try coder.flag(&isProgressive, "general_progressive_source_flag")
        try coder.flag(&isInterlaced, "general_interlaced_source_flag")
        try coder.flag(&isNonPacked, "general_non_packed_constraint_flag")
        try coder.flag(&isFrameOnly, "general_frame_only_constraint_flag")
        var (high, low) = (constraints >> 22, constraints & 0x3F_FFFF)
        try coder.u(22, &high, "general_constraints")
        try coder.u(22, &low, "general_constraints")
        constraints = high << 22 | low
    }
}
