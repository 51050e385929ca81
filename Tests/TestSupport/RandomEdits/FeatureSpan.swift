/// Frames of an edit in which a feature is at work.
package struct FeatureSpan: Sendable {
    package let feature: String
    package let frames: Range<Int>

    /// Whether a segment that begins at `border` leaves some of the span on both sides.
    func isCut(at border: Int) -> Bool { frames.lowerBound < border && border < frames.upperBound }
}

/// How often each feature was seen with a segment's border inside its span.
package struct FeatureTable: Sendable {
    /// By number of segments, that of spans with a border inside.
    private var cuts: [String: [Int: Int]] = [:]
    private var uses: [String: Int] = [:]

    package init() {}

    /// - Parameter borders: for each number of segments the frames at which they begin.
    package mutating func count(_ edit: RandomEdit, borders: [Int: [Int]]) {
        for span in edit.spans {
            uses[span.feature, default: 0] += 1
            for (segments, frames) in borders where frames.contains(where: span.isCut) {
                cuts[span.feature, default: [:]][segments, default: 0] += 1
            }
        }
    }

    /// Those of ``RandomEdit/features`` that were cut less than `times` times at every number of segments.
    package func rare(_ times: Int) -> [String] { RandomEdit.features.filter { most($0) < times } }

    private func most(_ feature: String) -> Int { cuts[feature]?.values.max() ?? 0 }

    /// A line for each feature: how many times it was there, and with a border inside at each number of segments.
    package func text(_ counts: [Int]) -> String {
        let width = RandomEdit.features.map(\.count).max() ?? 0
        func line(_ name: String, _ columns: [String]) -> String {
            let name = name + String(repeating: " ", count: max(0, width - name.count))
            let cells = columns.map { String(repeating: " ", count: max(0, 6 - $0.count)) + $0 }
            return name + cells.joined()
        }
        let head = line("feature", ["uses"] + counts.map { "1/\($0)" })
        let rows = RandomEdit.features.map { feature in
            let cells = [uses[feature] ?? 0] + counts.map { cuts[feature]?[$0] ?? 0 }
            return line(feature, cells.map { "\($0)" })
        }
        return ([head] + rows).joined(separator: "\n")
    }
}
