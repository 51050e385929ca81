/// A part of a picture in its pixels; edges may lie between samples.
package struct PlaneRect: Sendable, Hashable {
    /// The left edge, in pixels from the left of the picture.
    package var left: Double
    /// The top edge, in pixels from the top of the picture.
    package var top: Double
    /// The right edge, exclusive.
    package var right: Double
    /// The bottom edge, exclusive.
    package var bottom: Double

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// All of a picture of `width` × `height`.
    package init(width: Int, height: Int) {
        self.init(left: 0, top: 0, right: Double(width), bottom: Double(height))
    }

    /// The pixels of whole samples.
    package init(_ area: SampleArea) {
        self.init(
            left: Double(area.columns.lowerBound),
            top: Double(area.rows.lowerBound),
            right: Double(area.columns.upperBound),
            bottom: Double(area.rows.upperBound)
        )
    }

    /// True also when an edge is not a number.
    package var isEmpty: Bool { !(left < right && top < bottom) }

    /// The part that both have.
    package func intersection(_ other: PlaneRect) -> PlaneRect {
        PlaneRect(
            left: max(left, other.left),
            top: max(top, other.top),
            right: min(right, other.right),
            bottom: min(bottom, other.bottom)
        )
    }

    /// This rectangle with `margin` more on each side.
    package func expanded(by margin: Double) -> PlaneRect {
        PlaneRect(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }
}
