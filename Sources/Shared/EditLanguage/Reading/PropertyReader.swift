import CompositionModel
import Timing

/// Reads a property that may be animated: its value, or keys.
struct PropertyReader {
    let context: ReadingContext

    /// A value, or keys.
    func read(_ node: JSONNode, _ name: String, _ form: PropertyForm) -> EditProperty? {
        guard case .array(let items) = node.value, form.count == 1 || items.contains(where: \.isObject) else {
            return quantities(node, name, form).map { value in
                let key = EditPropertyKey(at: nil, value: value, ease: nil, mark: node.mark)
                return EditProperty(keys: [key], mark: node.mark)
            }
        }
        guard !items.isEmpty else {
            context.report(.wrongType, node.mark, "a list of keys of \(name) has at least one key")
            return nil
        }
        let keys = items.compactMap { propertyKey($0, name, form) }
        return keys.count == items.count ? EditProperty(keys: keys, mark: node.mark) : nil
    }

    private func propertyKey(_ node: JSONNode, _ name: String, _ form: PropertyForm) -> EditPropertyKey? {
        guard let fields = context.fields(node, as: .propertyKey) else { return nil }
        let (at, ease) = (context.time(fields["at"], .key), EaseReader(context: context).read(fields["ease"]))
        guard let value = fields["value"].flatMap({ quantities($0, name, form) }), let at else { return nil }
        return EditPropertyKey(at: at, value: value, ease: ease, mark: node.mark)
    }

    /// All numbers of a property; a lone number stands for each of a pair of factors.
    private func quantities(_ node: JSONNode, _ name: String, _ form: PropertyForm) -> [EditQuantity]? {
        if form.count == 1 || (form.unit == .factor && !node.isArray) {
            return quantity(node, name, form).map { Array(repeating: $0, count: form.count) }
        }
        guard case .array(let items) = node.value, items.count == form.count else {
            context.wrongType(node, wanted: "\(name) as a list of \(form.count) numbers, \(form.example), or of keys")
            return nil
        }
        let numbers = items.compactMap { quantity($0, name, form) }
        return numbers.count == form.count ? numbers : nil
    }

    func quantity(_ node: JSONNode, _ name: String, _ form: PropertyForm) -> EditQuantity? {
        switch (node.value, form.unit) {
        case (.number(let text), _): return quantity(text, .plain, form.range, name, node.mark)
        case (.string(let text), .length): return length(text, form.range, name, node.mark)
        case (.string(let text), _) where JSONReader.isNumber(text):
            context.wrongType(node, wanted: "a number", suggestion: text)
            return nil
        case (.string(let text), .factor), (.string(let text), .part):
            context.wrongType(node, wanted: "a number", suggestion: Self.part(ofPercent: text))
            return nil
        default:
            context.wrongType(node, wanted: form.isLength ? "a length such as 40 or \"5%\"" : "a number")
            return nil
        }
    }

    /// `"150%"` as the number 1.5.
    private static func part(ofPercent text: String) -> String? {
        guard text.hasSuffix("%"), let number = try? FixedDecimal(String(text.dropLast())),
            number.millionths.isMultiple(of: 100)
        else { return nil }
        return FixedDecimal(millionths: number.millionths / 100).description
    }

    /// `"40px"`, `"5%"`, `"8%w"`, `"8%h"`.
    private func length(
        _ text: String,
        _ range: ClosedRange<Int64>,
        _ name: String,
        _ mark: SourceMark
    ) -> EditQuantity? {
        let units: [(String, EditQuantity.Unit)] = [
            ("%w", .percentOfWidth), ("%h", .percentOfHeight), ("%", .percent), ("px", .plain),
        ]
        guard let (suffix, unit) = units.first(where: { text.hasSuffix($0.0) }) else {
            let isNumber = JSONReader.isNumber(text)
            let message = "“\(text.prefix(40))” is no length; write pixels as a number, or \"5%\", \"5%w\", \"5%h\""
            context.report(.unknownValue, mark, message, suggestion: isNumber ? text : nil)
            return nil
        }
        let percents = max(range.lowerBound, -10_000)...10_000
        return quantity(String(text.dropLast(suffix.count)), unit, unit == .plain ? range : percents, name, mark)
    }

    private func quantity(
        _ text: String,
        _ unit: EditQuantity.Unit,
        _ range: ClosedRange<Int64>,
        _ name: String,
        _ mark: SourceMark
    ) -> EditQuantity? {
        let allowed = range.lowerBound * 1_000_000...range.upperBound * 1_000_000
        guard let number = try? FixedDecimal(text), allowed.contains(number.millionths) else {
            let sign = unit == .plain ? "" : " %"
            let bounds = "from \(range.lowerBound) to \(range.upperBound)\(sign)"
            context.report(.numberRange, mark, "\(name) is a number \(bounds), not \(text.prefix(40))")
            return nil
        }
        return EditQuantity(millionths: number.millionths, unit: unit)
    }
}

extension PropertyForm {
    fileprivate var isLength: Bool {
        if case .length = unit { true } else { false }
    }

    /// What a value may look like, for messages.
    fileprivate var example: String {
        switch (unit, count) {
        case (.length, 4): "[0, 0, \"10%\", 40]"
        case (.length, _): "[\"50%\", 200]"
        case (.factor, _): "[1.5, 1]"
        default: "[10, 0]"
        }
    }
}

extension JSONNode {
    fileprivate var isObject: Bool {
        if case .object = value { true } else { false }
    }

    fileprivate var isArray: Bool {
        if case .array = value { true } else { false }
    }
}
