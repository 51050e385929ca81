/// A colour as the code values of a picture's three planes.
package struct PlaneColor: Sendable, Hashable {
    /// The three code values; the fourth is 0.
    package var values: SIMD4<UInt8>

    package init(_ first: UInt8, _ second: UInt8, _ third: UInt8) { values = SIMD4(first, second, third, 0) }

    func value(_ plane: Int) -> UInt8 { values[min(plane, 2)] }
}

/// How one picture gives way to another.
package enum TransitionEffect: Sendable, Hashable {
    /// The mean of both, more and more of the second.
    case dissolve
    /// The first fades into a colour over the first half, the second out of it over the other.
    case fadeThrough(PlaneColor)
    /// Pictures that move as a whole, between whole samples too.
    case move(MoveStyle, WipeDirection)
    /// An edge that runs over the frame; antialiased.
    case wipe(WipeShape, WipeEdge)
    /// An edge that runs over the frame where and when a field says; for a luma map.
    case map(WipeEdge)
    /// The first grows to four times its size while it dissolves; outwards: the second shrinks from there.
    case zoom(isOutward: Bool)
    /// Both dissolve behind a blur that comes and goes.
    case blur
    /// A kind of FFmpeg's, with the colours that it calls black and white.
    case xfade(XfadeKind, black: PlaneColor, white: PlaneColor)
}

/// How two pictures move when one takes the place of the other.
package enum MoveStyle: String, Sendable, Hashable, CaseIterable {
    /// The second pushes the first out.
    case push
    /// The second moves over the first, which moves half as far.
    case slide
    /// The second moves over the first, which stays.
    case cover
    /// The first moves away from over the second, which stays.
    case reveal
}

/// The look of a wipe's edge. Lengths are parts of the edge's way over the frame.
package struct WipeEdge: Sendable, Hashable {
    /// 0 … 1: how wide the edge is mixed; 0 is one sample.
    package var softness: Double
    /// 0 … 1: how wide a band of `color` along the edge is.
    package var border: Double
    /// The colour of the band.
    package var color: PlaneColor
    /// The edge runs from the other end, the second picture behind it.
    package var isReversed: Bool

    /// - Precondition: `softness` and `border` of 0 … 1.
    package init(softness: Double, border: Double, color: PlaneColor, isReversed: Bool) {
        precondition((0...1).contains(softness) && (0...1).contains(border))
        self.softness = softness
        self.border = border
        self.color = color
        self.isReversed = isReversed
    }
}
