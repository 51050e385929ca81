/// Reads the text of a subtitle file: UTF-8 with or without a byte order mark, or UTF-16 with one.
enum SubtitleText {
    /// The largest file that is read, in bytes.
    static let mostBytes = 32 << 20

    /// The lines of a file.
    /// - Returns: The lines without their ends (CR LF, LF or CR).
    /// - Throws: ``SubtitleProblem`` when the file is empty, too large, in another encoding, or no text.
    static func lines(_ bytes: [UInt8]) throws(SubtitleProblem) -> [Substring] {
        guard !bytes.isEmpty else { throw SubtitleProblem(nil, "the file is empty") }
        guard bytes.count <= mostBytes else {
            throw SubtitleProblem(nil, "the file has \(bytes.count) bytes; the limit for subtitles is \(mostBytes)")
        }
        let unified = unifyingLineEnds(try utf8(bytes))
        if let place = unified.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0C }) {
            let message = "a control character (\(unified[place])): this is no text, or damaged"
            throw SubtitleProblem(line(of: place, in: unified), message)
        }
        guard let text = String(validating: unified, as: UTF8.self) else {
            throw SubtitleProblem(firstBadLine(unified), "the text is neither UTF-8 nor UTF-16; save it as UTF-8")
        }
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
    }

    /// Whether a file that begins with `head` is meant as text: it is UTF-16, or has hardly any control characters.
    /// About a tenth of the bytes of compressed pictures are such characters, and a few kilobytes of them easily hold a
    /// digit, an arrow and line ends.
    static func looksLikeText(_ head: [UInt8]) -> Bool {
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        let controls = head.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        return controls * 32 <= head.count
    }

    /// The readable part of a file's beginning, whatever its encoding, to tell subtitles from other files.
    static func glimpse(_ head: some Sequence<UInt8>) -> [Substring] {
        let bytes = unifyingLineEnds(head.filter { $0 != 0 && $0 != 0xFE && $0 != 0xFF && $0 != 0xEF })
        let plain = bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        return String(decoding: plain, as: UTF8.self).unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
    }

    private static func utf8(_ bytes: [UInt8]) throws(SubtitleProblem) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw SubtitleProblem(nil, "the text begins as UTF-16 and is none; save it as UTF-8")
        }
        return Array(text.utf8)
    }

    private static func unifyingLineEnds(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var wasReturn = false
        for byte in bytes {
            defer { wasReturn = byte == 0x0D }
            if byte == 0x0A && wasReturn { continue }
            result.append(byte == 0x0D ? 0x0A : byte)
        }
        return result
    }

    private static func firstBadLine(_ bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    private static func line(of place: Int, in bytes: [UInt8]) -> Int { bytes[..<place].count { $0 == 0x0A } + 1 }
}

extension SubtitleFormat {
    /// The format of a file with these first lines; nil when they do not look like subtitles.
    init?(_ lines: some Sequence<Substring>) {
        let head = lines.prefix(64).map { $0.trimmed }
        let first = head.first { !$0.isEmpty && !$0.hasPrefix(";") } ?? ""
        let sections: Set = ["[script info]", "[v4+ styles]", "[v4 styles]", "[events]", "[fonts]", "[graphics]"]
        if first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t") {
            self = .webvtt
        } else if sections.contains(first.lowercased()) {
            self = .ass
        } else if head.contains(where: { CueTiming.looksLikeOne($0) }) {
            self = .subrip
        } else {
            return nil
        }
    }
}

extension Substring {
    /// The text without spaces, tabs and form feeds at both ends.
    var trimmed: Substring {
        var rest = self[...]
        while let first = rest.unicodeScalars.first, SubtitleSpace.contains(first) { rest.unicodeScalars.removeFirst() }
        while let last = rest.unicodeScalars.last, SubtitleSpace.contains(last) { rest.unicodeScalars.removeLast() }
        return rest
    }

    /// Whether the text has no visible character.
    var isBlank: Bool { unicodeScalars.allSatisfy(SubtitleSpace.contains) }
}

private enum SubtitleSpace {
    static func contains(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\u{0C}" }
}
