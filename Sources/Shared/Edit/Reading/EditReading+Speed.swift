extension EditReading {
    /// `2`, `0.5`, `"1/2"`, `"-1"`: a fraction or decimal within ± ``Limits/speeds``.
    mutating func speed(_ node: JSONNode?) -> Marked<RationalTime>? {
        guard let node else { return nil }
        let text: String
        switch node.value {
        case .number(let number): text = number
        case .string(let string): text = string
        default:
            wrongType(node, wanted: "a speed such as 2, \"1/2\" or -1")
            return nil
        }
        guard let speed = EditReading.fraction(text) else {
            let message = "“\(text.prefix(40))” is no speed; write a number or a fraction such as \"1/2\""
            report(.unknownValue, node.mark, message, suggestion: EditReading.speedMeant(by: text))
            return nil
        }
        guard speed != .zero, Limits.allows(speed: speed) else {
            let range = "from \(Limits.speeds.lowerBound) to \(Limits.speeds.upperBound), backwards from -1/20 to -20"
            let hold = speed == .zero ? "; \"freeze\" holds a frame" : ""
            report(.numberRange, node.mark, "a speed is \(range), not \(text.prefix(40))\(hold)")
            return nil
        }
        return Marked(speed, node.mark)
    }

    /// - Returns: nil for what is neither `n/d` nor a decimal, or does not fit.
    static func fraction(_ text: String) -> RationalTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let top = Int64(parts[0]), let bottom = Int64(parts[1]), bottom > 0 {
            return try? RationalTime(top, bottom)
        }
        guard parts.count == 1, let number = (try? FixedDecimal(text)) ?? nil else { return nil }
        return try? RationalTime(number.millionths, 1_000_000)
    }

    /// `"2x"` and `"50%"` are how players say it.
    private static func speedMeant(by text: String) -> String? {
        let tidy = text.lowercased().filter { !$0.isWhitespace }
        if tidy.hasSuffix("x"), fraction(String(tidy.dropLast())) != nil { return "\"\(tidy.dropLast())\"" }
        guard tidy.hasSuffix("%"), let percent = fraction(String(tidy.dropLast())),
            let speed = try? percent.divided(by: RationalTime(whole: 100))
        else { return nil }
        return "\"\(speed)\""
    }
}
