/// How much of a picture's detail a projection shows: target samples for each source sample along the picture's rows
/// and columns, at most 1.
package struct LayerDetail: Sendable, Hashable {
    /// The share along rows, 0 … 1.
    package let x: Double
    /// The share along columns, 0 … 1.
    package let y: Double

    /// All of the detail.
    package static let full = LayerDetail(x: 1, y: 1)

    /// Shares beyond 0 … 1 count as the nearest of these.
    package init(x: Double, y: Double) { (self.x, self.y) = (max(0, min(1, x)), max(0, min(1, y))) }

    /// What a projection of a picture's `box` shows. In perspective, where it differs from place to place, the
    /// geometric mean of the most and the least that is seen at nine places. Above 4/5 it is 1: there is nothing to
    /// filter away.
    package init(of projection: Projection, box: PlaneRect) {
        var (mostX, leastX, mostY, leastY) = (0.0, Double.infinity, 0.0, Double.infinity)
        for row in 0...2 {
            for column in 0...2 {
                let u = box.left + (box.right - box.left) * Double(column) / 2
                let v = box.top + (box.bottom - box.top) * Double(row) / 2
                guard let (x, y) = LayerDetail.scale(projection, u, v) else { continue }
                (mostX, leastX) = (max(mostX, x), min(leastX, x))
                (mostY, leastY) = (max(mostY, y), min(leastY, y))
            }
        }
        self.init(x: LayerDetail.mean(mostX, leastX), y: LayerDetail.mean(mostY, leastY))
    }

    private static func mean(_ most: Double, _ least: Double) -> Double {
        let detail = (min(1, most) * min(1, least)).squareRoot()
        // Nothing before the eye: nothing will be seen.
        guard detail.isFinite, most > 0 else { return 1 }
        return detail > 0.8 ? 1 : detail
    }

    /// The lengths in the frame of a step by one pixel along the picture's rows and columns at (u, v).
    private static func scale(_ map: Projection, _ u: Double, _ v: Double) -> (Double, Double)? {
        guard let (x, y) = map(u, v) else { return nil }
        let w = map.wx * u + map.wy * v + map.w1
        let (acrossX, acrossY) = ((map.xx - x * map.wx) / w, (map.yx - y * map.wx) / w)
        let (downX, downY) = ((map.xy - x * map.wy) / w, (map.yy - y * map.wy) / w)
        return (
            (acrossX * acrossX + acrossY * acrossY).squareRoot(), (downX * downX + downY * downY).squareRoot()
        )
    }
}
