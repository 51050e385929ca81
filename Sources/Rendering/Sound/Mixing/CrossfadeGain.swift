import CompositionModel
import Timing

/// The gain of a ``Crossfade`` at each of its samples.
extension Crossfade {
    /// Gain of the side that comes in, at sample `index` of `0 ..< count`, by the table at ``Crossfade``.
    func gainIn(at index: Int64) -> Double {
        let progress = Double(index) / Double(count)
        return switch shape {
        case .equalPower: ExactMath.sinPi(progress / 2)
        case .linear: progress
        case .sum: 1
        case .cut: isPastMiddle(index) ? 1 : 0
        }
    }

    /// Gain of the side that goes out, at sample `index` of `0 ..< count`.
    func gainOut(at index: Int64) -> Double {
        let progress = Double(index) / Double(count)
        return switch shape {
        case .equalPower: ExactMath.cosPi(progress / 2)
        case .linear: 1 - progress
        case .sum: 1
        case .cut: isPastMiddle(index) ? 0 : 1
        }
    }

    /// Whether p ≥ 1/2, without dividing.
    private func isPastMiddle(_ index: Int64) -> Bool { index >= count - index }
}
