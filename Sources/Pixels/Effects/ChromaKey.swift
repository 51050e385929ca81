/// Makes what has the colour of a screen transparent, by the distance of chroma from the screen's.
package struct ChromaKey: Sendable, Hashable {
    /// The screen's Cb − 128.
    package let blue: Float
    /// The screen's Cr − 128.
    package let red: Float
    /// The distance in code values up to which all is transparent.
    package let tolerance: Float
    /// The distance in code values that lies between that and where all is opaque.
    package let softness: Float
    /// 0 … 1: how much of the screen's light on what stays is taken away.
    package let spill: Float

    package init(blue: Float, red: Float, tolerance: Float, softness: Float, spill: Float) {
        (self.blue, self.red) = (blue, red)
        (self.tolerance, self.softness, self.spill) = (max(0, tolerance), max(0.5, softness), max(0, min(1, spill)))
    }

    /// Sets `matte` to the opacity of each chroma sample.
    /// - Precondition: all three have one size.
    package func matte(_ matte: MutablePlane, blue: Plane, red: Plane) {
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

    /// Takes the screen's light out of chroma, so that at a spill of 1 nothing has more of the screen's hue than its
    /// other colours allow: before a green screen green is at most the mean of red and blue, and where these are far
    /// apart (yellow, orange, cyan) at most the larger of them, less ``margin``. Luma is kept.
    ///
    /// It is computed in the plane of R′G′B′ across grey, with the axes (2G − R − B) / √6 and (R − B) / √2, in which
    /// hues are angles: along the screen's hue at most tan 30° of what is across it and beyond the margin.
    package func suppressSpill(blue: MutablePlane, red: MutablePlane, matrix: ColorMatrix = .bt709) {
        precondition(blue.width == red.width && blue.height == red.height)
        let screen = matrix.hue(blue: self.blue, red: self.red)
        let length = (screen.x * screen.x + screen.y * screen.y).squareRoot()
        guard length > 0, spill > 0 else { return }
        let (x, y) = (screen.x / length, screen.y / length)
        // Both are linear in Cb and Cr.
        let (ofBlue, ofRed) = (matrix.hue(blue: 1, red: 0), matrix.hue(blue: 0, red: 1))
        let (alongBlue, alongRed) = (ofBlue.x * x + ofBlue.y * y, ofRed.x * x + ofRed.y * y)
        let (acrossBlue, acrossRed) = (ofBlue.y * x - ofBlue.x * y, ofRed.y * x - ofRed.x * y)
        let (lessBlue, lessRed) = (self.blue / length * spill, self.red / length * spill)
        let (slope, margin) = (ChromaKey.slope, ChromaKey.slope * ChromaKey.margin * Float(2).squareRoot())
        for line in 0..<blue.height {
            let (blues, reds) = (blue.row(line), red.row(line))
            for column in 0..<blue.width {
                let (b, r) = (Float(blues[column]) - 128, Float(reds[column]) - 128)
                let along = b * alongBlue + r * alongRed
                // As it is where nothing is allowed; in this form it has no branch.
                let beyond = along - (abs(b * acrossBlue + r * acrossRed) * slope - margin)
                let least: Float = beyond < along ? beyond : along
                let excess: Float = least > 0 ? least : 0
                blues[column] = byte(b - excess * lessBlue + 128)
                reds[column] = byte(r - excess * lessRed + 128)
            }
        }
    }

    /// The distance of red and blue from their mean, in 255ths: so far apart they are in skin and hair mixed with a
    /// screen.
    private static let margin: Float = 48
    /// tan 30°: from there on one of the other two colours is the larger.
    private static let slope: Float = 0.57735027
}
