import CompositionModel

/// A colour's code values in 8-bit Y′CbCr.
///
/// Y′ = Kr·R + Kg·G + Kb·B; Cb = (B − Y′) / 2(1 − Kb); Cr = (R − Y′) / 2(1 − Kr) (ITU-R BT.709-6 §3, BT.601-7,
/// BT.2020-2), then 16 + 219·Y′ and 128 + 224·C in limited range, 255·Y′ and 128 + 255·C in full range. All of it in
/// whole numbers, with one rounding at the end.
struct BackgroundColor: Hashable {
    let luma: UInt8
    let blueDifference: UInt8
    let redDifference: UInt8

    /// - Parameter text: `#rrggbb`.
    /// - Throws: ``RenderError`` `invalid_color`, also for a matrix that has no constants here.
    init(_ text: String, in color: ColorDescription) throws(RenderError) {
        guard let (red, green, blue) = channels(of: text) else {
            throw RenderError("invalid_color", "“\(text)” is no colour; write it as #rrggbb.", isPermanent: true)
        }
        guard let (redPart, bluePart) = BackgroundColor.constants[color.matrix] else {
            throw RenderError("invalid_color", "A background in “\(color.matrix)” is not supported.", isPermanent: true)
        }
        // In 255 × 10000ths of full brightness.
        let bright = redPart * red + (10000 - redPart - bluePart) * green + bluePart * blue
        let (range, base) = color.isFullRange ? ((255, 255), 0) : ((219, 224), 16)
        let whole = 255 * 10000
        luma = UInt8(base + rounded(range.0 * bright, over: whole))
        let blueWay = range.1 * (10000 * blue - bright)
        let redWay = range.1 * (10000 * red - bright)
        blueDifference = clamped(128 + rounded(blueWay * 5000, over: whole * (10000 - bluePart)))
        redDifference = clamped(128 + rounded(redWay * 5000, over: whole * (10000 - redPart)))
    }

    /// Without colour, of this code value.
    init(gray luma: UInt8) { (self.luma, blueDifference, redDifference) = (luma, 128, 128) }

    /// The code value of plane 0, 1 or 2.
    func value(ofPlane plane: Int) -> UInt8 { [luma, blueDifference, redDifference][plane] }

    /// Kr and Kb in 10000ths, by libavutil's name of the matrix (ISO/IEC 23091-2 table 4).
    static let constants: [String: (red: Int, blue: Int)] = [
        "bt709": (2126, 722), "smpte170m": (2990, 1140), "bt470bg": (2990, 1140), "bt2020nc": (2627, 593),
        "fcc": (3000, 1100), "smpte240m": (2120, 870),
    ]
}

private func channels(of text: String) -> (Int, Int, Int)? {
    guard text.hasPrefix("#"), text.utf8.count == 7, let value = Int(text.dropFirst(), radix: 16), value >= 0 else {
        return nil
    }
    return (value >> 16, value >> 8 & 255, value & 255)
}

/// The nearest whole number; exactly half goes away from zero.
private func rounded(_ top: Int, over bottom: Int) -> Int {
    let nearest = (2 * abs(top) + bottom) / (2 * bottom)
    return top < 0 ? -nearest : nearest
}

/// Full range chroma reaches 255.5 and 0.5 at pure colours.
private func clamped(_ value: Int) -> UInt8 { UInt8(max(0, min(255, value))) }
