/// A straight border of a layer in a target plane: where a·x + b·y + c is positive lies the layer, and the value is the
/// distance in samples.
struct BorderLine {
    private let a: Double
    private let b: Double
    private let c: Double

    /// The zeros of the form `a`·x + `b`·y + `c`.
    private init(_ a: Double, _ b: Double, _ c: Double) {
        let length = (a * a + b * b).squareRoot()
        // A border at infinity: all of the plane is on one side.
        guard length > 1e-100, length.isFinite else {
            (self.a, self.b, self.c) = (0, 0, c > 0 ? 1e9 : -1e9)
            return
        }
        (self.a, self.b, self.c) = (a / length, b / length, c / length)
    }

    /// Left and right, then top and bottom of `box`.
    /// - Parameter inverse: picture ← target. U / W ≥ left means U − left·W ≥ 0 where W > 0, and only there all four
    ///   borders can be on their positive side.
    static func pairs(of box: PlaneRect, inverse: Projection) -> [(BorderLine, BorderLine)] {
        let (u, v) = ((inverse.xx, inverse.xy, inverse.x1), (inverse.yx, inverse.yy, inverse.y1))
        let w = (inverse.wx, inverse.wy, inverse.w1)
        func line(_ form: (Double, Double, Double), _ border: Double, _ sign: Double) -> BorderLine {
            BorderLine(
                sign * (form.0 - border * w.0),
                sign * (form.1 - border * w.1),
                sign * (form.2 - border * w.2)
            )
        }
        return [
            (line(u, box.left, 1), line(u, box.right, -1)),
            (line(v, box.top, 1), line(v, box.bottom, -1)),
        ]
    }

    /// The columns of row `y` whose centres are at least `distance` inside; one more at either end may be named.
    func columns(row y: Int, distance: Double, width: Int) -> Range<Int> {
        let start = value(column: 0, row: y) - distance
        if abs(a) < 1e-9 { return start + a * Double(width) / 2 > 0 ? 0..<width : 0..<0 }
        let crossing = max(-1, min(Double(width) + 1, -start / a))
        if a > 0 { return max(0, min(width, Int(crossing.rounded(.down))))..<width }
        return 0..<max(0, min(width, Int(crossing.rounded(.up)) + 1))
    }

    /// The distance of a sample's centre.
    func value(column x: Int, row y: Int) -> Double { a * (Double(x) + 0.5) + (b * (Double(y) + 0.5) + c) }
}

/// How much of a sample lies between two opposite borders, 0 … 1: each border counts by its distance from the centre,
/// and what lies outside of either is taken away, so that a layer thinner than a sample keeps its weight.
func coverage(between pair: (BorderLine, BorderLine), column x: Int, row y: Int) -> Double {
    let first = min(1, pair.0.value(column: x, row: y) + 0.5)
    let second = min(1, pair.1.value(column: x, row: y) + 0.5)
    return max(0, min(1, first + second - 1))
}
