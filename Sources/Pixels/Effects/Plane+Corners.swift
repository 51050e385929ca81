extension MutablePlane {
    /// Takes round corners out of an alpha plane: each sample keeps the part of it that lies within.
    /// - Parameter radius: of the corners in samples; at most half of the shorter side counts.
    public func roundCorners(radius: Double) {
        let radius = max(0, min(radius, Double(min(width, height)) / 2))
        guard radius > 0 else { return }
        let reach = Int(radius.rounded(.up))
        for y in 0..<height where y < reach || y >= height - reach {
            let dy = distance(y, of: height, radius)
            for x in 0..<min(reach, width) { keep(x, y, dy, radius) }
            for x in max(reach, width - reach)..<max(reach, width) { keep(x, y, dy, radius) }
        }
    }

    /// How far a sample's centre lies beyond the centres of the corners' circles.
    private func distance(_ index: Int, of count: Int, _ radius: Double) -> Double {
        let center = Double(index) + 0.5
        return max(0, radius - center, center - (Double(count) - radius))
    }

    private func keep(_ x: Int, _ y: Int, _ dy: Double, _ radius: Double) {
        let dx = distance(x, of: width, radius)
        guard dx > 0, dy > 0 else { return }
        let share = max(0, min(1, radius - (dx * dx + dy * dy).squareRoot() + 0.5))
        row(y)[x] = UInt8((Double(row(y)[x]) * share).rounded())
    }
}
