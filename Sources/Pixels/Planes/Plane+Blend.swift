extension MutablePlane {
    /// Sets every sample to ⌊((65536 − w) × first + w × second) / 65536 + ½⌋: the exact mean, rounded to the nearest
    /// code value, half up.
    /// - Precondition: all three planes have one size; this one does not overlap the others.
    package func blend(_ first: Plane, _ second: Plane, weight: BlendWeight) {
        precondition(first.width == width && first.height == height)
        precondition(second.width == width && second.height == height)
        let factors = BlendFactors(weight)
        for y in 0..<height { mix(first.row(y), second.row(y), into: row(y), count: width, by: factors) }
    }
}

/// Both weights of a blend cut into bytes, so that 16-bit lanes hold every product and every sum.
///
/// With weights 256·h + l for each side the sum is 256·H + L, where H = a·h₁ + b·h₂ and L = a·l₁ + b·l₂. The weights
/// add to 65536, so l₁ + l₂ is 0 or 256 and L ≤ 65280; H + ⌊L / 256⌋ ≤ 255 · 65536 / 256 = 65280, which leaves room for
/// the 128 that rounds.
private struct BlendFactors {
    let firstHigh: UInt16
    let firstLow: UInt16
    let secondHigh: UInt16
    let secondLow: UInt16

    init(_ weight: BlendWeight) {
        let (first, second) = (65536 - weight.value, weight.value)
        (firstHigh, firstLow) = (UInt16(first / 256), UInt16(first % 256))
        (secondHigh, secondLow) = (UInt16(second / 256), UInt16(second % 256))
    }
}

private func mix(
    _ first: UnsafePointer<UInt8>,
    _ second: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>,
    count: Int,
    by factors: BlendFactors
) {
    let (firstHigh, firstLow) = (factors.firstHigh, factors.firstLow)
    let (secondHigh, secondLow) = (factors.secondHigh, factors.secondLow)
    for index in 0..<count {
        let (a, b) = (UInt16(first[index]), UInt16(second[index]))
        let low = a &* firstLow &+ b &* secondLow
        let high = a &* firstHigh &+ b &* secondHigh
        target[index] = UInt8(truncatingIfNeeded: (high &+ (low &>> 8) &+ 128) &>> 8)
    }
}

extension MutablePlane {
    /// Blends as ``blend(_:_:weight:)`` does where both pictures may be seen through: each sample counts as far as it
    /// is seen; where nothing is, it is the plain mean.
    /// - Precondition: all planes have one size; this one does not overlap the others.
    package func blend(
        _ first: Plane,
        _ second: Plane,
        alpha firstAlpha: Plane,
        _ secondAlpha: Plane,
        weight: BlendWeight
    ) {
        for plane in [first, second, firstAlpha, secondAlpha] {
            precondition(plane.width == width && plane.height == height)
        }
        let (whole, part) = (UInt64(65536 - weight.value), UInt64(weight.value))
        for y in 0..<height {
            let (a, b, target) = (first.row(y), second.row(y), row(y))
            let (alphaA, alphaB) = (firstAlpha.row(y), secondAlpha.row(y))
            for x in 0..<width {
                var (weightA, weightB) = (whole * UInt64(alphaA[x]), part * UInt64(alphaB[x]))
                if weightA + weightB == 0 { (weightA, weightB) = (whole, part) }
                let sum = weightA + weightB
                target[x] = UInt8((weightA * UInt64(a[x]) + weightB * UInt64(b[x]) + sum / 2) / sum)
            }
        }
    }
}
