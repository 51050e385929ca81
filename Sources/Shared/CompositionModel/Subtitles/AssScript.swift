/// The parts of an ASS or SSA file that concern its fonts and times; libass reads all the rest.
struct AssScript {
    struct Style: Hashable {
        var family = "Arial"
        var weight = 400
        var isItalic = false
    }

    struct Event: Hashable {
        var start: Int64
        var end: Int64
        var style: String
        var text: String
        /// The number of the event's line in the file, from 1.
        var line: Int
    }

    private(set) var styles: [String: Style] = [:]
    private(set) var events: [Event] = []
    /// The bytes of the fonts that the file carries, in the order of the file.
    private(set) var fonts: [[UInt8]] = []

    private var section = ""
    private var styleFormat = [
        "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour", "backcolour", "bold",
        "italic",
    ]
    private var eventFormat = [
        "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
    ]
    private var letters: [UInt8]?

    init(_ lines: [Substring]) throws(SubtitleProblem) {
        for (index, line) in lines.enumerated() { try read(line.trimmed, number: index + 1) }
        endFont()
    }

    private mutating func read(_ line: Substring, number: Int) throws(SubtitleProblem) {
        if isHead(line) {
            endFont()
            section = line.lowercased()
            return
        }
        switch section {
        case "[fonts]": readFont(line)
        case "[events]": try readEvent(line, number)
        case "[v4+ styles]", "[v4 styles]": readStyle(line)
        default: break
        }
    }

    /// Whether the line begins a section. In `[Fonts]`, a line of data may begin with a bracket too.
    private func isHead(_ line: Substring) -> Bool {
        guard line.hasPrefix("["), line.hasSuffix("]") else { return false }
        let known = ["[events]", "[script info]", "[v4+ styles]", "[v4 styles]", "[fonts]", "[graphics]"]
        return letters == nil || known.contains(line.lowercased())
    }

    private mutating func readStyle(_ line: Substring) {
        guard let (key, value) = AssScript.pair(line) else { return }
        if key == "format" { styleFormat = AssScript.names(value) }
        guard key == "style" else { return }
        let fields = AssScript.fields(value, styleFormat)
        var style = Style()
        style.family = fields["fontname"].map(AssFamily.plain) ?? style.family
        style.weight = AssFamily.weight(fields["bold"] ?? "0")
        style.isItalic = (Int(fields["italic"] ?? "0") ?? 0) != 0
        styles[String(fields["name"] ?? "").withoutStars.lowercased()] = style
    }

    private mutating func readEvent(_ line: Substring, _ number: Int) throws(SubtitleProblem) {
        guard let (key, value) = AssScript.pair(line) else { return }
        if key == "format" { eventFormat = AssScript.names(value) }
        guard key == "dialogue" else { return }
        let fields = AssScript.fields(value, eventFormat)
        guard let start = fields["start"], let end = fields["end"], let text = fields["text"] else {
            let count = "\(fields.count) of the \(eventFormat.count)"
            throw SubtitleProblem(number, "the line has \(count) fields of a dialogue")
        }
        let timing = try CueTiming(start, end, number: number)
        let style = String(fields["style"] ?? "").withoutStars.lowercased()
        events.append(Event(start: timing.start, end: timing.end, style: style, text: String(text), line: number))
    }

    private mutating func readFont(_ line: Substring) {
        if line.lowercased().hasPrefix("fontname:") {
            endFont()
            letters = []
        } else {
            letters?.append(contentsOf: line.utf8)
        }
    }

    /// Decodes the font that was being read: four letters are three bytes, each letter 6 bits plus 33.
    private mutating func endFont() {
        guard let letters, !letters.isEmpty else {
            self.letters = nil
            return
        }
        self.letters = nil
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        for start in stride(from: 0, to: letters.count, by: 4) {
            let group = letters[start..<min(start + 4, letters.count)]
            var bits: UInt32 = 0
            for place in 0..<4 {
                let letter = place < group.count ? (group[group.startIndex + place] &- 33) & 63 : 0
                bits = bits << 6 | UInt32(letter)
            }
            let decoded = [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
            bytes += decoded.prefix(max(0, group.count - 1))
        }
        fonts.append(bytes)
    }

    private static func pair(_ line: Substring) -> (key: String, value: Substring)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (line[..<colon].trimmed.lowercased(), line[line.index(after: colon)...].trimmed)
    }

    private static func names(_ format: Substring) -> [String] {
        format.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
    }

    /// The fields of a line by their names; the last field takes all that is left.
    private static func fields(_ value: Substring, _ format: [String]) -> [String: Substring] {
        let parts = value.split(separator: ",", maxSplits: max(0, format.count - 1), omittingEmptySubsequences: false)
        return Dictionary(zip(format, parts.map(\.trimmed))) { first, _ in first }
    }
}

/// Reads families and weights as ASS writes them.
enum AssFamily {
    /// The name without the `@` that marks vertical text.
    static func plain(_ name: some StringProtocol) -> String {
        let name = Substring(name).trimmed
        return String(name.hasPrefix("@") ? name.dropFirst() : name)
    }

    /// The weight that libass takes: 1 and −1 mean bold, other numbers above 0 are weights, and anything else is
    /// regular.
    static func weight(_ text: some StringProtocol) -> Int {
        let number = Int(Substring(text).trimmed) ?? 0
        return number == 1 || number == -1 ? 700 : number <= 0 ? 400 : number
    }
}

extension String {
    /// The name without its leading stars, which mean nothing.
    fileprivate var withoutStars: String { String(drop { $0 == "*" }) }
}
