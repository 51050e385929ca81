/// Between Y′CbCr of 8 bits and R′G′B′ of 0 … 1.
///
/// Y′ = Kr·R + Kg·G + Kb·B; Cb = (B − Y′) / 2(1 − Kb); Cr = (R − Y′) / 2(1 − Kr) (ITU-R BT.709-6 §3), then 16 + 219·Y′
/// and 128 + 224·C in limited range, 255·Y′ and 128 + 255·C in full range.
package struct ColorMatrix: Sendable, Hashable {
    let red: Float
    let green: Float
    let blue: Float
    let black: Float
    /// Code values from black to white, and of chroma from −½ to ½.
    let lumaRange: Float
    let chromaRange: Float

    /// - Parameters:
    ///   - red: Kr in 10000ths.
    ///   - blue: Kb in 10000ths.
    package init(red: Int, blue: Int, isFullRange: Bool) {
        self.red = Float(red) / 10000
        self.blue = Float(blue) / 10000
        green = Float(10000 - red - blue) / 10000
        black = isFullRange ? 0 : 16
        lumaRange = isFullRange ? 255 : 219
        chromaRange = isFullRange ? 255 : 224
    }

    /// BT.709 in limited range.
    package static let bt709 = ColorMatrix(red: 2126, blue: 722, isFullRange: false)

    /// R′G′B′ of `count` pixels, clipped to 0 … 1: rows of red, green and blue, `stride` values apart.
    /// - Parameters:
    ///   - luma: code values.
    ///   - blue: code values, one for each pixel.
    ///   - red: likewise.
    func colors(
        _ luma: UnsafePointer<Float>,
        _ blue: UnsafePointer<Float>,
        _ red: UnsafePointer<Float>,
        into colors: UnsafeMutablePointer<Float>,
        stride: Int,
        count: Int
    ) {
        let (range, offset) = (lumaRange, black)
        let (redWay, blueWay) = (2 * (1 - self.red) / chromaRange, 2 * (1 - self.blue) / chromaRange)
        let greenFromBlue = -blueWay * self.blue / green
        let greenFromRed = -redWay * self.red / green
        let (greens, blues) = (colors + stride, colors + 2 * stride)
        for index in 0..<count {
            let bright = (luma[index] - offset) / range
            let (cb, cr) = (blue[index] - 128, red[index] - 128)
            colors[index] = clip(bright + redWay * cr)
            greens[index] = clip(bright + (greenFromBlue * cb + greenFromRed * cr))
            blues[index] = clip(bright + blueWay * cb)
        }
    }

    /// The place of a colour in the plane of R′G′B′ across grey, in 255ths: (2G − R − B) / √6 and (R − B) / √2.
    /// - Parameters:
    ///   - blue: Cb − 128.
    ///   - red: Cr − 128.
    func hue(blue: Float, red: Float) -> (x: Float, y: Float) {
        let (redWay, blueWay) = (2 * (1 - self.red) / chromaRange * 255, 2 * (1 - self.blue) / chromaRange * 255)
        let (r, b) = (redWay * red, blueWay * blue)
        let g = -(self.red * r + self.blue * b) / green
        return ((2 * g - r - b) / Float(6).squareRoot(), (r - b) / Float(2).squareRoot())
    }

    /// The differences of two rows of colours as differences of code values.
    /// - Parameters:
    ///   - colors: three rows, `stride` values apart; replaced by those of luma, Cb and Cr.
    ///   - base: what is taken away.
    func differences(
        _ colors: UnsafeMutablePointer<Float>,
        from base: UnsafePointer<Float>,
        stride: Int,
        count: Int
    ) {
        let (redShare, greenShare, blueShare) = (red, green, blue)
        let blueGain = chromaRange / (2 * (1 - blue))
        let redGain = chromaRange / (2 * (1 - red))
        let range = lumaRange
        let (greens, blues) = (stride, 2 &* stride)
        for index in 0..<count {
            let r = colors[index] - base[index]
            let g = colors[greens &+ index] - base[greens &+ index]
            let b = colors[blues &+ index] - base[blues &+ index]
            let bright = redShare * r + greenShare * g + blueShare * b
            colors[index] = range * bright
            colors[greens &+ index] = blueGain * (b - bright)
            colors[blues &+ index] = redGain * (r - bright)
        }
    }
}

@inline(__always)
private func clip(_ value: Float) -> Float {
    let above: Float = value > 0 ? value : 0
    return above < 1 ? above : 1
}
