extension MutablePlane {
    /// Sets every sample to ⌊((65536 − w) × first + w × second) / 65536 + ½⌋: the exact mean, rounded to the nearest
    /// code value, half up.
    /// - Precondition: all three planes have one size; this one does not overlap the others.
    public func blend(_ first: Plane, _ second: Plane, weight: BlendWeight) {
        precondition(first.width == width && first.height == height)
        precondition(second.width == width && second.height == height)
        // The formula is symmetric, so the side that weighs less is the one that is multiplied: its weight fits 15 bits.
        switch weight.value {
        case 0: copy(first)
        case 65536: copy(second)
        case 32768:
            for y in 0..<height { average(first.row(y), second.row(y), into: row(y), count: width) }
        case let value where value < 32768:
            for y in 0..<height { mix(first.row(y), second.row(y), into: row(y), count: width, weight: Int16(value)) }
        case let value:
            let rest = Int16(65536 - value)
            for y in 0..<height { mix(second.row(y), first.row(y), into: row(y), count: width, weight: rest) }
        }
    }
}

/// `base + ⌊(other − base) × weight / 65536 + ½⌋`, in 16-bit lanes: the high half of the product, and one more when the
/// low half reaches one half. Written so that the compiler finds the vector instructions for both halves.
private func mix(
    _ base: UnsafePointer<UInt8>,
    _ other: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>,
    count: Int,
    weight: Int16
) {
    for index in 0..<count {
        let difference = Int16(other[index]) &- Int16(base[index])
        let product = Int32(difference) &* Int32(weight)
        let high = Int16(truncatingIfNeeded: product &>> 16)
        let low = UInt16(bitPattern: difference) &* UInt16(bitPattern: weight)
        let carry = Int16(truncatingIfNeeded: low &>> 15)
        target[index] = UInt8(truncatingIfNeeded: Int16(base[index]) &+ high &+ carry)
    }
}

private func average(
    _ first: UnsafePointer<UInt8>,
    _ second: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>,
    count: Int
) {
    for index in 0..<count {
        let sum = UInt16(first[index]) &+ UInt16(second[index]) &+ 1
        target[index] = UInt8(truncatingIfNeeded: sum &>> 1)
    }
}
