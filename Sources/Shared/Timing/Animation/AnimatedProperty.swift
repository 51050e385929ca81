/// A property of one or more numbers over time (docs/picture.md, "Animation").
///
/// The value of the first key holds before it, and the value of the last key after it. Two keys at one time are a jump,
/// and the later one in the list applies at that time.
package struct AnimatedProperty: Sendable, Hashable, Codable {
    /// The keys in order of time, at least one; a constant has one key at 0. All keys have the same number of values.
    package var keys: [AnimationKey]

    package init(keys: [AnimationKey]) {
        self.keys = keys
    }

    /// A property that has the same value, in millionths, at all times.
    package init(constant value: [Int64]) {
        keys = [AnimationKey(at: .zero, value: value)]
    }

    /// Whether the value is the same at all times.
    package var isConstant: Bool { keys.allSatisfy { $0.value == keys[0].value } }

    /// The numbers at `time`, which counts from the same zero as the times of the keys.
    ///
    /// It is a pure function of the keys and the exact time, the same on every CPU. Without keys the result is empty.
    package func value(at time: RationalTime) -> [Double] {
        let next = keys.partitionPoint { $0.at > time }
        guard next > 0 else { return keys.first?.units ?? [] }
        let key = keys[next - 1]
        guard next < keys.count else { return key.units }
        let way = key.ease.value(at: key.at.progress(to: keys[next].at, at: time))
        return zip(key.units, keys[next].units).map { $0 + ($1 - $0) * way }
    }

    /// The first of the numbers at `time`, as ``value(at:)`` gives it, for properties of one number that are asked often:
    /// nothing is allocated. Without a number it is nil.
    package func first(at time: RationalTime) -> Double? {
        let next = keys.partitionPoint { $0.at > time }
        guard next > 0 else { return keys.first?.firstUnit }
        let key = keys[next - 1]
        guard next < keys.count, let from = key.firstUnit, let to = keys[next].firstUnit else { return key.firstUnit }
        let way = key.ease.value(at: key.at.progress(to: keys[next].at, at: time))
        return from + (to - from) * way
    }
}

/// The value of a property at one time.
package struct AnimationKey: Sendable, Hashable {
    /// The time in seconds from the start of the item, or from the timeline's zero on a track. It may be negative.
    package var at: RationalTime
    /// The numbers in millionths of the property's unit: 500000 of opacity is half, 1500000 of position is 1.5 pixels.
    package var value: [Int64]
    /// The shape of the change to the next key.
    package var ease: Easing

    package init(at: RationalTime, value: [Int64], ease: Easing = .linear) {
        self.at = at
        self.value = value
        self.ease = ease
    }

    fileprivate var units: [Double] { value.map { Double($0) / 1_000_000 } }
    fileprivate var firstUnit: Double? { value.first.map { Double($0) / 1_000_000 } }
}

extension AnimationKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case at, value, ease
    }

    /// Encodes the key; `ease` is written only if it is not linear.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try container.encode(value, forKey: .value)
        if ease != .linear { try container.encode(ease, forKey: .ease) }
    }

    /// Decodes a key; a missing `ease` means linear.
    /// - Throws: `DecodingError` when a value is missing or malformed.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        at = try container.decode(RationalTime.self, forKey: .at)
        value = try container.decode([Int64].self, forKey: .value)
        ease = try container.decodeIfPresent(Easing.self, forKey: .ease) ?? .linear
    }
}

extension RationalTime {
    /// The share of the time from here to `end`, which is later, that has passed at `time`: the exact differences are
    /// divided as doubles.
    fileprivate func progress(to end: RationalTime, at time: RationalTime) -> Double {
        // (time − start) / (end − start) with all denominators multiplied out: each difference fits into Int128.
        let gone = RationalTime.difference(time, self)
        let whole = RationalTime.difference(end, self)
        guard whole != 0 else { return 1 }
        return gone.nearestDouble * Double(end.denominator) / (whole.nearestDouble * Double(time.denominator))
    }

    /// (`later` − `earlier`) × both denominators.
    private static func difference(_ later: RationalTime, _ earlier: RationalTime) -> Int128 {
        Int128(later.numerator) * Int128(earlier.denominator) - Int128(earlier.numerator) * Int128(later.denominator)
    }
}

extension Int128 {
    /// `Double(self)`, which for numbers of this type is computed by generic code, thirty times slower than by the
    /// machine's instruction for those that fit into it. Both round to the nearest, so the result is the same.
    fileprivate var nearestDouble: Double { Int64(exactly: self).map { Double($0) } ?? Double(self) }
}
