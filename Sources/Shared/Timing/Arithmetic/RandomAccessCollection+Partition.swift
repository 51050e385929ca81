extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies `isAfter`, in a collection that is ordered by it; else `endIndex`.
    public func partitionPoint(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
