extension MutablePlane {
    /// Shows `second` where `edge` has passed over `field`, `first` elsewhere, mixed along the edge.
    /// - Precondition: all planes have the field's size; this one overlaps no other.
    func wipe(_ first: Plane, _ second: Plane, _ field: WipeField, _ edge: FieldEdge) {
        precondition(field.width == width && field.height == height)
        precondition(first.width == width && first.height == height)
        precondition(second.width == width && second.height == height)
        eachRun(of: field, edge) { share, shares, x, y, count in
            let (a, b, target) = (first.row(y) + x, second.row(y) + x, row(y) + x)
            switch share {
            case .first: target.update(from: a, count: count)
            case .second: target.update(from: b, count: count)
            case .mixed: mixRow(a, b, shares, into: target, count: count)
            }
        }
    }

    /// Paints `color` over what is here, where `edge` has passed over `field`.
    func cover(_ color: UInt8, _ field: WipeField, _ edge: FieldEdge) {
        eachRun(of: field, edge) { share, shares, x, y, count in
            switch share {
            case .first: return
            case .second: (row(y) + x).update(repeating: color, count: count)
            case .mixed: tint(row(y) + x, color, shares, count: count)
            }
        }
    }

    /// Paints `color` over what is here, where `outer` has passed over `field` and `inner` has not.
    func band(_ color: UInt8, _ field: WipeField, outer: FieldEdge, inner: FieldEdge) {
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 2 * WipeField.runLength) { buffer in
            guard let shares = buffer.baseAddress else { return }
            let innerShares = shares + WipeField.runLength
            for y in 0..<height {
                for (run, x) in Swift.stride(from: 0, to: width, by: WipeField.runLength).enumerated() {
                    let (low, high) = field.reach(run, y)
                    if case .first = outer.share(low: low, high: high) { continue }
                    if case .second = inner.share(low: low, high: high) { continue }
                    let count = min(WipeField.runLength, width - x)
                    outer.fill(shares, from: field, y: y, start: x, count: count)
                    inner.fill(innerShares, from: field, y: y, start: x, count: count)
                    for index in 0..<count { shares[index] &-= innerShares[index] }
                    tint(row(y) + x, color, shares, count: count)
                }
            }
        }
    }

    private func eachRun(
        of field: WipeField,
        _ edge: FieldEdge,
        _ body: (FieldEdge.Share, UnsafePointer<Int16>, _ x: Int, _ y: Int, _ count: Int) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: WipeField.runLength) { buffer in
            guard let shares = buffer.baseAddress else { return }
            for y in 0..<height {
                for (run, x) in Swift.stride(from: 0, to: width, by: WipeField.runLength).enumerated() {
                    let (low, high) = field.reach(run, y)
                    let share = edge.share(low: low, high: high)
                    let count = min(WipeField.runLength, width - x)
                    if case .mixed = share { edge.fill(shares, from: field, y: y, start: x, count: count) }
                    body(share, shares, x, y, count)
                }
            }
        }
    }
}

/// a + (b − a) × share, rounded to the nearest code value with an error of at most 1/32 of it: the difference times 128
/// and the share make a product whose upper 16 bits are 64ths. A share of 32767 is exactly b.
@inline(__always)
private func between(_ a: Int16, _ b: Int16, _ share: Int16) -> UInt8 {
    let way = (Int32((b &- a) &<< 7) &* Int32(share)) &>> 16
    return UInt8(truncatingIfNeeded: a &+ ((Int16(truncatingIfNeeded: way) &+ 32) &>> 6))
}

func mixRow(
    _ first: UnsafePointer<UInt8>,
    _ second: UnsafePointer<UInt8>,
    _ shares: UnsafePointer<Int16>,
    into target: UnsafeMutablePointer<UInt8>,
    count: Int
) {
    for x in 0..<count { target[x] = between(Int16(first[x]), Int16(second[x]), shares[x]) }
}

private func tint(
    _ target: UnsafeMutablePointer<UInt8>,
    _ color: UInt8,
    _ shares: UnsafePointer<Int16>,
    count: Int
) {
    let color = Int16(color)
    for x in 0..<count { target[x] = between(Int16(target[x]), color, shares[x]) }
}
