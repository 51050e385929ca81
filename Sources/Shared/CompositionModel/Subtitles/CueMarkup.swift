/// Turns the text of a cue with its tags into the text of an ASS event.
///
/// In SubRip it reads `b`, `i`, `u`, `s` and `font` with `color` and `face`; other tags are text. `{\an8}` places a
/// cue, and other override blocks are left out. In WebVTT it reads `b`, `i` and `u`; other tags are left out, and so is
/// the annotation of a ruby (`rt`).
struct CueMarkup {
    enum Dialect {
        case subrip, webvtt
    }

    private enum Open {
        case plain(String)
        case font(color: String?, face: String?)
        case silent(String)
    }

    private let dialect: Dialect
    private var output = ""
    private var alignment: Unicode.Scalar?
    private var open: [Open] = []
    /// The number of open tags whose text is left out.
    private var silence = 0

    static func assText(_ lines: some Sequence<Substring>, _ dialect: Dialect) -> String {
        var markup = CueMarkup(dialect: dialect)
        markup.read(Array(lines.joined(separator: "\n").unicodeScalars))
        return markup.alignment.map { "{\\an\($0)}" + markup.output } ?? markup.output
    }

    private init(dialect: Dialect) { self.dialect = dialect }

    private mutating func read(_ text: [Unicode.Scalar]) {
        var place = 0
        while place < text.count {
            switch text[place] {
            case "<": place = tag(text, place)
            case "{" where dialect == .subrip && place + 1 < text.count && text[place + 1] == "\\":
                place = block(text, place)
            case "&" where dialect == .webvtt: place = entity(text, place)
            default:
                write(text[place])
                place += 1
            }
        }
    }

    /// Writes a character so that ASS shows it and does not interpret it: braces and backslashes are escaped.
    private mutating func write(_ scalar: Unicode.Scalar) {
        guard silence == 0 else { return }
        switch scalar {
        case "\n": output += "\\N"
        case "{", "}": output += "\\\(scalar)"
        // A word joiner follows, so that the next letter does not make it an escape.
        case "\\": output += "\\\u{2060}"
        default: output.unicodeScalars.append(scalar)
        }
    }

    /// Reads an override block.
    /// - Returns: The place after it.
    private mutating func block(_ text: [Unicode.Scalar], _ start: Int) -> Int {
        guard let end = text[start...].firstIndex(of: "}") else {
            write(text[start])
            return start + 1
        }
        let body = text[(start + 1)..<end]
        let digits = body.dropFirst(3)
        if body.starts(with: "\\an".unicodeScalars), let digit = digits.first, ("1"..."9").contains(digit),
            digits.count == 1
        {
            alignment = alignment ?? digit
        }
        return end + 1
    }

    private mutating func entity(_ text: [Unicode.Scalar], _ start: Int) -> Int {
        guard let end = text[start...].prefix(12).firstIndex(of: ";") else {
            write(text[start])
            return start + 1
        }
        var name = ""
        name.unicodeScalars.append(contentsOf: text[(start + 1)..<end])
        guard let scalar = CueMarkup.entity(name) else {
            write(text[start])
            return start + 1
        }
        write(scalar)
        return end + 1
    }

