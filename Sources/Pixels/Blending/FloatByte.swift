/// The nearest code value, an even one from halfway between two; clipped. 1.5 × 2^23 moves the whole number into the
/// lowest bits.
@inline(__always)
func byte(_ value: Float) -> UInt8 {
    let above: Float = value > 0 ? value : 0
    let inside: Float = above < 255 ? above : 255
    return UInt8(truncatingIfNeeded: (inside + 12_582_912).bitPattern)
}
