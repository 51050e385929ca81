/// Samples as they were `count` before.
struct DelayLine {
    private var ring: [Double]
    private var place = 0

    /// - Parameter count: 0 or more.
    init(count: Int) { ring = Array(repeating: 0, count: count + 1) }

    /// What went in `count` calls ago.
    @inline(__always) mutating func next(_ value: Double) -> Double {
        ring[place] = value
        place = place + 1 == ring.count ? 0 : place + 1
        return ring[place]
    }
}
