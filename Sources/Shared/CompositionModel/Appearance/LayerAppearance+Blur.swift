import Timing

extension LayerAppearance {
    /// Pixels that are kept for blurs on each side of a title's picture, at most.
    package static let mostBlurReach = 2000.0

    /// Pixels that a title's own blurs need on each side of its picture, at most at any time; 0 without one.
    package var blurReach: Double {
        let blurs = (effects ?? []).filter { $0.effect == .blur }
        let reach = blurs.reduce(0) { $0 + 3 * $1[.radius].largest }
        return min(reach, LayerAppearance.mostBlurReach)
    }
}
