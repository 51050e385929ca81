/// How much of each sample along one axis lies between two borders, in 32768ths.
struct EdgeCoverage {
    /// Samples that are touched.
    let range: Range<Int>
    /// Samples that are covered wholly.
    let full: Range<Int>
    /// The weight of each sample of ``range``.
    let weights: [UInt16]

    /// - Parameters:
    ///   - borders: the borders of the layer, in any order.
    ///   - frame: the frame's borders: what a sample has outside of them does not count.
    /// - Returns: nil when nothing is touched, or nothing as much as by a 65536th.
    init?(_ borders: (Double, Double), frame: (Double, Double), count: Int) {
        let low = max(min(borders.0, borders.1), frame.0)
        let high = min(max(borders.0, borders.1), frame.1)
        guard low < high else { return nil }
        let range = max(0, Int(low.rounded(.down)))..<min(count, Int(high.rounded(.up)))
        guard !range.isEmpty else { return nil }
        let weights = range.map { index in
            let (from, to) = (max(Double(index), frame.0), min(Double(index + 1), frame.1))
            let share = (min(high, to) - max(low, from)) / (to - from)
            return UInt16((max(0, min(1, share)) * Double(LayerRow.fullWeight)).rounded())
        }
        guard weights.contains(where: { $0 > 0 }) else { return nil }
        let first = weights.firstIndex { $0 == LayerRow.fullWeight } ?? weights.count
        let end = weights.lastIndex { $0 == LayerRow.fullWeight }.map { $0 + 1 } ?? first
        self.range = range
        self.weights = weights
        full = range.lowerBound + first..<range.lowerBound + end
    }
}
