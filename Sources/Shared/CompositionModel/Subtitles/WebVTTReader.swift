/// Reads the cues of WebVTT (https://www.w3.org/TR/webvtt1/) with their settings. Comments, styles and regions are left
/// out.
struct WebVTTReader {
    private let lines: [Substring]

    static func cues(_ lines: [Substring]) throws(SubtitleProblem) -> [SubtitleCue] {
        try WebVTTReader(lines: lines).cues()
    }

    private func cues() throws(SubtitleProblem) -> [SubtitleCue] {
        var cues: [SubtitleCue] = []
        // The header goes to the first blank line.
        var place = end(of: 0)
        while true {
            place = lines[place...].firstIndex { !$0.isBlank } ?? lines.count
            guard place < lines.count else { return cues }
            let block = place..<end(of: place)
            if !isSilent(lines[place]) { cues.append(try cue(block)) }
            place = block.upperBound
        }
    }

    private func end(of place: Int) -> Int { lines[place...].firstIndex(where: \.isBlank) ?? lines.count }

    private func isSilent(_ line: Substring) -> Bool {
        ["NOTE", "STYLE", "REGION"].contains { name in
            line == name || line.hasPrefix(name + " ") || line.hasPrefix(name + "\t")
        }
    }

    private func cue(_ block: Range<Int>) throws(SubtitleProblem) -> SubtitleCue {
        let hasName = !lines[block.lowerBound].contains("-->") && block.count > 1
        let timed = block.lowerBound + (hasName ? 1 : 0)
        let timing = try CueTiming(lines[timed].trimmed, number: timed + 1)
        return SubtitleCue(
            start: timing.start,
            end: timing.end,
            text: CueMarkup.assText(lines[(timed + 1)..<block.upperBound], .webvtt),
            place: CuePlace(settings: timing.rest),
            line: timed + 1
        )
    }
}

extension CuePlace {
    /// - Parameter settings: The settings, such as `line:10% position:20% align:start`; those that are not understood
    ///   are ignored.
    /// - Returns: nil when no setting is understood.
    init?(settings: Substring) {
        var words: [Substring: Substring] = [:]
        for word in settings.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            let parts = word.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { words[parts[0]] = parts[1] }
        }
        let line = words["line"].flatMap(CuePlace.line)
        let position = words["position"].flatMap(CuePlace.percent)
        let size = words["size"].flatMap(CuePlace.percent) ?? 1_000_000
        guard line != nil || position != nil || words["size"] != nil || words["align"] != nil else { return nil }
        self.line = line
        switch words["align"] {
        case "start", "left": (side, left, right) = CuePlace.room(.left, position ?? 0, size)
        case "end", "right": (side, left, right) = CuePlace.room(.right, position ?? 1_000_000, size)
        default: (side, left, right) = CuePlace.room(.center, position ?? 500_000, size)
        }
    }

    private static func room(_ side: Side, _ position: Int64, _ size: Int64) -> (Side, Int64, Int64) {
        let whole: Int64 = 1_000_000
        switch side {
        case .left: return (side, position, min(whole, position + size))
        case .right: return (side, max(0, position - size), position)
        case .center:
            let half = min(size, 2 * min(position, whole - position)) / 2
            return (side, position - half, position + half)
        }
    }

    private static func line(_ text: Substring) -> Line? {
        let first = text.split(separator: ",").first ?? ""
        if first.hasSuffix("%") { return percent(first).map(Line.height) }
        return Int(first).flatMap { (-1000...1000).contains($0) ? .number($0) : nil }
    }

    /// A percentage from 0 to 100 %, in millionths.
    private static func percent(_ text: Substring) -> Int64? {
        let number = text.split(separator: ",").first ?? ""
        guard number.hasSuffix("%") else { return nil }
        let parts = number.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = UInt8(parts[0]), whole <= 100 else { return nil }
        guard parts.count == 2 else { return Int64(whole) * 10_000 }
        let digits = parts[1].prefix(4)
        guard let part = UInt16(digits) else { return nil }
        let scale: [Int64] = [1, 1000, 100, 10, 1]
        return min(1_000_000, Int64(whole) * 10_000 + Int64(part) * scale[digits.count])
    }
}
