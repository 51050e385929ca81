import CompositionModel
import Timing

/// Reads how loud something is: one level, or keys.
struct VolumeReader {
    let context: ReadingContext

    /// A level, or keys.
    func read(_ node: JSONNode?) -> EditVolume? {
        guard let node else { return nil }
        guard case .array(let items) = node.value else {
            return level(node).map { EditVolume(value: .level($0.value), mark: node.mark) }
        }
        guard !items.isEmpty else {
            context.report(.wrongType, node.mark, "a list of volume keys has at least one key")
            return nil
        }
        let keys = items.compactMap { volumeKey($0) }
        return EditVolume(value: .keys(keys), mark: node.mark)
    }

    private func volumeKey(_ node: JSONNode) -> EditVolumeKey? {
        guard let fields = context.fields(node, as: .volumeKey) else { return nil }
        let (at, level) = (context.time(fields["at"], .key), level(fields["value"]))
        let ease = EaseReader(context: context).read(fields["ease"])
        guard let at, let level else { return nil }
        return EditVolumeKey(at: at, level: level, ease: ease, mark: node.mark)
    }

    /// `0.2` or `"-14dB"`.
    func level(_ node: JSONNode?) -> Marked<VolumeLevel>? {
        guard let node else { return nil }
        switch node.value {
        case .number(let text): return level(text, .linear, 0...1000, node.mark)
        case .string(let text):
            let tidy = text.lowercased().filter { $0 != " " }
            guard tidy.hasSuffix("db") else { break }
            return level(String(tidy.dropLast(2)), .decibel, -200...60, node.mark)
        default: break
        }
        wrongLevel(node)
        return nil
    }

    private func level(
        _ text: String,
        _ unit: VolumeKey.Unit,
        _ range: ClosedRange<Int64>,
        _ mark: SourceMark
    ) -> Marked<VolumeLevel>? {
        let allowed = range.lowerBound * 1_000_000...range.upperBound * 1_000_000
        guard let millionths = FixedDecimal(signed: text)?.millionths, allowed.contains(millionths) else {
            let name = unit == .linear ? "a linear volume" : "a volume in dB"
            let message = "\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \(text.prefix(40))"
            context.report(.numberRange, mark, message, suggestion: text.hasPrefix("-inf") ? "0" : nil)
            return nil
        }
        return Marked(VolumeLevel(millionths: millionths, unit: unit), mark)
    }

    private func wrongLevel(_ node: JSONNode) {
        var suggestion: String?
        if case .string(let text) = node.value, JSONReader.isNumber(text) { suggestion = text }
        if case .string = node.value {
            context.report(
                .unknownValue,
                node.mark,
                "a volume is a number or decibels as in \"-14dB\"",
                suggestion: suggestion
            )
        } else {
            context.wrongType(node, wanted: "a volume such as 0.2 or \"-14dB\"")
        }
    }
}
