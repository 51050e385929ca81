/// slice_type modulo 5 (ITU-T H.264, table 7-6).
package enum H264SliceType: Int, Hashable, Sendable, CaseIterable {
    case p, b, i, sp, si

    /// Whether the slice refers to no other pictures.
    package var isIntra: Bool { self == .i || self == .si }
    package var isSwitching: Bool { self == .sp || self == .si }
}
