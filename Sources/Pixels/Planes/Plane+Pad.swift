extension MutablePlane {
    /// Writes `source` at (0, 0) and fills what it does not cover with its last column and its last row.
    /// ```
    /// a b   →   a b b
    /// c d       c d d
    ///           c d d
    /// ```
    /// - Precondition: `source` has at least one sample, is not larger than this plane and does not overlap it.
    package func pad(_ source: Plane) {
        precondition(source.width > 0 && source.height > 0 && source.width <= width && source.height <= height)
        for y in 0..<height {
            let (from, to) = (source.row(min(y, source.height - 1)), row(y))
            to.update(from: from, count: source.width)
            (to + source.width).update(repeating: from[source.width - 1], count: width - source.width)
        }
    }
}
