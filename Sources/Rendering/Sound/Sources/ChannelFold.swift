/// The loudspeakers that play the channel of one that an edit has not: those beside it, after ITU-R BS.775.
enum ChannelFold {
    private static let half = 0.5.squareRoot()

    /// Loudspeakers of `target` that play `speaker`, and how loud. None for low frequencies without an LFE.
    /// - Parameter others: all of the source's.
    static func parts(of speaker: String, among others: [String], in target: [String]) -> [(String, Double)] {
        if target.contains(speaker) { return [(speaker, 1)] }
        for group in replacements[speaker] ?? [] where group.allSatisfy({ target.contains($0.0) }) {
            // Beside a source's own signal there it is 3 dB lower.
            return group.map { ($0.0, $0.1 == 1 && others.contains($0.0) ? half : $0.1) }
        }
        return []
    }

    /// The replacements by order of preference; the first whose loudspeakers are all there. Every edit of more than two
    /// channels has a left and a right one.
    private static let replacements: [String: [[(String, Double)]]] = {
        var all: [String: [[(String, Double)]]] = [
            "FC": [[("FL", half), ("FR", half)]],
            "BC": [[("BL", half), ("BR", half)], [("SL", half), ("SR", half)], [("FL", 0.5), ("FR", 0.5)]],
            "TC": [[("FL", 0.5), ("FR", 0.5)]], "TFC": [[("FC", half)], [("FL", 0.5), ("FR", 0.5)]],
            "TBC": [[("BC", half)], [("BL", 0.5), ("BR", 0.5)], [("FL", 0.5), ("FR", 0.5)]],
            "LFE2": [[("LFE", 1)]],
        ]
        for (side, front) in [("L", "FL"), ("R", "FR")] {
            all["S" + side] = [[("B" + side, 1)], [(front, half)]]
            all["B" + side] = [[("S" + side, 1)], [("BC", half)], [(front, half)]]
            all["SD" + side] = all["S" + side]
            all["TF" + side] = [[(front, half)]]
            all["TB" + side] = [[("B" + side, half)], [("S" + side, half)], [(front, half)]]
            all["TS" + side] = [[("S" + side, half)], [("B" + side, half)], [(front, half)]]
            for name in ["F\(side)C", "W" + side, "D" + side] { all[name] = [[(front, 1)]] }
        }
        return all
    }()
}
