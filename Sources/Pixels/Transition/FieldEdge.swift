/// How a wipe's edge looks at one moment: the share of the second picture for every value of a ``WipeField``.
enum FieldEdge {
    /// The second picture where the value is below `limit`, without anything between.
    case hard(limit: Int32)
    /// S(offset + slope × value), with S(u) = 3u² − 2u³ clamped to 0 … 1.
    case ramp(slope: Float, offset: Float)
    /// ½ + (position − value) / width, clamped to 0 … 1: `width` is at least one sample of the plane. Smoothed by S
    /// when it is wider than that.
    case fine(position: Float, width: Float)

    /// What a run of samples shows.
    enum Share {
        case first, second, mixed
    }

    /// The second where a field's value lies below `progress`, of 1.
    static func hard(below progress: Double) -> FieldEdge {
        .hard(limit: Int32(min(max(progress, 0), 1) * 65535 + 0.5))
    }

    /// The second where a field's value is at most `progress`, of 1.
    static func hard(upTo progress: Double) -> FieldEdge {
        progress < 0 ? .hard(limit: 0) : .hard(limit: Int32(min(progress, 1) * 65535 + 0.5) + 1)
    }

    /// S(offset + slope × value) for values of 0 … 1.
    static func ramp(slope: Double, offset: Double) -> FieldEdge {
        .ramp(slope: Float(slope / 65535), offset: Float(offset))
    }

    /// What is seen where all values that decide lie in `low` … `high`.
    func share(low: Int32, high: Int32) -> Share {
        switch self {
        case .hard(let limit): return high < limit ? .second : low >= limit ? .first : .mixed
        case .ramp(let slope, let offset):
            let (one, other) = (offset + slope * Float(low), offset + slope * Float(high))
            return min(one, other) >= 1 ? .second : max(one, other) <= 0 ? .first : .mixed
        case .fine(let position, let width):
            if position - width / 2 >= Float(high) { return .second }
            return position + width / 2 <= Float(low) ? .first : .mixed
        }
    }

    /// Shares in 32767ths of the samples of row `y` from `start` on, `count` of them.
    func fill(_ shares: UnsafeMutablePointer<Int16>, from field: WipeField, y: Int, start: Int, count: Int) {
        let values = field.row(y) + start
        switch self {
        case .hard(let limit):
            for x in 0..<count { shares[x] = Int32(values[x]) < limit ? 32767 : 0 }
        case .ramp(let slope, let offset):
            for x in 0..<count { shares[x] = FieldEdge.smooth(offset + slope * Float(values[x])) }
        case .fine(let position, let width):
            for x in 0..<count {
                let steepness = max(field.steepness(start + x, y), 1)
                let share = 0.5 + (position - Float(values[x])) / max(steepness, width)
                shares[x] = width > steepness ? FieldEdge.smooth(share) : FieldEdge.straight(share)
            }
        }
    }

    @inline(__always)
    private static func smooth(_ value: Float) -> Int16 {
        let u = min(max(value, 0), 1)
        return Int16(u * u * (3 - 2 * u) * 32767 + 0.5)
    }

    @inline(__always)
    private static func straight(_ value: Float) -> Int16 { Int16(min(max(value, 0), 1) * 32767 + 0.5) }
}
