/// CSS's `cubic-bezier(a, b, c, d)`: a curve from (0, 0) to (1, 1) with the control points (a, b) and (c, d), in
/// millionths.
package struct CubicBezier: Sendable, Hashable {
    /// The range of `a` and `c`, in millionths: within it the curve has exactly one value at each progress.
    package static let progressRange: ClosedRange<Int64> = 0...1_000_000
    /// The range of `b` and `d`, in millionths.
    package static let valueRange: ClosedRange<Int64> = -10_000_000...10_000_000

    package let a: Int64
    package let b: Int64
    package let c: Int64
    package let d: Int64

    /// The curve with the control points (a, b) and (c, d), in millionths.
    /// - Returns: nil when a number is out of its range.
    package init?(_ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64) {
        let ranges = [CubicBezier.progressRange, CubicBezier.valueRange]
        guard ranges[0].contains(a), ranges[1].contains(b), ranges[0].contains(c), ranges[1].contains(d) else {
            return nil
        }
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// Reads `cubicBezier(a,b,c,d)`; nil when the text has another form or a number is out of its range.
    init?(_ text: String) {
        guard text.hasPrefix("cubicBezier("), text.hasSuffix(")") else { return nil }
        let numbers = text.dropFirst(12).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            .map { try? FixedDecimal(String($0.filter { $0 != " " }))?.millionths }
            .compactMap(\.self)
        guard numbers.count == 4, text.count(where: { $0 == "," }) == 3 else { return nil }
        self.init(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// The height of the curve at the abscissa `progress`.
    func value(at progress: Double) -> Double {
        let (left, right) = (CubicBezier.unit(a), CubicBezier.unit(c))
        // The abscissa never falls, so 60 bisections find the place to the last bit, the same on every CPU.
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if CubicBezier.coordinate(left, right, at: middle) < progress { low = middle } else { high = middle }
        }
        return CubicBezier.coordinate(CubicBezier.unit(b), CubicBezier.unit(d), at: (low + high) / 2)
    }

    /// The least and the largest height of the curve, at its ends or where its slope is 0.
    package var reach: ClosedRange<Double> {
        let (first, second) = (CubicBezier.unit(b), CubicBezier.unit(d))
        // A third of the slope at s is square · s² + 2 · linear · s + first.
        let (square, linear) = (1 + 3 * first - 3 * second, second - 2 * first)
        var (least, most) = (0.0, 1.0)
        let root = (linear * linear - square * first).squareRoot()
        let far = -(linear + (linear < 0 ? -root : root))
        for place in [far / square, first / far] where place > 0 && place < 1 {
            let height = CubicBezier.coordinate(first, second, at: place)
            (least, most) = (min(least, height), max(most, height))
        }
        return least...most
    }

    private static func unit(_ millionths: Int64) -> Double { Double(millionths) / 1_000_000 }

    private static func coordinate(_ first: Double, _ second: Double, at s: Double) -> Double {
        let rest = 1 - s
        return 3 * rest * rest * s * first + 3 * rest * s * s * second + s * s * s
    }
}

extension CubicBezier: CustomStringConvertible {
    /// The curve as an edit writes it: `cubicBezier(0.25,0.1,0.25,1)`.
    package var description: String {
        "cubicBezier(" + [a, b, c, d].map { FixedDecimal(millionths: $0).description }.joined(separator: ",") + ")"
    }
}
