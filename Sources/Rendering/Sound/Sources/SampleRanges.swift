/// Ranges of sample numbers, ascending, merged where they touch or overlap.
struct SampleRanges: Hashable {
    private(set) var ranges: [Range<Int64>] = []
    private(set) var sampleCount: Int64 = 0
    /// Samples in all ranges before each.
    private var ranks: [Int64] = []

    /// The samples that are in any of `ranges`, which may overlap and come in any order.
    init(_ ranges: some Sequence<Range<Int64>>) {
        for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
        for range in self.ranges {
            ranks.append(sampleCount)
            sampleCount += range.upperBound - range.lowerBound
        }
    }

    var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// The parts of `range` that are in here, ascending, each with the number of samples kept before it.
    func intersections(with range: Range<Int64>) -> [(samples: Range<Int64>, rank: Int64)] {
        var parts: [(samples: Range<Int64>, rank: Int64)] = []
        var index = firstIndex(endingAfter: range.lowerBound)
        while index < ranges.count, ranges[index].lowerBound < range.upperBound {
            let part = ranges[index].clamped(to: range)
            if !part.isEmpty { parts.append((part, ranks[index] + (part.lowerBound - ranges[index].lowerBound))) }
            index += 1
        }
        return parts
    }

    private func firstIndex(endingAfter sample: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > sample { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
