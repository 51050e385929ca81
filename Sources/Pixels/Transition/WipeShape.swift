/// A way over the frame, the way things or an edge move.
package enum WipeDirection: String, Sendable, Hashable, CaseIterable {
    case left, right, up, down, upLeft, upRight, downLeft, downRight
}

/// The outline of an iris.
package enum IrisShape: String, Sendable, Hashable, CaseIterable {
    case circle, ellipse, rectangle, square, diamond, triangle, pentagon, hexagon, star, cross, heart, eye
}

/// The course of a wipe's edge.
package enum WipeShape: Sendable, Hashable {
    /// A straight edge that moves in a direction.
    case bar(WipeDirection)
    /// A box that grows out of a corner, or out of the middle of a side, in a direction.
    case box(WipeDirection)
    /// Four boxes that grow out of the corners.
    case fourBoxes
    /// Two halves that part from the middle line and move along a direction and against it.
    case barnDoor(WipeDirection)
    /// A wedge that moves in a direction, point first.
    case vee(WipeDirection)
    /// Two wedges that come from both sides, along a direction and against it.
    case bowTie(WipeDirection)
    /// A barn door bent to a wedge.
    case barnVee(WipeDirection)
    /// A toothed edge with `count` teeth that moves in a direction.
    case zigZag(WipeDirection, count: Int)
    /// An outline that grows from the middle, turned by quarters.
    case iris(IrisShape, WipeDirection)
    /// Hands of a clock: `count` of them, the first starting in a direction.
    case clock(WipeDirection, count: Int, isCounterclockwise: Bool)
    /// One hand fixed in a corner or in the middle of a side.
    case sweep(WipeDirection, isCounterclockwise: Bool)
    /// Two hands that part, from the middle of the frame (`isCentered`) or of a side, in a direction.
    case fan(WipeDirection, isCentered: Bool)
    /// Two fans back to back, along a direction and against it.
    case doubleFan(WipeDirection)
    /// `count` stripes that each open in a direction.
    case blinds(WipeDirection, count: Int)
    /// Squares, `count` over the longer side: every other one first.
    case checkerboard(WipeDirection, count: Int)
    /// `count` lines of boxes, to and fro.
    case snake(WipeDirection, count: Int)
    /// Boxes in a spiral from the corner inwards, `count` on the longer side.
    case spiral(WipeDirection, count: Int)
}
