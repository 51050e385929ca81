/// The time at which a cue is shown, in milliseconds of the file: [start, end).
struct CueTiming: Hashable {
    var start: Int64
    var end: Int64
    /// The rest of the line after the times.
    var rest: Substring

    /// Whether `line` may be meant as a timing: it begins with a digit or a minus sign and has an arrow.
    static func looksLikeOne(_ line: Substring) -> Bool {
        guard let first = line.unicodeScalars.first, ("0"..."9").contains(first) || first == "-" else { return false }
        return line.contains("->")
    }

    /// - Parameter number: The number of the line, from 1.
    /// - Throws: ``SubtitleProblem`` when the line is not of the form `00:00:01,000 --> 00:00:02,500`, a time is
    ///   invalid or the end is before the start.
    init(_ line: Substring, number: Int) throws(SubtitleProblem) {
        guard let arrow = CueTiming.arrow(in: line) else {
            let example = "00:00:01,000 --> 00:00:02,500"
            throw SubtitleProblem(number, "“\(line.prefix(40))” is no pair of times like \(example)")
        }
        let (before, after) = (line[..<arrow.lowerBound].trimmed, line[arrow.upperBound...].trimmed)
        let second = after.unicodeScalars.prefix { $0 != " " && $0 != "\t" }
        try self.init(Substring(before), Substring(second), number: number)
        rest = Substring(after.unicodeScalars.dropFirst(second.count)).trimmed
    }

    init(_ start: Substring, _ end: Substring, number: Int) throws(SubtitleProblem) {
        self.start = try CueTiming.milliseconds(start, number)
        self.end = try CueTiming.milliseconds(end, number)
        rest = ""
        guard self.end >= self.start else {
            throw SubtitleProblem(number, "the cue ends at \(end), before it begins at \(start)")
        }
    }

    private static func arrow(in line: Substring) -> Range<Substring.Index>? {
        let scalars = line.unicodeScalars
        var place = scalars.startIndex
        while let dash = scalars[place...].firstIndex(of: "-") {
            if scalars[dash...].starts(with: "-->".unicodeScalars) { return dash..<scalars.index(dash, offsetBy: 3) }
            place = scalars.index(after: dash)
        }
        return nil
    }

    /// The milliseconds of a time `[H:]MM:SS,mmm`, with a comma or a point and up to three digits after it.
    private static func milliseconds(_ text: Substring, _ line: Int) throws(SubtitleProblem) -> Int64 {
        let text = text.trimmed
        guard !text.hasPrefix("-") else { throw SubtitleProblem(line, "the time \(text) is negative") }
        let parts = text.unicodeScalars.split(separator: ":", omittingEmptySubsequences: false)
        let last = (parts.last ?? parts[0]).split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard (2...3).contains(parts.count), (1...2).contains(last.count) else { throw noTime(text, line) }
        let whole = parts.dropLast() + [last[0]]
        let numbers = whole.compactMap { digits(Substring($0), most: 6) }
        guard numbers.count == whole.count else { throw noTime(text, line) }
        guard numbers.suffix(2).allSatisfy({ $0 < 60 }) else {
            throw SubtitleProblem(line, "the time \(text) has more than 59 minutes or seconds")
        }
        let seconds = numbers.reduce(0) { 60 * $0 + $1 }
        guard last.count == 2 else { return 1000 * seconds }
        guard let part = digits(Substring(last[1]), most: 3) else { throw noTime(text, line) }
        return 1000 * seconds + part * [100, 10, 1][last[1].count - 1]
    }

    private static func digits(_ text: Substring, most: Int) -> Int64? {
        guard (1...most).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func noTime(_ text: Substring, _ line: Int) -> SubtitleProblem {
        SubtitleProblem(line, "“\(text.prefix(40))” is no time like 00:00:01,000")
    }
}
