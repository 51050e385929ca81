/// The formulas that mix a layer's colours with those below it: the sixteen modes of W3C's Compositing and Blending,
/// level 1, by its names.
package enum BlendMode: String, Sendable, Hashable, Codable, CaseIterable {
    case normal, multiply, screen, overlay, darken, lighten
    case colorDodge = "color-dodge"
    case colorBurn = "color-burn"
    case hardLight = "hard-light"
    case softLight = "soft-light"
    case difference, exclusion, hue, saturation, color, luminosity
}
