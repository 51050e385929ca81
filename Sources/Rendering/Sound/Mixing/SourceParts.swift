import CompositionModel

/// The place of what a clip hears in its source: parts of it, and what repeats them. The rest is silence.
struct SourceParts {
    /// Each with its place in the range.
    private(set) var read: [(place: Int, samples: Range<Int64>)] = []
    /// Places that sound as those ``period`` before them.
    private(set) var repeated = 0..<0
    private(set) var period = 0

    /// The source as it is.
    init(_ range: Range<Int64>) { read = [(0, range)] }

    /// The source as a file in which `loop` stands as often as it is heard; with one turn read, however many there are.
    /// ```
    /// silence │ what the clip begins with │ run │ run │ … │ silence      backwards the other way round
    /// ```
    /// - Parameter start: the source's sample that the clip begins with; before the loop, backwards behind it, the
    ///   source is heard from there on.
    init(_ range: Range<Int64>, of loop: SampleLoop, from start: Int64, isBackwards: Bool) {
        let (first, end) = (loop.start, loop.start + loop.count)
        let total = loop.runs.map { $0 * loop.count }
        let turns = isBackwards ? (total.map { end - $0 } ?? .min)..<end : first..<(total.map { first + $0 } ?? .max)
        let before = range.clamped(to: isBackwards ? end..<max(end, start + 1) : min(first, start)..<first)
        let heard = range.clamped(to: turns)
        if !before.isEmpty { read.append((Int(before.lowerBound - range.lowerBound), before)) }
        guard !heard.isEmpty else { return }
        let turn = heard.lowerBound..<min(heard.upperBound, heard.lowerBound + loop.count)
        // The run that the turn begins in, as how far it lies from the loop itself.
        let offset = turn.lowerBound - first
        let shift = (offset >= 0 ? offset : offset - loop.count + 1) / loop.count * loop.count
        for shift in [shift, shift + loop.count] {
            let part = turn.clamped(to: first + shift..<end + shift)
            if part.isEmpty { continue }
            read.append((Int(part.lowerBound - range.lowerBound), part.lowerBound - shift..<part.upperBound - shift))
        }
        repeated = Int(turn.upperBound - range.lowerBound)..<Int(heard.upperBound - range.lowerBound)
        period = Int(loop.count)
    }
}
