/// Reads a number of sound with its unit, such as `"-20dB"`, `"2kHz"` or `"20ms"`.
struct SoundQuantityReader {
    let context: ReadingContext

    /// A number with its unit, in millionths of it.
    func read(_ node: JSONNode, _ parameter: ProcessorParameter) -> Int64? {
        guard let written = written(node, parameter) else { return nil }
        guard parameter.range.contains(written) else {
            let bounds =
                "from \(parameter.text(parameter.range.lowerBound)) to \(parameter.text(parameter.range.upperBound))"
            context.report(.numberRange, node.mark, "\(parameter.name) is \(bounds), not \(parameter.text(written))")
            return nil
        }
        if parameter.name == "order", !written.isMultiple(of: 1_000_000) {
            context.report(.numberRange, node.mark, "order is a whole number, not \(parameter.text(written))")
            return nil
        }
        return written
    }

    private func written(_ node: JSONNode, _ parameter: ProcessorParameter) -> Int64? {
        if parameter.unit == .seconds { return seconds(node) }
        switch node.value {
        case .number(let text): if let number = FixedDecimal(signed: text) { return number.millionths }
        case .string(let text):
            let tidy = text.lowercased().filter { $0 != " " }
            for (suffix, factor) in parameter.unit.suffixes where tidy.hasSuffix(suffix) {
                let number = FixedDecimal(signed: tidy.dropLast(suffix.count))
                guard let (value, overflow) = number?.millionths.multipliedReportingOverflow(by: factor), !overflow
                else { break }
                return value
            }
        default: break
        }
        var suggestion: String?
        if case .string(let text) = node.value, let number = FixedDecimal(signed: text) {
            let quoted = JSONText.quoted(parameter.text(number.millionths))
            suggestion = parameter.unit.suffixes.isEmpty ? number.description : "without quotes, or \(quoted)"
        }
        context.wrongType(node, wanted: "\(parameter.name) as \(parameter.unit.example)", suggestion: suggestion)
        return nil
    }

    /// A time in seconds: a processor knows no frames.
    private func seconds(_ node: JSONNode) -> Int64? {
        guard let time = context.time(node, .gap) else { return nil }
        guard case .seconds(let seconds) = time.value,
            let count = try? seconds.count(of: RationalTime(1, 1_000_000)).value
        else {
            context.report(.timeSyntax, node.mark, "this time is in seconds, as in \"0.2s\" or \"20ms\"")
            return nil
        }
        return count
    }
}

extension ProcessorParameter {
    /// `-20 dB`.
    fileprivate func text(_ millionths: Int64) -> String {
        let number = FixedDecimal(millionths: millionths).description
        return switch unit {
        case .seconds: number + " s"
        case .decibels: number + " dB"
        case .truePeak: number + " dBTP"
        case .loudness: number + " LUFS"
        case .hertz: number + " Hz"
        case .factor: number
        }
    }
}

extension ProcessorParameter.Unit {
    /// How it may end, and how many units that is.
    fileprivate var suffixes: [(String, Int64)] {
        switch self {
        case .decibels: [("db", 1)]
        case .truePeak: [("dbtp", 1), ("db", 1)]
        case .loudness: [("lufs", 1)]
        case .hertz: [("khz", 1000), ("hz", 1)]
        case .seconds, .factor: []
        }
    }

    fileprivate var example: String {
        switch self {
        case .seconds: "a time such as \"20ms\""
        case .decibels: "decibels such as \"-20dB\""
        case .truePeak: "decibels such as \"-1dBTP\""
        case .loudness: "a loudness such as \"-16LUFS\""
        case .hertz: "a frequency such as \"80Hz\" or \"2kHz\""
        case .factor: "a number"
        }
    }
}
