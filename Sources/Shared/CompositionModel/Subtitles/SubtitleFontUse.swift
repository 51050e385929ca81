/// A font that subtitles ask for, and the characters drawn with it.
package struct SubtitleFontUse: Sendable, Hashable, Codable {
    /// The family as the file names it; empty means the family that the edit names.
    package var family: String
    /// The weight, 100…900: 400 is regular, 700 bold.
    package var weight: Int
    package var isItalic: Bool
    /// The characters, each once, in the order of their code points.
    package var text: String
}

/// Reads the texts of events and collects the characters drawn with each font.
struct SubtitleFontWalk {
    private struct Key: Hashable {
        var family: String
        var weight: Int
        var isItalic: Bool
    }

    private let styles: [String: AssScript.Style]
    private var scalars: [Key: Set<Unicode.Scalar>] = [:]
    /// The families as they were first written, by their names in lower case.
    private var names: [String: String] = [:]

    /// - Parameter styles: The styles by their names in lower case.
    init(styles: [String: AssScript.Style]) { self.styles = styles }

    /// The uses in the order of families, weights and slopes.
    var uses: [SubtitleFontUse] {
        scalars.filter { !$0.value.isEmpty }.map { key, scalars in
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars.sorted())
            let family = names[key.family] ?? key.family
            return SubtitleFontUse(family: family, weight: key.weight, isItalic: key.isItalic, text: text)
        }.sorted { ($0.family, $0.weight, $0.isItalic ? 1 : 0) < ($1.family, $1.weight, $1.isItalic ? 1 : 0) }
    }

    /// Adds the characters of one event's text.
    /// - Parameter style: The name of the event's style in lower case.
    mutating func read(_ text: String, style: String) {
        let base = styles[style] ?? styles["default"] ?? AssScript.Style()
        var (now, isDrawing) = (base, false)
        let scalars = Array(text.unicodeScalars)
        var place = 0
        while place < scalars.count {
            if scalars[place] == "{", let end = scalars[place...].firstIndex(of: "}") {
                tags(scalars[(place + 1)..<end], &now, base, &isDrawing)
                place = end + 1
            } else if scalars[place] == "\\", place + 1 < scalars.count {
                place += escape(scalars[place + 1], now, isDrawing)
            } else {
                if !isDrawing { draw(scalars[place], now) }
                place += 1
            }
        }
    }

    private mutating func escape(_ letter: Unicode.Scalar, _ style: AssScript.Style, _ isDrawing: Bool) -> Int {
        switch letter {
        case "N", "n": return 2
        case "h": if !isDrawing { draw("\u{A0}", style) }
        case "{", "}": if !isDrawing { draw(letter, style) }
        default:
            if !isDrawing { draw("\\", style) }
            return 1
        }
        return 2
    }

    private mutating func draw(_ scalar: Unicode.Scalar, _ style: AssScript.Style) {
        let family = style.family.lowercased()
        if names[family] == nil { names[family] = style.family }
        let key = Key(family: family, weight: style.weight, isItalic: style.isItalic)
        scalars[key, default: []].insert(scalar)
    }

    private func tags(
        _ body: ArraySlice<Unicode.Scalar>,
        _ now: inout AssScript.Style,
        _ base: AssScript.Style,
        _ isDrawing: inout Bool
    ) {
        for part in body.split(separator: "\\") {
            var tag = ""
            tag.unicodeScalars.append(contentsOf: part)
            let value = tag.filter { $0 != ")" }
            if tag.hasPrefix("fn") {
                let name = AssFamily.plain(tag.dropFirst(2))
                now.family = name.isEmpty || name == "0" ? base.family : name
            } else if tag.hasPrefix("r"), !tag.hasPrefix("rnd") {
                now = styles[tag.dropFirst().trimmedName] ?? base
            } else if let number = AssTag.number(value, "b") {
                now.weight = number.map(AssFamily.weight) ?? base.weight
            } else if let number = AssTag.number(value, "i") {
                now.isItalic = number.map { Int($0) != 0 } ?? base.isItalic
            } else if let number = AssTag.number(value, "p") {
                isDrawing = (number.flatMap { Int($0) } ?? 0) > 0
            }
        }
    }
}

private enum AssTag {
    /// The number after a tag of exactly this name: `.some(nil)` without a number, nil for another tag.
    static func number(_ tag: String, _ name: String) -> Substring?? {
        guard tag.hasPrefix(name) else { return nil }
        let value = tag.dropFirst(name.count).trimmed
        guard value.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) || $0 == "-" }) else { return nil }
        return .some(value.isEmpty ? nil : value)
    }
}

extension StringProtocol {
    fileprivate var trimmedName: String { Substring(self).trimmed.lowercased() }
}
