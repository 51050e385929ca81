extension MutablePlane {
    /// Sets every sample to first × `firstShare` + second × `secondShare` + `constant`, rounded and clamped.
    func combine(_ first: Plane, _ second: Plane, firstShare: Double, secondShare: Double, constant: Double) {
        precondition(first.width == width && first.height == height)
        precondition(second.width == width && second.height == height)
        let (a, b, c) = (Float(firstShare), Float(secondShare), Float(constant + 0.5))
        for y in 0..<height {
            let (one, other, target) = (first.row(y), second.row(y), row(y))
            for x in 0..<width {
                let value = Float(one[x]) * a + Float(other[x]) * b + c
                target[x] = UInt8(truncatingIfNeeded: Int32(min(max(value, 0), 255)))
            }
        }
    }

    /// Sets every sample to the mean of both with a weight that depends on how far they are apart.
    /// - Parameter weights: the weights of the second, for the distances 0 … 255.
    func combine(_ first: Plane, _ second: Plane, weights: [BlendWeight]) {
        precondition(first.width == width && first.height == height && weights.count == 256)
        precondition(second.width == width && second.height == height)
        weights.withUnsafeBufferPointer { weights in
            for y in 0..<height {
                let (one, other, target) = (first.row(y), second.row(y), row(y))
                for x in 0..<width {
                    let (a, b) = (UInt32(one[x]), UInt32(other[x]))
                    let weight = weights[Int(a > b ? a - b : b - a)].value
                    target[x] = UInt8(truncatingIfNeeded: (a &* (65536 &- weight) &+ b &* weight &+ 32768) &>> 16)
                }
            }
        }
    }

    /// Sets sample (x, y) to the weighted mean of `first` at (columns[x], rows[y]) and `second` at its own columns and
    /// rows.
    func combine(_ first: Resampled, _ second: Resampled, weight: BlendWeight) {
        let (a, b) = (65536 - weight.value, weight.value)
        for y in 0..<height {
            let (one, other) = (first.source.row(first.rows[y]), second.source.row(second.rows[y]))
            let target = row(y)
            first.columns.withUnsafeBufferPointer { firstColumns in
                second.columns.withUnsafeBufferPointer { secondColumns in
                    for x in 0..<width {
                        let sum = UInt32(one[firstColumns[x]]) &* a &+ UInt32(other[secondColumns[x]]) &* b
                        target[x] = UInt8(truncatingIfNeeded: (sum &+ 32768) &>> 16)
                    }
                }
            }
        }
    }
}

/// A plane whose samples are taken from elsewhere in it.
struct Resampled {
    let source: Plane
    /// The source's column and row for each sample of the target, within the source.
    var columns: [Int]
    var rows: [Int]

    init(_ source: Plane) {
        self.source = source
        columns = Array(0..<source.width)
        rows = Array(0..<source.height)
    }

    init(_ source: Plane, columns: [Int], rows: [Int]) {
        precondition(columns.count == source.width && rows.count == source.height)
        precondition(columns.allSatisfy { (0..<source.width).contains($0) })
        precondition(rows.allSatisfy { (0..<source.height).contains($0) })
        self.source = source
        self.columns = columns
        self.rows = rows
    }
}
