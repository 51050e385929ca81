import CompositionModel
import Timing

/// Reads a number of sound with its unit, such as `"-20dB"`, `"2kHz"` or `"20ms"`.
struct SoundQuantityReader {
    let context: ReadingContext

    /// A number with its unit, in millionths of it; the standard value where none is written, and after a finding.
    func read(_ node: JSONNode?, _ quantity: SoundQuantity) -> Int64 {
        node.flatMap { value($0, quantity) } ?? quantity.standard
    }

    /// A number with its unit, in millionths of it; nil after a finding.
    func value(_ node: JSONNode, _ quantity: SoundQuantity) -> Int64? {
        guard let written = written(node, quantity) else { return nil }
        guard quantity.range.contains(written) else {
            let (least, most) = (quantity.range.lowerBound, quantity.range.upperBound)
            let bounds = "from \(quantity.text(least)) to \(quantity.text(most))"
            let message = "\(quantity.name) is \(bounds), not \(quantity.text(written))"
            context.report(.numberRange, node.mark, message)
            return nil
        }
        if quantity.isWhole, !written.isMultiple(of: 1_000_000) {
            let message = "\(quantity.name) is a whole number, not \(quantity.text(written))"
            context.report(.numberRange, node.mark, message)
            return nil
        }
        return written
    }

    private func written(_ node: JSONNode, _ quantity: SoundQuantity) -> Int64? {
        if quantity.unit == .seconds { return seconds(node) }
        switch node.value {
        case .number(let text): if let number = FixedDecimal(signed: text) { return number.millionths }
        case .string(let text):
            let tidy = text.lowercased().filter { $0 != " " }
            for (suffix, factor) in quantity.unit.suffixes where tidy.hasSuffix(suffix) {
                let number = FixedDecimal(signed: tidy.dropLast(suffix.count))
                guard let (value, overflow) = number?.millionths.multipliedReportingOverflow(by: factor), !overflow
                else { break }
                return value
            }
        default: break
        }
        var suggestion: String?
        if case .string(let text) = node.value, let number = FixedDecimal(signed: text) {
            let quoted = JSONText.quoted(quantity.text(number.millionths))
            suggestion = quantity.unit.suffixes.isEmpty ? number.description : "without quotes, or \(quoted)"
        }
        context.wrongType(node, wanted: "\(quantity.name) as \(quantity.unit.example)", suggestion: suggestion)
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

extension SoundQuantity {
    /// A value with its unit, such as `-20 dB`.
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

extension SoundQuantity.Unit {
    /// The endings that a number may have, in lower case, each with the number of units that it stands for.
    fileprivate var suffixes: [(String, Int64)] {
        switch self {
        case .decibels: [("db", 1)]
        case .truePeak: [("dbtp", 1), ("db", 1)]
        case .loudness: [("lufs", 1)]
        case .hertz: [("khz", 1000), ("hz", 1)]
        case .seconds, .factor: []
        }
    }

    /// What a value may look like, for messages.
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
