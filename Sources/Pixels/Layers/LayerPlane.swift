/// One plane of a layer, ready to be drawn into one plane of a frame.
package struct LayerPlane {
    /// Multiplied by ``alpha`` where there is one.
    package let samples: Plane
    /// The alpha, as large as ``samples``; nil for an opaque picture.
    package let alpha: Plane?
    /// The part of ``samples`` that may be seen.
    package let domain: SampleArea
    /// Target ← samples, in samples of either plane: says which sample is seen where.
    package let sampling: Projection

    /// - Precondition: `domain` lies within `samples`, and `alpha` has its size.
    package init(samples: Plane, alpha: Plane?, domain: SampleArea, sampling: Projection) {
        precondition(domain.columns.lowerBound >= 0 && domain.columns.upperBound <= samples.width)
        precondition(domain.rows.lowerBound >= 0 && domain.rows.upperBound <= samples.height)
        precondition(alpha.map { $0.width == samples.width && $0.height == samples.height } ?? true)
        (self.samples, self.alpha, self.domain, self.sampling) = (samples, alpha, domain, sampling)
    }
}

/// Whole samples of a plane.
package struct SampleArea: Sendable, Hashable {
    /// The columns, counted from the left.
    package var columns: Range<Int>
    /// The rows, counted from the top.
    package var rows: Range<Int>

    package init(columns: Range<Int>, rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }

    /// Whether there is no sample in it.
    package var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
}

/// How far a layer reaches, in samples of a target plane that counts from the frame's corner: sample (i, j) covers
/// i ..< i + 1 and j ..< j + 1, whatever its siting.
package struct LayerOutline {
    /// Target ← picture.
    package let projection: Projection
    /// The part of the picture that is seen, in its pixels.
    package let box: PlaneRect
    /// The frame in samples of this plane: an odd width makes the last chroma column half as wide.
    package let frame: PlaneRect

    package init(projection: Projection, box: PlaneRect, frame: PlaneRect) {
        (self.projection, self.box, self.frame) = (projection, box, frame)
    }

    /// The samples of a target of `width` × `height` whose centres are less than half a sample outside of the layer's
    /// bounding box; all of them for a layer that reaches behind the eye.
    func bounds(width: Int, height: Int) -> SampleArea {
        let corners = [(box.left, box.top), (box.right, box.top), (box.left, box.bottom), (box.right, box.bottom)]
        var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for (u, v) in corners {
            guard let (x, y) = projection(u, v), x.isFinite, y.isFinite else {
                return SampleArea(columns: 0..<width, rows: 0..<height)
            }
            (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
        }
        func range(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
            let low = Int(max(0, min(Double(count), (from - 1).rounded(.up))))
            return low..<max(low, Int(max(0, min(Double(count), (to + 1).rounded(.down)))))
        }
        return SampleArea(columns: range(left, right, width), rows: range(top, bottom, height))
    }
}
