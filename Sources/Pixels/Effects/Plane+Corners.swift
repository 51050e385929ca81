extension MutablePlane {
    /// Takes round corners out of an alpha plane: each sample keeps the part of it that lies within.
    ///
    /// A corner is a quarter of an ellipse, which is a circle where samples are square. A sample's distance from it is
    /// that of the nearest straight line: the ellipse's form over its gradient.
    /// - Parameters:
    ///   - radiusX: the radius of the corners in samples along rows; at most half of the width counts.
    ///   - radiusY: along columns. What one is cut by, the other is too.
    package func roundCorners(radiusX: Double, radiusY: Double) {
        guard radiusX > 0, radiusY > 0, radiusX.isFinite, radiusY.isFinite else { return }
        let part = min(1, Double(width) / (2 * radiusX), Double(height) / (2 * radiusY))
        let corner = Corner(x: radiusX * part, y: radiusY * part)
        let (across, down) = (Int(corner.x.rounded(.up)), Int(corner.y.rounded(.up)))
        for y in 0..<height where y < down || y >= height - down {
            let dy = distance(y, of: height, corner.y)
            for x in 0..<min(across, width) { keep(x, y, dy, corner) }
            for x in max(across, width - across)..<max(across, width) { keep(x, y, dy, corner) }
        }
    }

    /// How far a sample's centre lies beyond the centres of the corners.
    private func distance(_ index: Int, of count: Int, _ radius: Double) -> Double {
        let center = Double(index) + 0.5
        return max(0, radius - center, center - (Double(count) - radius))
    }

    private func keep(_ x: Int, _ y: Int, _ dy: Double, _ corner: Corner) {
        let dx = distance(x, of: width, corner.x)
        guard dx > 0, dy > 0 else { return }
        let share = max(0, min(1, corner.depth(dx, dy) + 0.5))
        row(y)[x] = UInt8((Double(row(y)[x]) * share).rounded())
    }
}

/// An ellipse by its radii.
private struct Corner {
    let x: Double
    let y: Double

    /// How deep a point beside the centre lies in it; negative outside.
    func depth(_ dx: Double, _ dy: Double) -> Double {
        if x == y { return x - (dx * dx + dy * dy).squareRoot() }
        let (u, v) = (dx / x, dy / y)
        let form = (u * u + v * v).squareRoot()
        let gradient = (u * u / (x * x) + v * v / (y * y)).squareRoot()
        return (1 - form) * form / gradient
    }
}
