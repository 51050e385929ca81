/// How much of the second picture a blend shows, in 65536ths.
package struct BlendWeight: Sendable, Hashable {
    /// 0 … 65536.
    package let value: UInt32

    /// The nearest to `step / steps`; exactly half goes up.
    /// - Precondition: 0 ≤ `step` ≤ `steps`, 0 < `steps` < 2^40.
    package init(step: Int64, steps: Int64) {
        precondition(step >= 0 && step <= steps && steps > 0 && steps < 1 << 40)
        value = UInt32((step * 65536 * 2 + steps) / (2 * steps))
    }

    /// - Precondition: `value` is at most 65536, which is all of the second.
    package init(value: UInt32) {
        precondition(value <= 65536)
        self.value = value
    }

    /// Only the first picture is seen.
    package var isFirst: Bool { value == 0 }
    /// Only the second picture is seen.
    package var isSecond: Bool { value == 65536 }
}
