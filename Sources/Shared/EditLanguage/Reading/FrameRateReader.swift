import CompositionModel
import Timing

/// Reads a frame rate, wherever one is written.
struct FrameRateReader {
    let context: ReadingContext

    /// Frames per second within ``Limits/frameRates``, exact: `"25"`, `"30000/1001"`, `"12.5"`.
    func read(_ node: JSONNode?) -> Marked<FrameRate>? {
        guard let node else { return nil }
        if case .number(let number) = node.value {
            let suggestion = Self.exactRates[number] ?? number
            context.wrongType(node, wanted: "a frame rate in quotes", suggestion: JSONText.quoted(suggestion))
            return nil
        }
        guard let text = context.text(node) else { return nil }
        if let exact = Self.exactRates[text.value] {
            let message = "“\(text.value)” is a rounded frame rate; the exact one is \(exact)"
            context.report(.unknownValue, text.mark, message, suggestion: JSONText.quoted(exact))
            return nil
        }
        return frameRate(text)
    }

    private func frameRate(_ text: Marked<String>) -> Marked<FrameRate>? {
        guard let rate = Self.rate(of: text.value) else {
            let message = "“\(text.value.prefix(40))” is no frame rate; write \"25\" or \"30000/1001\""
            context.report(.unknownValue, text.mark, message)
            return nil
        }
        let limits = Limits.frameRates
        guard limits.contains(rate.framesPerSecond) else {
            let range = "from \(limits.lowerBound) to \(limits.upperBound)"
            context.report(.numberRange, text.mark, "a frame rate is \(range) frames per second, not \(rate)")
            return nil
        }
        return Marked(rate, text.mark)
    }

    private static func rate(of text: String) -> FrameRate? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.map { try? DecimalText($0) }
        if parts.count == 1, let number = numbers[0] {
            guard let value = try? RationalTime(wide: number.mantissa, over: number.scale) else { return nil }
            return try? FrameRate(value.numerator, value.denominator)
        }
        guard parts.count == 2, let top = Int64(parts[0]), let bottom = Int64(parts[1]), bottom > 0 else { return nil }
        return try? FrameRate(top, bottom)
    }

    /// What people write for the rates of NTSC, and what they are.
    private static let exactRates = [
        "23.98": "24000/1001", "23.976": "24000/1001", "29.97": "30000/1001", "47.952": "48000/1001",
        "47.95": "48000/1001", "59.94": "60000/1001", "119.88": "120000/1001",
    ]
}
