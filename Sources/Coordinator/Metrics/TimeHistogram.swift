/// How many times fall below each of some bounds, as Prometheus keeps them.
struct TimeHistogram: Sendable {
    /// The upper bounds in seconds, ascending; the last bucket, without one, is not among them.
    static let bounds: [Double] = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]

    /// For each bound the number of times up to it that are above the bound before.
    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    /// Adds a time.
    mutating func add(seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// Writes the samples of the histogram `name`.
    func write(_ name: String, _ labels: [(String, String)], to text: inout MetricsText) {
        var total = 0
        for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts) {
            total += count
            text.add(name + "_bucket", labels + [("le", bound)], Double(total))
        }
        text.add(name + "_sum", labels, sum)
        text.add(name + "_count", labels, Double(total))
    }
}
