/// Exact arithmetic of this test suite, apart from the product's: a fraction, not reduced, compared in 128 bits.
struct Exact: Comparable, CustomStringConvertible {
    var top: Int
    var bottom: Int

    init(_ top: Int, _ bottom: Int = 1) {
        var (a, b) = (abs(top), bottom)
        while b != 0 { (a, b) = (b, a % b) }
        self.top = top / max(a, 1)
        self.bottom = bottom / max(a, 1)
    }

    var floor: Int { top >= 0 ? top / bottom : -((-top + bottom - 1) / bottom) }
    var description: String { "\(top)/\(bottom)" }

    static func + (one: Exact, other: Exact) -> Exact {
        Exact(one.top * other.bottom + other.top * one.bottom, one.bottom * other.bottom)
    }
    static func - (one: Exact, other: Exact) -> Exact { one + Exact(-other.top, other.bottom) }
    static func * (one: Exact, other: Exact) -> Exact { Exact(one.top * other.top, one.bottom * other.bottom) }
    static func / (one: Exact, other: Exact) -> Exact { Exact(one.top * other.bottom, one.bottom * other.top) }
    static func < (one: Exact, other: Exact) -> Bool {
        Int128(one.top) * Int128(other.bottom) < Int128(other.top) * Int128(one.bottom)
    }
    static func == (one: Exact, other: Exact) -> Bool { !(one < other) && !(other < one) }
}
