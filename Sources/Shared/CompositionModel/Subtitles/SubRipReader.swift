/// Reads SubRip: blocks of a number, a pair of times and lines of text, with blank lines between them.
///
/// A blank line inside a text belongs to it: a block begins only where times follow, with or without a number before
/// them.
struct SubRipReader {
    private let lines: [Substring]

    static func cues(_ lines: [Substring]) throws(SubtitleProblem) -> [SubtitleCue] {
        try SubRipReader(lines: lines).cues()
    }

    private func cues() throws(SubtitleProblem) -> [SubtitleCue] {
        var cues: [SubtitleCue] = []
        var place = next(0)
        while place < lines.count {
            let timed = timing(at: place) ?? place
            let timing = try CueTiming(lines[timed].trimmed, number: timed + 1)
            let end = textEnd(from: timed + 1)
            var text = lines[(timed + 1)..<end]
            while text.last?.isBlank == true { text.removeLast() }
            cues.append(
                SubtitleCue(
                    start: timing.start,
                    end: timing.end,
                    text: CueMarkup.assText(text, .subrip),
                    line: timed + 1
                )
            )
            place = next(end)
        }
        return cues
    }

    /// The first line from `place` on that is not blank.
    private func next(_ place: Int) -> Int { lines[place...].firstIndex { !$0.isBlank } ?? lines.count }

    /// The line with the times of the block that begins at `place`; nil when none begins there.
    private func timing(at place: Int) -> Int? {
        guard place < lines.count else { return nil }
        let line = lines[place].trimmed
        if CueTiming.looksLikeOne(line) { return place }
        guard !line.isEmpty, line.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) }), place + 1 < lines.count
        else {
            return nil
        }
        return CueTiming.looksLikeOne(lines[place + 1].trimmed) ? place + 1 : nil
    }

    private func textEnd(from start: Int) -> Int {
        var place = start
        while place < lines.count {
            if timing(at: place) != nil { return place }
            place += 1
        }
        return place
    }
}
