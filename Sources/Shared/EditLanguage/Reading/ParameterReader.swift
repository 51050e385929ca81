import CompositionModel
import Timing

/// Reads one member of `params`: the type of a parameter and its value.
struct ParameterReader {
    let context: ReadingContext

    /// - Parameter given: a value that replaces the default, as text.
    /// - Returns: nil after a finding.
    func read(_ member: JSONMember, given: String?) -> JSONNode.Value? {
        guard let fields = context.fields(member.node, as: .parameter),
            let type: Marked<ParameterType> = context.word(fields["type"], "type of parameter")
        else { return nil }
        let value: JSONNode.Value? = given.map { type.value == .number ? .number($0) : .string($0) }
        guard let value = value ?? fields["default"]?.value else {
            let message = "the parameter “\(member.key)” has no value and no default"
            context.report(.parameterValue, member.keyMark, message)
            return nil
        }
        guard Self.fits(value, type.value) else {
            let mark = given == nil ? fields["default"]?.mark ?? member.keyMark : member.keyMark
            context.report(.parameterValue, mark, "the value of “\(member.key)” is no \(type.value.rawValue)")
            return nil
        }
        return value
    }

    private static func fits(_ value: JSONNode.Value, _ type: ParameterType) -> Bool {
        switch (type, value) {
        case (.number, .number(let text)): JSONReader.isNumber(text)
        case (.asset, .string(let text)): !text.isEmpty
        case (.string, .string): true
        case (.time, .string(let text)): (try? TimeText.read(text)) != nil
        case (.color, .string(let text)): ColorText.isColor(text)
        default: false
        }
    }
}
