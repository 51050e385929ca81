/// The largest of the last `count` values, in constant time on average (a monotonic queue).
struct PeakWindow {
    private let count: Int
    private var entries: [(place: Int, value: Double)] = []
    private var head = 0
    private var place = 0

    /// - Parameter count: 1 or more.
    init(count: Int) { self.count = count }

    mutating func next(_ value: Double) -> Double {
        while entries.count > head, entries[entries.count - 1].value <= value { entries.removeLast() }
        entries.append((place, value))
        place += 1
        while entries[head].place <= place - 1 - count { head += 1 }
        if head > 1024 {
            entries.removeFirst(head)
            head = 0
        }
        return entries[head].value
    }
}
