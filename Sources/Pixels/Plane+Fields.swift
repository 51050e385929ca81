extension MutablePlane {
    /// Shows one field of `source` as a whole picture.
    ///
    /// Its rows are copied. A sample between them is kept where it lies between its neighbours above and below, so that
    /// what does not move stays sharp, and made from four rows of the field (−1, 9, 9, −1 sixteenths) where it stands
    /// out from both: there the other field shows another moment.
    /// ```
    /// row −3  field    a₃
    /// row −1  field    a         stands out: Σ (a − c)(b − c) over three columns > 3 × 10²
    /// row  0  other    c    →    c, or (9a + 9b − a₃ − b₃ + 8) / 16
    /// row  1  field    b
    /// row  3  field    b₃
    /// ```
    /// - Parameter firstRow: 0 keeps the rows 0, 2, …, 1 keeps the rows 1, 3, …
    /// - Precondition: `source` has this plane's size and does not overlap it.
    public func show(field firstRow: Int, of source: Plane) {
        precondition(source.width == width && source.height == height && (0...1).contains(firstRow))
        for y in 0..<height {
            guard y % 2 != firstRow, height > 1 else {
                row(y).update(from: source.row(y), count: width)
                continue
            }
            let rows = FieldRows(around: y, firstRow: firstRow, height: height)
            fill(
                row(y),
                kept: source.row(y),
                above: (source.row(rows.above), source.row(rows.farAbove)),
                below: (source.row(rows.below), source.row(rows.farBelow))
            )
        }
    }

    private func fill(
        _ target: UnsafeMutablePointer<UInt8>,
        kept: UnsafePointer<UInt8>,
        above: (near: UnsafePointer<UInt8>, far: UnsafePointer<UInt8>),
        below: (near: UnsafePointer<UInt8>, far: UnsafePointer<UInt8>)
    ) {
        @inline(__always) func contrast(_ x: Int) -> Int32 {
            let center = Int32(kept[x])
            return (Int32(above.near[x]) - center) * (Int32(below.near[x]) - center)
        }
        for x in 0..<width {
            let sum = contrast(max(0, x - 1)) + contrast(x) + contrast(min(width - 1, x + 1))
            let near = 9 * (Int32(above.near[x]) + Int32(below.near[x]))
            let made = (near - Int32(above.far[x]) - Int32(below.far[x]) + 8) >> 4
            target[x] = sum > 300 ? UInt8(truncatingIfNeeded: max(0, min(255, made))) : kept[x]
        }
    }
}

/// The rows of a field next to a row that is none of it; at the picture's edges the nearest ones.
private struct FieldRows {
    let above: Int
    let below: Int
    let farAbove: Int
    let farBelow: Int

    init(around y: Int, firstRow: Int, height: Int) {
        let last = (height - 1 - firstRow) / 2 * 2 + firstRow
        func clamped(_ row: Int) -> Int { max(firstRow, min(last, row)) }
        (above, below, farAbove, farBelow) = (clamped(y - 1), clamped(y + 1), clamped(y - 3), clamped(y + 3))
    }
}
