extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies `isAfter`, or `endIndex` when none does, by binary search.
    ///
    /// It is public, though only this package uses it, because Swift 6.3 makes no special version of what has less access
    /// in other modules: without that, each comparison asks the collection's witness table.
    /// - Precondition: Every element that satisfies `isAfter` comes after all that do not.
    @inlinable
    public func partitionPoint(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
