/// Brings drawn pixels (red, green, blue, alpha; colours multiplied by alpha) to Y′CbCr without subsampling, with alpha
/// beside it and colours that are not multiplied.
///
/// Y′ = Kr·R + Kg·G + Kb·B; Cb = (B − Y′) / 2(1 − Kb); Cr = (R − Y′) / 2(1 − Kr) (ITU-R BT.709-6 §3), in whole numbers
/// with one rounding at the end.
package struct DrawnPixels: Sendable, Hashable {
    /// Kr in 10000ths.
    package var red: Int
    /// Kb in 10000ths.
    package var blue: Int
    /// Whether code values take 0 … 255.
    package var isFullRange: Bool

    package init(red: Int, blue: Int, isFullRange: Bool) {
        (self.red, self.blue, self.isFullRange) = (red, blue, isFullRange)
    }

    /// - Parameter pixels: rows without gaps, as wide and high as each plane.
    /// - Precondition: all four planes have one size, and `pixels` has four bytes for each of their samples.
    package func convert(
        _ pixels: [UInt8],
        luma: MutablePlane,
        blueDifference: MutablePlane,
        redDifference: MutablePlane,
        alpha: MutablePlane
    ) {
        precondition([blueDifference, redDifference, alpha].allSatisfy { $0.width == luma.width })
        precondition([blueDifference, redDifference, alpha].allSatisfy { $0.height == luma.height })
        precondition(pixels.count == 4 * luma.width * luma.height)
        // Neighbours are mostly of one colour. The first is transparent: all of it 0.
        var (last, code) = (UInt32(0), self.code(0, 0, 0))
        pixels.withUnsafeBufferPointer { pixels in
            for y in 0..<luma.height {
                let from = UnsafeBufferPointer(rebasing: pixels[4 * y * luma.width..<4 * (y + 1) * luma.width])
                let (lumas, blues, reds) = (luma.row(y), blueDifference.row(y), redDifference.row(y))
                let alphas = alpha.row(y)
                for x in 0..<luma.width {
                    let part = from[4 * x + 3]
                    let (r, g, b) = (from[4 * x], from[4 * x + 1], from[4 * x + 2])
                    let color = UInt32(part) << 24 | UInt32(r) << 16 | UInt32(g) << 8 | UInt32(b)
                    if color != last {
                        last = color
                        code = self.code(Self.full(r, part), Self.full(g, part), Self.full(b, part))
                    }
                    (lumas[x], blues[x], reds[x]) = code
                    alphas[x] = part
                }
            }
        }
    }

    /// A colour that was multiplied by `alpha`, as it was before.
    private static func full(_ value: UInt8, _ alpha: UInt8) -> Int {
        guard alpha > 0 else { return 0 }
        return min(255, (Int(value) * 255 + Int(alpha) / 2) / Int(alpha))
    }

    private func code(_ r: Int, _ g: Int, _ b: Int) -> (UInt8, UInt8, UInt8) {
        // In 255 × 10000ths of full brightness.
        let bright = red * r + (10000 - red - blue) * g + blue * b
        let (range, base) = isFullRange ? ((255, 255), 0) : ((219, 224), 16)
        let whole = 255 * 10000
        let luma = base + Self.rounded(range.0 * bright, over: whole)
        let blueWay = Self.rounded(range.1 * (10000 * b - bright) * 5000, over: whole * (10000 - blue))
        let redWay = Self.rounded(range.1 * (10000 * r - bright) * 5000, over: whole * (10000 - red))
        return (Self.clamped(luma), Self.clamped(128 + blueWay), Self.clamped(128 + redWay))
    }

    /// The nearest whole number; exactly half goes away from zero.
    private static func rounded(_ top: Int, over bottom: Int) -> Int {
        let nearest = (2 * abs(top) + bottom) / (2 * bottom)
        return top < 0 ? -nearest : nearest
    }

    private static func clamped(_ value: Int) -> UInt8 { UInt8(max(0, min(255, value))) }
}
