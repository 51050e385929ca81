extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies `isAfter`, or `endIndex` when none does, by binary search.
    /// - Precondition: Every element that satisfies `isAfter` comes after all that do not.
    package func partitionPoint(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
