/// A colour of red, green and blue, and W3C's functions on it (Compositing and Blending Level 1, §10.2).
struct BlendColor {
    let red: Float
    let green: Float
    let blue: Float

    @inline(__always)
    init(_ red: Float, _ green: Float, _ blue: Float) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Lum(C).
    @inline(__always) var luminosity: Float { 0.3 * red + 0.59 * green + 0.11 * blue }

    /// Sat(C).
    @inline(__always) var saturation: Float { most - least }

    @inline(__always) private var most: Float { max(red, max(green, blue)) }
    @inline(__always) private var least: Float { min(red, min(green, blue)) }

    /// SetSat(C, s): every channel moves with the distance from the least.
    @inline(__always)
    func with(saturation: Float) -> BlendColor {
        let (low, range) = (least, most - least)
        guard range > 0 else { return BlendColor(0, 0, 0) }
        let factor = saturation / range
        return BlendColor((red - low) * factor, (green - low) * factor, (blue - low) * factor)
    }

    /// SetLum(C, l) with ClipColor(C).
    @inline(__always)
    func with(luminosity: Float) -> BlendColor {
        let shift = luminosity - self.luminosity
        let moved = BlendColor(red + shift, green + shift, blue + shift)
        let (low, high, middle) = (moved.least, moved.most, moved.luminosity)
        if low < 0 { return moved.toward(middle, factor: middle / (middle - low)).clippedAbove(middle) }
        return high > 1 ? moved.toward(middle, factor: (1 - middle) / (high - middle)) : moved
    }

    /// The second step of ClipColor after the first.
    @inline(__always)
    private func clippedAbove(_ middle: Float) -> BlendColor {
        let high = most
        return high > 1 ? toward(middle, factor: (1 - middle) / (high - middle)) : self
    }

    @inline(__always)
    private func toward(_ middle: Float, factor: Float) -> BlendColor {
        BlendColor(
            middle + (red - middle) * factor,
            middle + (green - middle) * factor,
            middle + (blue - middle) * factor
        )
    }
}
