import CompositionModel
import Pixels
import Timing

/// Moves sound between the two sides.
///
/// - `pan` follows W3C's StereoPannerNode: what leaves one side is added to the other, by sine and cosine. A source of
///   one channel is √2 louder on the side to which it is moved, and at 1 on both in the middle.
/// - `balance` lowers the other side in a straight line.
struct Panning {
    private let pan: SampleCurve?
    private let balance: SampleCurve?
    private let isMono: Bool

    /// - Parameter isMono: both sides are the same.
    init(pan: [SoundKey]?, balance: [SoundKey]?, isMono: Bool) {
        self.pan = Self.curve(pan)
        self.balance = Self.curve(balance)
        self.isMono = isMono
    }

    var isIdentity: Bool { pan == nil && balance == nil }

    /// - Parameter range: the numbers of the samples in `left` and `right`, as the keys count.
    func apply(_ left: SampleKernels.Samples, _ right: SampleKernels.Samples, over range: Range<Int64>) {
        if let pan {
            var last: (position: Double, gains: Gains)?
            pan.forEach(range) { places, positions in
                for (place, position) in zip(places, positions) {
                    let gains = last?.position == position ? last!.gains : gains(position)
                    last = (position, gains)
                    let (l, r) = (left[place], right[place])
                    left[place] = l * gains.leftOfLeft + r * gains.leftOfRight
                    right[place] = l * gains.rightOfLeft + r * gains.rightOfRight
                }
            }
        }
        balance?.forEach(range) { places, positions in
            for (place, position) in zip(places, positions) {
                if position > 0 { left[place] *= 1 - position }
                if position < 0 { right[place] *= 1 + position }
            }
        }
    }

    /// The parts of each side that go to the left and to the right.
    private struct Gains {
        var leftOfLeft = 1.0
        var leftOfRight = 0.0
        var rightOfLeft = 0.0
        var rightOfRight = 1.0
    }

    private func gains(_ position: Double) -> Gains {
        if isMono {
            let angle = (position + 1) / 4
            let root = 2.0.squareRoot()
            return Gains(leftOfLeft: root * ExactMath.cosPi(angle), rightOfRight: root * ExactMath.sinPi(angle))
        }
        return position <= 0
            ? Gains(leftOfRight: ExactMath.cosPi((position + 1) / 2), rightOfRight: ExactMath.sinPi((position + 1) / 2))
            : Gains(leftOfLeft: ExactMath.cosPi(position / 2), rightOfLeft: ExactMath.sinPi(position / 2))
    }

    /// Nil when it is 0 everywhere.
    private static func curve(_ keys: [SoundKey]?) -> SampleCurve? {
        guard let keys, keys.contains(where: { $0.millionths != 0 }) else { return nil }
        let points = keys.map {
            SampleCurve.Key(at: $0.at, value: Double($0.millionths) / 1_000_000, ease: $0.ease ?? .linear)
        }
        return SampleCurve(points, standard: 0)
    }
}
