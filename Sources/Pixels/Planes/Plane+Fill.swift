extension MutablePlane {
    /// Sets every sample to `value`.
    package func fill(_ value: UInt8) {
        for y in 0..<height { row(y).update(repeating: value, count: width) }
    }

    /// Copies all samples of `source`.
    /// - Precondition: `source` has this plane's size and does not overlap it.
    package func copy(_ source: Plane) {
        precondition(source.width == width && source.height == height)
        for y in 0..<height { row(y).update(from: source.row(y), count: width) }
    }
}