    private static func entity(_ name: String) -> Unicode.Scalar? {
        let known: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "lrm": "\u{200E}",
            "rlm": "\u{200F}",
        ]
        if let scalar = known[name] { return scalar }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).flatMap { $0.value >= 0x20 ? $0 : nil }
    }

    /// Reads a tag, or a `<` that begins none.
    /// - Returns: The place after it.
    private mutating func tag(_ text: [Unicode.Scalar], _ start: Int) -> Int {
        guard let end = text[start...].firstIndex(of: ">") else {
            // WebVTT takes the rest as an unfinished tag.
            if dialect == .webvtt { return text.count }
            write(text[start])
            return start + 1
        }
        var body = ""
        body.unicodeScalars.append(contentsOf: text[(start + 1)..<end])
        let isClosing = body.hasPrefix("/")
        if isClosing { body.removeFirst() }
        let name = String(body.prefix { $0.isLetter }).lowercased()
        guard CueMarkup.names(dialect).contains(name) else {
            if dialect == .webvtt { return end + 1 }
            write(text[start])
            return start + 1
        }
        if isClosing { close(name) } else { begin(name, body) }
        return end + 1
    }

    private static func names(_ dialect: Dialect) -> Set<String> {
        dialect == .subrip ? ["b", "i", "u", "s", "font"] : ["b", "i", "u", "rt"]
    }

    private mutating func begin(_ name: String, _ body: String) {
        switch name {
        case "rt":
            silence += 1
            open.append(.silent(name))
        case "font":
            let attributes = CueMarkup.attributes(body)
            let color = attributes["color"].flatMap(CueColor.assColor)
            let face = attributes["face"].map { $0.filter { !"\\{}".contains($0) } }.flatMap { $0.isEmpty ? nil : $0 }
            if let color { output += "{\\c\(color)}" }
            if let face { output += "{\\fn\(face)}" }
            open.append(.font(color: color, face: face))
        default:
            output += "{\\\(name)1}"
            open.append(.plain(name))
        }
    }

    /// Ends the last open tag of that name; a closing tag without an opening one is ignored.
    private mutating func close(_ name: String) {
        let last = open.lastIndex { open in
            switch open {
            case .plain(let other), .silent(let other): other == name
            case .font: name == "font"
            }
        }
        guard let last else { return }
        switch open.remove(at: last) {
        case .silent: silence -= 1
        case .plain: output += isOpen(name) ? "" : "{\\\(name)}"
        case .font(let color, let face):
            if color != nil { output += "{\\c\(outer { $0.color } ?? "")}" }
            if face != nil { output += "{\\fn\(outer { $0.face } ?? "")}" }
        }
    }

    private func isOpen(_ name: String) -> Bool {
        open.contains { if case .plain(let other) = $0 { other == name } else { false } }
    }

    private func outer(_ part: ((color: String?, face: String?)) -> String?) -> String? {
        for tag in open.reversed() {
            if case .font(let color, let face) = tag, let found = part((color, face)) { return found }
        }
        return nil
    }

    /// The attributes of a tag, written `name="value"`, `name='value'` or `name=value`.
    private static func attributes(_ body: String) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = body.drop { $0.isLetter }
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].trimmed.lowercased()
            rest = rest[rest.index(after: sign)...].trimmed
            guard let quote = rest.first else { break }
            if quote == "\"" || quote == "'" {
                let value = rest.dropFirst().prefix { $0 != quote }
                attributes[name] = String(value)
                rest = rest.dropFirst(value.count + 2)
            } else {
                let value = rest.prefix { $0 != " " }
                attributes[name] = String(value)
                rest = rest.dropFirst(value.count)
            }
        }
        return attributes
    }
}

/// Reads colours of SubRip's font tag: `#rrggbb`, or a name of HTML.
enum CueColor {
    private static let names: [String: UInt32] = [
        "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "grey": 0x808080, "white": 0xFFFFFF,
        "maroon": 0x800000, "red": 0xFF0000, "purple": 0x800080, "fuchsia": 0xFF00FF, "magenta": 0xFF00FF,
        "green": 0x008000,
        "lime": 0x00FF00, "olive": 0x808000, "yellow": 0xFFFF00, "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080,
        "aqua": 0x00FFFF, "cyan": 0x00FFFF, "orange": 0xFFA500, "pink": 0xFFC0CB, "brown": 0xA52A2A,
    ]

    /// The colour as ASS writes it, `&HBBGGRR&`; nil when the text is no colour.
    static func assColor(_ text: String) -> String? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        let number = names[text.lowercased()] ?? (digits.count == 6 ? UInt32(digits, radix: 16) : nil)
        guard let number else { return nil }
        let swapped = (number & 0xFF) << 16 | number & 0xFF00 | number >> 16
        let hex = String(swapped, radix: 16, uppercase: true)
        return "&H" + String(repeating: "0", count: 6 - hex.count) + hex + "&"
    }
}
