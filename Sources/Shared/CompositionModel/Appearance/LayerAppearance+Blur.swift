import Timing

extension LayerAppearance {
    /// The largest margin that is kept for blurs on each side of a title's picture, in pixels.
    package static let mostBlurReach = 2000.0

    /// The margin that a title's own blurs need on each side of its picture, in pixels: the most at any time, at most
    /// ``mostBlurReach``; 0 without a blur.
    package var blurReach: Double {
        let blurs = (effects ?? []).filter { $0.effect == .blur }
        let reach = blurs.reduce(0) { $0 + 3 * $1[.radius].largest }
        return min(reach, LayerAppearance.mostBlurReach)
    }
}
