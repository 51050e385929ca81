/// Compares the order in which a stream's pictures come out of a decoder with that of their times.
enum CopyOrder {
    /// The pictures whose times contradict picture order counts: in the movie they would come out in another order.
    /// - Parameters:
    ///   - units: in decode order.
    ///   - numbers: the shown frame that each is; nil for one that is not shown.
    /// - Returns: positions in `units`, of each group from one IDR picture to the next the first one at most.
    static func misplaced(_ units: [CodedPictures.Unit], _ numbers: [Int64?]) -> Set<Int> {
        var misplaced: Set<Int> = []
        var group: [Int] = []
        for position in units.indices where position < numbers.count {
            if units[position].isIDR {
                if let wrong = firstWrong(in: group, units, numbers) { misplaced.insert(wrong) }
                group = []
            }
            if units[position].order != nil, numbers[position] != nil { group.append(position) }
        }
        if let wrong = firstWrong(in: group, units, numbers) { misplaced.insert(wrong) }
        return misplaced
    }

    private static func firstWrong(
        in group: [Int],
        _ units: [CodedPictures.Unit],
        _ numbers: [Int64?]
    ) -> Int? {
        let sorted = group.sorted { (units[$0].order ?? 0, $0) < (units[$1].order ?? 0, $1) }
        let wrong = zip(sorted, sorted.dropFirst()).filter { pair in
            let (one, other) = pair
            return units[one].order == units[other].order || (numbers[one] ?? 0) >= (numbers[other] ?? 0)
        }
        return wrong.map { max($0, $1) }.min()
    }
}
