/// A projective map of the plane: where a picture's points land in the frame.
///
/// Units are pixels, the origin is the top left corner, y points down: the sample in column i, row j has its centre at
/// (i + ½, j + ½). A point (u, v) lands at (X / W, Y / W) with X = xx·u + xy·v + x1 and so on; only points with W > 0
/// are seen.
package struct Projection: Sendable, Hashable {
    package var xx: Double
    package var xy: Double
    package var x1: Double
    package var yx: Double
    package var yy: Double
    package var y1: Double
    package var wx: Double
    package var wy: Double
    package var w1: Double

    /// The rows of the matrix.
    package init(
        x: (u: Double, v: Double, one: Double),
        y: (u: Double, v: Double, one: Double),
        w: (u: Double, v: Double, one: Double) = (0, 0, 1)
    ) {
        (xx, xy, x1) = (x.u, x.v, x.one)
        (yx, yy, y1) = (y.u, y.v, y.one)
        (wx, wy, w1) = (w.u, w.v, w.one)
    }

    /// Leaves every point where it is.
    package static let identity = Projection(x: (1, 0, 0), y: (0, 1, 0))

    /// Moves by `x` to the right and `y` down.
    package static func translation(x: Double, y: Double) -> Projection { Projection(x: (1, 0, x), y: (0, 1, y)) }

    /// About the origin; a negative factor mirrors.
    package static func scale(x: Double, y: Double) -> Projection { Projection(x: (x, 0, 0), y: (0, y, 0)) }

    /// x grows by `tangentX`·v and y by `tangentY`·u: the tangents of the two angles.
    package static func skew(tangentX: Double, tangentY: Double) -> Projection {
        Projection(x: (1, tangentX, 0), y: (tangentY, 1, 0))
    }

    /// Clockwise about the origin, by the angle with this sine and cosine.
    package static func rotation(sin: Double, cos: Double) -> Projection {
        Projection(x: (cos, -sin, 0), y: (sin, cos, 0))
    }

    /// Turned about the vertical and then about the horizontal axis through the origin, each angle by its sine and
    /// cosine, and seen from `distance` pixels before the frame; as CSS turns (`rotateX(…) rotateY(…)`), so that a
    /// small positive angle about y moves the right side away and a small positive one about x the top.
    /// - Parameter distance: nil looks from infinitely far away, without perspective.
    package static func tilt(
        x: (sin: Double, cos: Double),
        y: (sin: Double, cos: Double),
        distance: Double?
    ) -> Projection {
        let near = distance.map { 1 / $0 } ?? 0
        return Projection(
            x: (y.cos, 0, 0),
            y: (x.sin * y.sin, x.cos, 0),
            w: (x.cos * y.sin * near, -x.sin * near, 1)
        )
    }

    /// First `second`, then `first`.
    package static func * (first: Projection, second: Projection) -> Projection {
        func row(_ u: Double, _ v: Double, _ one: Double) -> (Double, Double, Double) {
            (
                u * second.xx + v * second.yx + one * second.wx,
                u * second.xy + v * second.yy + one * second.wy,
                u * second.x1 + v * second.y1 + one * second.w1
            )
        }
        return Projection(
            x: row(first.xx, first.xy, first.x1),
            y: row(first.yx, first.yy, first.y1),
            w: row(first.wx, first.wy, first.w1)
        )
    }

    /// The way back, or nil where the plane is seen edge on or a number is not finite.
    package var inverse: Projection? {
        let x = (yy * w1 - y1 * wy, x1 * wy - xy * w1, xy * y1 - x1 * yy)
        let y = (y1 * wx - yx * w1, xx * w1 - x1 * wx, x1 * yx - xx * y1)
        let w = (yx * wy - yy * wx, xy * wx - xx * wy, xx * yy - xy * yx)
        let determinant = xx * x.0 + xy * y.0 + x1 * w.0
        let size = max(abs(xx * x.0), abs(xy * y.0), abs(x1 * w.0))
        guard determinant.isFinite, abs(determinant) > size * 1e-13 else { return nil }
        func divided(_ row: (Double, Double, Double)) -> (Double, Double, Double) {
            (row.0 / determinant, row.1 / determinant, row.2 / determinant)
        }
        let result = Projection(x: divided(x), y: divided(y), w: divided(w))
        return result.isFinite ? result : nil
    }

    /// The place where a point lands.
    /// - Returns: nil behind the eye.
    package func callAsFunction(_ u: Double, _ v: Double) -> (x: Double, y: Double)? {
        let w = wx * u + wy * v + w1
        guard w > 0 else { return nil }
        return ((xx * u + xy * v + x1) / w, (yx * u + yy * v + y1) / w)
    }

    /// Straight lines stay parallel.
    package var isAffine: Bool { wx == 0 && wy == 0 && w1 == 1 }

    /// The picture's sides stay parallel to the frame's, in their order.
    package var isAxisAligned: Bool { isAffine && xy == 0 && yx == 0 }

    var isFinite: Bool { [xx, xy, x1, yx, yy, y1, wx, wy, w1].allSatisfy(\.isFinite) }
}
