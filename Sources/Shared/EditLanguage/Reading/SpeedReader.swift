import CompositionModel
import Timing

/// Reads how fast a segment runs: one speed, or keys of a time-remap curve.
struct SpeedReader {
    let context: ReadingContext

    /// A number, or keys.
    func read(_ node: JSONNode?) -> Marked<EditSpeed>? {
        guard let node else { return nil }
        guard case .array(let items) = node.value else {
            return constant(node).map { Marked(.constant($0), node.mark) }
        }
        guard !items.isEmpty else {
            context.report(.wrongType, node.mark, "a list of speed keys has at least one key")
            return nil
        }
        let keys = items.compactMap { speedKey($0) }
        return keys.count == items.count ? Marked(.ramp(keys), node.mark) : nil
    }

    private func speedKey(_ node: JSONNode) -> EditSpeedKey? {
        guard let fields = context.fields(node, as: .speedKey) else { return nil }
        let (at, value, ease) = (context.time(fields["at"], .key), keySpeed(fields["value"]), speedEase(fields["ease"]))
        guard let at, let value, let ease else { return nil }
        return EditSpeedKey(at: at, millionths: value, ease: ease, mark: node.mark)
    }

    /// 0 holds the source for a while; millionths are fine enough for a speed that changes.
    private func keySpeed(_ node: JSONNode?) -> Int64? {
        guard let node else { return nil }
        if case .number(let text) = node.value, let number = (try? FixedDecimal(text)) ?? nil, number.millionths == 0 {
            return 0
        }
        guard let speed = constant(node) else { return nil }
        return try? speed.count(of: RationalTime(1, 1_000_000)).value
    }

    private func speedEase(_ node: JSONNode?) -> Easing? {
        guard let node else { return .linear }
        guard let text = context.text(node) else { return nil }
        if let ease = Easing(text.value) { return ease }
        unknownEase(text)
        return nil
    }

    private func unknownEase(_ text: Marked<String>) {
        let suggestion = EaseReader.nearestEase(to: text.value)
        let message = "there is no ease \"\(text.value.prefix(40))\"; there are hold, linear, thirty like inOutSine"
        context.report(
            .unknownValue,
            text.mark,
            message + " and cubicBezier(a,b,c,d)",
            suggestion: suggestion.map(JSONText.quoted)
        )
    }

    /// `2`, `0.5`, `"1/2"`, `"-1"`: a fraction or decimal within ± ``Limits/speeds``.
    func constant(_ node: JSONNode) -> RationalTime? {
        let text: String
        switch node.value {
        case .number(let number): text = number
        case .string(let string): text = string
        default:
            context.wrongType(node, wanted: "a speed such as 2, \"1/2\" or -1")
            return nil
        }
        guard let speed = Self.fraction(text) else {
            let message = "“\(text.prefix(40))” is no speed; write a number or a fraction such as \"1/2\""
            context.report(.unknownValue, node.mark, message, suggestion: Self.speedMeant(by: text))
            return nil
        }
        guard speed != .zero, Limits.allows(speed: speed) else {
            let range = "from \(Limits.speeds.lowerBound) to \(Limits.speeds.upperBound), backwards from -1/20 to -20"
            let hold = speed == .zero ? "; \"freeze\" of a clip with picture holds a frame" : ""
            context.report(.numberRange, node.mark, "a speed is \(range), not \(text.prefix(40))\(hold)")
            return nil
        }
        return speed
    }

    /// - Returns: nil for what is neither `n/d` nor a decimal, or does not fit.
    private static func fraction(_ text: String) -> RationalTime? {
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
