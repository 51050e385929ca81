/// Which known name a misspelt one was meant to be.
public enum Spelling {
    /// The known name nearest to `word`, or nil when none is near: at most one mistake, from five letters
    /// on two, from eight on three.
    public static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        let lower = Array(word.prefix(64).lowercased())
        let limit = max(1, (lower.count + 1) / 3)
        let ranked = known.map { (name: $0, distance: distance(lower, Array($0.lowercased()))) }
        return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment, the
    /// restricted Damerau–Levenshtein distance).
    static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let isSame = first[row] == second[column]
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                let isSwap =
                    row > 0 && column > 0 && first[row] == second[column - 1] && first[row - 1] == second[column]
                if isSwap { best = min(best, beforeLast[column - 1] + 1) }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
