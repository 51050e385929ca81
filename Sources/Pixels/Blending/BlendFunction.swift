/// How a layer's colour meets what lies below it: the functions of W3C's Compositing and Blending Level 1, §10, by the
/// names of CSS.
package enum BlendFunction: String, Sendable, Hashable, CaseIterable {
    case normal
    case multiply
    case screen
    case overlay
    case darken
    case lighten
    case colorDodge
    case colorBurn
    case hardLight
    case softLight
    case difference
    case exclusion
    case hue
    case saturation
    case color
    case luminosity

    /// Sets `source` to what it makes of `backdrop`: red, green and blue of 0 … 1, one row after the other.
    ///
    /// In Float by + − × ÷ √ only, whose results IEEE 754 fixes.
    /// - Parameter stride: values from one row to the next; `count` values of each are used.
    func apply(
        _ source: UnsafeMutablePointer<Float>,
        over backdrop: UnsafePointer<Float>,
        stride: Int,
        count: Int
    ) {
        for channel in 0..<3 {
            let (own, below) = (source + channel * stride, backdrop + channel * stride)
            switch self {
            case .multiply: each(own, below, count) { s, b in b * s }
            case .screen: each(own, below, count) { s, b in b + s - b * s }
            case .overlay: each(own, below, count) { s, b in multipliedOrScreened(s, by: b) }
            case .darken: each(own, below, count) { s, b in s < b ? s : b }
            case .lighten: each(own, below, count) { s, b in s > b ? s : b }
            case .colorDodge: each(own, below, count, dodge)
            case .colorBurn: each(own, below, count) { s, b in 1 - dodge(1 - s, 1 - b) }
            case .hardLight: each(own, below, count) { s, b in multipliedOrScreened(b, by: s) }
            case .softLight: each(own, below, count, softened)
            case .difference: each(own, below, count) { s, b in abs(b - s) }
            case .exclusion: each(own, below, count) { s, b in b + s - 2 * b * s }
            case .normal, .hue, .saturation, .color, .luminosity: break
            }
        }
        switch self {
        case .hue:
            colors(source, backdrop, stride, count) { s, b in
                s.with(saturation: b.saturation).with(luminosity: b.luminosity)
            }
        case .saturation:
            colors(source, backdrop, stride, count) { s, b in
                b.with(saturation: s.saturation).with(luminosity: b.luminosity)
            }
        case .color: colors(source, backdrop, stride, count) { s, b in s.with(luminosity: b.luminosity) }
        case .luminosity: colors(source, backdrop, stride, count) { s, b in b.with(luminosity: s.luminosity) }
        default: break
        }
    }
}

@inline(__always)
private func each(
    _ source: UnsafeMutablePointer<Float>,
    _ backdrop: UnsafePointer<Float>,
    _ count: Int,
    _ function: (Float, Float) -> Float
) {
    for index in 0..<count { source[index] = function(source[index], backdrop[index]) }
}

@inline(__always)
private func colors(
    _ source: UnsafeMutablePointer<Float>,
    _ backdrop: UnsafePointer<Float>,
    _ stride: Int,
    _ count: Int,
    _ function: (BlendColor, BlendColor) -> BlendColor
) {
    let (green, blue) = (stride, 2 &* stride)
    for index in 0..<count {
        let own = BlendColor(source[index], source[green &+ index], source[blue &+ index])
        let below = BlendColor(backdrop[index], backdrop[green &+ index], backdrop[blue &+ index])
        let result = function(own, below)
        source[index] = result.red
        source[green &+ index] = result.green
        source[blue &+ index] = result.blue
    }
}

@inline(__always)
private func dodge(_ source: Float, _ backdrop: Float) -> Float {
    let quotient = backdrop / (1 - source)
    let bright: Float = source < 1 && quotient < 1 ? quotient : 1
    return backdrop > 0 ? bright : 0
}

/// `upper` decides between multiply and screen.
@inline(__always)
private func multipliedOrScreened(_ lower: Float, by upper: Float) -> Float {
    let double = 2 * upper
    return upper <= 0.5 ? lower * double : lower + (double - 1) - lower * (double - 1)
}

@inline(__always)
private func softened(_ source: Float, _ backdrop: Float) -> Float {
    let root = backdrop.squareRoot()
    let lift = backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : root
    let double = 2 * source - 1
    return source <= 0.5 ? backdrop + double * backdrop * (1 - backdrop) : backdrop + double * (lift - backdrop)
}
