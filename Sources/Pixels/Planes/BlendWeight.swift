/// How much of the second picture a blend shows, in 65536ths.
public struct BlendWeight: Sendable, Hashable {
    /// 0 … 65536.
    public let value: UInt32

    /// The nearest to `step / steps`; exactly half goes up.
    /// - Precondition: 0 ≤ `step` ≤ `steps`, 0 < `steps` < 2^40.
    public init(step: Int64, steps: Int64) {
        precondition(step >= 0 && step <= steps && steps > 0 && steps < 1 << 40)
        value = UInt32((step * 65536 * 2 + steps) / (2 * steps))
    }

    /// - Precondition: `value` is at most 65536, which is all of the second.
    public init(value: UInt32) {
        precondition(value <= 65536)
        self.value = value
    }

    /// Only the first picture is seen.
    public var isFirst: Bool { value == 0 }
    /// Only the second picture is seen.
    public var isSecond: Bool { value == 65536 }
}
