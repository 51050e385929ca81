/// Makes what has the colour of a screen transparent, by the distance of chroma from the screen's.
public struct ChromaKey: Sendable, Hashable {
    /// The screen's Cb − 128 and Cr − 128.
    public let blue: Float
    public let red: Float
    /// Distances in code values: up to the first all is transparent, from the first + the second on all is opaque.
    public let tolerance: Float
    public let softness: Float
    /// 0 … 1: how much of the screen's light on what stays is taken away.
    public let spill: Float

    public init(blue: Float, red: Float, tolerance: Float, softness: Float, spill: Float) {
        (self.blue, self.red) = (blue, red)
        (self.tolerance, self.softness, self.spill) = (max(0, tolerance), max(0.5, softness), max(0, min(1, spill)))
    }

    /// Sets `matte` to the opacity of each chroma sample.
    /// - Precondition: all three have one size.
    public func matte(_ matte: MutablePlane, blue: Plane, red: Plane) {
        precondition(blue.width == matte.width && blue.height == matte.height)
        precondition(red.width == matte.width && red.height == matte.height)
        let (keyBlue, keyRed) = (self.blue + 128, self.red + 128)
        let (start, gain) = (tolerance, 255 / softness)
        for y in 0..<matte.height {
            let (blues, reds, output) = (blue.row(y), red.row(y), matte.row(y))
            for x in 0..<matte.width {
                let (b, r) = (Float(blues[x]) - keyBlue, Float(reds[x]) - keyRed)
                output[x] = byte(((b * b + r * r).squareRoot() - start) * gain)
            }
        }
    }

    /// Takes the screen's hue out of chroma: of the part along the screen's colour what is more than the part across it.
    public func suppressSpill(blue: MutablePlane, red: MutablePlane) {
        precondition(blue.width == red.width && blue.height == red.height)
        let length = (self.blue * self.blue + self.red * self.red).squareRoot()
        guard length > 0, spill > 0 else { return }
        let (alongBlue, alongRed) = (self.blue / length, self.red / length)
        let amount = spill
        for y in 0..<blue.height {
            let (blues, reds) = (blue.row(y), red.row(y))
            for x in 0..<blue.width {
                let (b, r) = (Float(blues[x]) - 128, Float(reds[x]) - 128)
                let along = b * alongBlue + r * alongRed
                let across = abs(r * alongBlue - b * alongRed)
                let excess: Float = along > across ? (along - across) * amount : 0
                blues[x] = byte(b - excess * alongBlue + 128)
                reds[x] = byte(r - excess * alongRed + 128)
            }
        }
    }
}
