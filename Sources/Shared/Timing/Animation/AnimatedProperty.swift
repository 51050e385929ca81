/// A property of one or more numbers over time (docs/picture.md, "Animation").
///
/// Before the first key its value holds, after the last its value holds; two keys at one time are a jump, and the later
/// one of the list is seen there.
public struct AnimatedProperty: Sendable, Hashable, Codable {
    /// In order of time, at least one; a constant has one at 0. All have as many numbers.
    public var keys: [AnimationKey]

    public init(keys: [AnimationKey]) {
        self.keys = keys
    }

    /// The same at all times, in millionths.
    public init(constant value: [Int64]) {
        keys = [AnimationKey(at: .zero, value: value)]
    }

    /// Whether it has one value at all times.
    public var isConstant: Bool { keys.allSatisfy { $0.value == keys[0].value } }

    /// The numbers at `time`, which counts from where the keys' times count.
    ///
    /// A pure function of the keys and the exact time, the same on every CPU. Empty without keys.
    public func value(at time: RationalTime) -> [Double] {
        let next = keys.partitionPoint { $0.at > time }
        guard next > 0 else { return keys.first?.units ?? [] }
        let key = keys[next - 1]
        guard next < keys.count else { return key.units }
        let way = key.ease.value(at: key.at.progress(to: keys[next].at, at: time))
        return zip(key.units, keys[next].units).map { $0 + ($1 - $0) * way }
    }
}

/// A value at a time.
public struct AnimationKey: Sendable, Hashable {
    /// Seconds from the item's start; on a track from the timeline's zero. May be negative.
    public var at: RationalTime
    /// Millionths of the property's unit: 500000 of opacity is half, 1500000 of position is a pixel and a half.
    public var value: [Int64]
    /// The way to the next key.
    public var ease: Easing

    public init(at: RationalTime, value: [Int64], ease: Easing = .linear) {
        self.at = at
        self.value = value
        self.ease = ease
    }

    fileprivate var units: [Double] { value.map { Double($0) / 1_000_000 } }
}

extension AnimationKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case at, value, ease
    }

    /// `ease` is written only where it is not linear.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try container.encode(value, forKey: .value)
        if ease != .linear { try container.encode(ease, forKey: .ease) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        at = try container.decode(RationalTime.self, forKey: .at)
        value = try container.decode([Int64].self, forKey: .value)
        ease = try container.decodeIfPresent(Easing.self, forKey: .ease) ?? .linear
    }
}

extension RationalTime {
    /// Which part of the way from here to `end`, which is later, has gone at `time`: of exact differences in doubles.
    fileprivate func progress(to end: RationalTime, at time: RationalTime) -> Double {
        // (time − start) / (end − start) with all denominators multiplied out: each difference fits into Int128.
        let gone = RationalTime.difference(time, self)
        let whole = RationalTime.difference(end, self)
        guard whole != 0 else { return 1 }
        return Double(gone) * Double(end.denominator) / (Double(whole) * Double(time.denominator))
    }

    /// (`later` − `earlier`) × both denominators.
    private static func difference(_ later: RationalTime, _ earlier: RationalTime) -> Int128 {
        Int128(later.numerator) * Int128(earlier.denominator) - Int128(earlier.numerator) * Int128(later.denominator)
    }
}
