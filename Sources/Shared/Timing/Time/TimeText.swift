/// The forms in which an edit writes a time (docs/time.md, "Written times").
package enum TimeText {
    /// Reads `"1001/30000"`, `"2.5s"`, `"150ms"`, `"15f"`, `"00:00:01:12"`, `"00:00:01;12"`, `"48000@44100"`, `"#120"`.
    /// Every form except timecode, sample counts and frame numbers may be negative.
    /// - Parameter suggests: Whether an error says what is probably meant, which costs a hundred times the reading.
    /// - Throws: A ``TimeTextError`` of rule ``TimeTextError/Rule/syntax`` when the text has none of these forms, and
    ///   of rule ``TimeTextError/Rule/overflow`` when the time does not fit into `Int64` over `Int64`.
    package static func read(_ text: String, suggests: Bool = true) throws(TimeTextError) -> EditTime {
        do {
            if let time = try form(of: text) { return time }
        } catch {
            throw .overflow(text)
        }
        throw TimeTextError(
            rule: .syntax,
            message: syntaxMessage(text),
            suggestion: suggests ? suggestion(for: text) : nil
        )
    }

    /// The time that `text` writes.
    /// - Returns: nil when the text has none of the forms.
    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    private static func form(of text: String) throws(TimeError) -> EditTime? {
        let (part, bytes) = (text[...], text.utf8)
        // All forms are ASCII, whose bytes are many times as quick to look at as characters.
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        func ahead(of count: Int) -> Substring { part[..<bytes.index(bytes.endIndex, offsetBy: -count)] }
        func place(of byte: UInt8) -> String.Index? { bytes.firstIndex(of: byte) }
        func behind(_ place: String.Index) -> Substring { part[bytes.index(after: place)...] }
        if bytes.first == UInt8(ascii: "#") { return try digits(behind(part.startIndex)).map(EditTime.frameNumber) }
        if place(of: UInt8(ascii: ":")) != nil { return try timecode(part) }
        if let at = place(of: UInt8(ascii: "@")) { return try samples(part[..<at], behind(at)) }
        if let slash = place(of: UInt8(ascii: "/")) { return try fraction(part[..<slash], behind(slash)) }
        switch bytes.last {
        case UInt8(ascii: "f"): return try whole(ahead(of: 1)).map(EditTime.frames)
        case UInt8(ascii: "s"):
            let isMilliseconds = bytes.dropLast().last == UInt8(ascii: "m")
            return try decimal(ahead(of: isMilliseconds ? 2 : 1), unitsPerSecond: isMilliseconds ? 1000 : 1)
        default: return nil
        }
    }

    private static func samples(_ count: Substring, _ rate: Substring) throws(TimeError) -> EditTime? {
        guard let count = try digits(count), let rate = try digits(rate), rate > 0 else { return nil }
        return .samples(count, rate: Int(rate))
    }

    private static func fraction(_ top: Substring, _ bottom: Substring) throws(TimeError) -> EditTime? {
        guard let top = try whole(top), let bottom = try digits(bottom), bottom > 0 else { return nil }
        return .seconds(try RationalTime(top, bottom))
    }

    private static func decimal(_ text: Substring, unitsPerSecond: Int128) throws(TimeError) -> EditTime? {
        guard let number = try DecimalText(text) else { return nil }
        let (bottom, overflows) = number.scale.multipliedReportingOverflow(by: unitsPerSecond)
        guard !overflows else { throw .overflow }
        return .seconds(try RationalTime(wide: number.mantissa, over: bottom))
    }

    /// `h…:mm:ss:ff` or `h…:mm:ss;ff`; hours and frames have two digits or more.
    private static func timecode(_ text: Substring) throws(TimeError) -> EditTime? {
        let isDropFrame = text.contains(";")
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        let separators = text.filter { $0 == ":" || $0 == ";" }
        guard parts.count == 4, separators == (isDropFrame ? "::;" : ":::") else { return nil }
        guard parts[1].utf8.count == 2, parts[2].utf8.count == 2, parts[0].utf8.count >= 2, parts[3].utf8.count >= 2
        else { return nil }
        guard let hours = try digits(parts[0]), let minutes = try digits(parts[1]),
            let seconds = try digits(parts[2]), let frames = try digits(parts[3])
        else { return nil }
        return .timecode(
            Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames, isDropFrame: isDropFrame)
        )
    }

    /// The number that `text` writes as digits, with or without a minus sign; nil for any other text.
    private static func whole(_ text: Substring) throws(TimeError) -> Int64? {
        guard text.utf8.first == UInt8(ascii: "-") else { return try digits(text) }
        return try digits(text[text.utf8.index(after: text.startIndex)...]).map { -$0 }
    }

    private static func digits(_ text: Substring) throws(TimeError) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        guard let number = Int64(text) else { throw .overflow }
        return number
    }
}

extension TimeText {
    private static func syntaxMessage(_ text: String) -> String {
        "“\(text.prefix(60))” is no time; write seconds (\"2.5s\", \"150ms\", \"1001/30000\"), frames (\"15f\"), "
            + "timecode (\"00:00:01:12\") or samples (\"48000@44100\")"
    }

    /// The time that `text` probably means, in quotes, such as `"2s"` for `2 sec`; nil when no guess reads as a time.
    package static func suggestion(for text: String) -> String? {
        let tidy = text.lowercased().filter { !$0.isWhitespace }
        // "7m" means minutes, not milliseconds.
        if let minutes = tidy.wholeMatch(of: /([0-9]{1,6})(m|min|mins|minutes?)/) {
            return Int(minutes.1).map { "\"\($0 * 60)s\"" }
        }
        if let hours = tidy.wholeMatch(of: /([0-9]{1,4})(h|hours?)/) { return Int(hours.1).map { "\"\($0 * 3600)s\"" } }
        var candidates = [
            tidy, tidy + "s", tidy.replacing("frames", with: "f").replacing("frame", with: "f"),
            tidy.replacing("seconds", with: "s").replacing("sec", with: "s"),
        ]
        // Add the zero that is missing in front of ".5s", ".5" and "0:00:01:12".
        if tidy.hasPrefix(".") || tidy.contains(":") { candidates += ["0" + tidy, "0" + tidy + "s"] }
        return candidates.first { (try? form(of: $0)) != nil }.map { "\"\($0)\"" }
    }
}
