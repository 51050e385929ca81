extension MutablePlane {
    /// Shows one field of `source` as a whole picture.
    ///
    /// Its rows are copied. A sample between them is kept where it lies between its neighbours above and below, so that
    /// what does not move stays sharp, and made from four rows of the field (−1, 9, 9, −1 sixteenths) where it stands
    /// out from both: there the other field shows another moment.
    /// ```
    /// row −3  field    a₃
    /// row −1  field    a         stands out: Σ (a − c)(b − c) over three columns > 3 × 10², of 8 bits
    /// row  0  other    c    →    c, or (9a + 9b − a₃ − b₃ + 8) / 16
    /// row  1  field    b
    /// row  3  field    b₃
    /// ```
    /// - Parameters:
    ///   - firstRow: 0 keeps the rows 0, 2, …, 1 keeps the rows 1, 3, …
    ///   - depth: bits of a sample, 8 to 16. Above 8 each takes two bytes, the low one first, of which ``width`` counts
    ///     both; contrasts are compared as parts of white.
    /// - Precondition: `source` has this plane's size and does not overlap it.
    package func show(field firstRow: Int, of source: Plane, depth: Int = 8) {
        precondition(source.width == width && source.height == height && (0...1).contains(firstRow))
        precondition((8...16).contains(depth))
        for y in 0..<height {
            guard y % 2 != firstRow, height > 1 else {
                row(y).update(from: source.row(y), count: width)
                continue
            }
            let rows = FieldRows(around: y, firstRow: firstRow, height: height)
            let near = (source.row(rows.above), source.row(rows.below))
            let far = (source.row(rows.farAbove), source.row(rows.farBelow))
            if depth == 8 {
                let gap = FieldGap(kept: source.row(y), above: (near.0, far.0), below: (near.1, far.1), count: width)
                gap.fill(row(y), depth: depth, Int32.self)
            } else {
                let gap = FieldGap(
                    kept: wide(source.row(y)),
                    above: (wide(near.0), wide(far.0)),
                    below: (wide(near.1), wide(far.1)),
                    count: width / 2
                )
                gap.fill(UnsafeMutableRawPointer(row(y)).assumingMemoryBound(to: UInt16.self), depth: depth, Int64.self)
            }
        }
    }
}

private func wide(_ row: UnsafePointer<UInt8>) -> UnsafePointer<UInt16> {
    UnsafeRawPointer(row).assumingMemoryBound(to: UInt16.self)
}

/// A row that is none of the field, and the field's next to it.
private struct FieldGap<Sample: FixedWidthInteger> {
    let kept: UnsafePointer<Sample>
    let above: (near: UnsafePointer<Sample>, far: UnsafePointer<Sample>)
    let below: (near: UnsafePointer<Sample>, far: UnsafePointer<Sample>)
    let count: Int

    /// - Parameter wide: holds six products of two samples.
    @inline(__always)
    func fill<Wide: FixedWidthInteger & SignedInteger>(
        _ target: UnsafeMutablePointer<Sample>,
        depth: Int,
        _ wide: Wide.Type
    ) {
        @inline(__always) func contrast(_ x: Int) -> Wide {
            let center = Wide(truncatingIfNeeded: kept[x])
            let (over, under) = (Wide(truncatingIfNeeded: above.near[x]), Wide(truncatingIfNeeded: below.near[x]))
            return (over - center) * (under - center)
        }
        let limit = Wide(300) << (2 * (depth - 8))
        let white = Wide(1) << depth - 1
        for x in 0..<count {
            let sum = contrast(max(0, x - 1)) + contrast(x) + contrast(min(count - 1, x + 1))
            let near = 9 * (Wide(truncatingIfNeeded: above.near[x]) + Wide(truncatingIfNeeded: below.near[x]))
            let far = Wide(truncatingIfNeeded: above.far[x]) + Wide(truncatingIfNeeded: below.far[x])
            let made = (near - far + 8) >> 4
            target[x] = sum > limit ? Sample(truncatingIfNeeded: max(0, min(white, made))) : kept[x]
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
