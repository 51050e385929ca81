import CompositionModel
import Timing

extension ReadingContext {
    /// Text that is not empty.
    func text(_ node: JSONNode?) -> Marked<String>? {
        guard let node else { return nil }
        guard case .string(let text) = node.value else {
            var suggestion: String?
            if case .number(let number) = node.value { suggestion = JSONText.quoted(number) }
            wrongType(node, wanted: "a string", suggestion: suggestion)
            return nil
        }
        guard !text.isEmpty else {
            report(.unknownValue, node.mark, "the text is empty")
            return nil
        }
        guard !text.utf8.contains(0) else {
            report(.unknownValue, node.mark, "the text has the control character U+0000, at which names end")
            return nil
        }
        return Marked(text, node.mark)
    }

    /// True or false.
    func flag(_ node: JSONNode?) -> Marked<Bool>? {
        guard let node else { return nil }
        guard case .bool(let flag) = node.value else {
            wrongType(node, wanted: "true or false")
            return nil
        }
        return Marked(flag, node.mark)
    }

    /// A whole number within `range`.
    func integer(_ node: JSONNode?, in range: ClosedRange<Int>, of what: String) -> Marked<Int>? {
        guard let node else { return nil }
        guard case .number(let text) = node.value else {
            wrongType(node, wanted: "a whole number")
            return nil
        }
        guard let number = Int(text), range.contains(number) else {
            let message = "\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
            report(.numberRange, node.mark, message)
            return nil
        }
        return Marked(number, node.mark)
    }

    /// A number above 0 and at most `most`.
    func factor(_ node: JSONNode?, _ name: String, upTo most: Int64) -> Marked<FixedDecimal>? {
        guard let node else { return nil }
        guard case .number(let text) = node.value else {
            wrongType(node, wanted: "a number")
            return nil
        }
        guard let number = try? FixedDecimal(text), (1...most * 1_000_000).contains(number.millionths) else {
            let message = "\(name) is a number above 0 and at most \(most), not \(text.prefix(40))"
            report(.numberRange, node.mark, message)
            return nil
        }
        return Marked(number, node.mark)
    }

    /// One of the words of `Word`. `later` are words of the edit language that this version refuses.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ node: JSONNode?,
        _ what: String,
        later: [String] = []
    ) -> Marked<Word>? {
        guard let text = text(node) else { return nil }
        if let word = Word(rawValue: text.value) { return Marked(word, text.mark) }
        if later.contains(text.value) {
            unsupported(text.mark, "the \(what) \"\(text.value)\"")
            return nil
        }
        unknownValue(text, what, known: Word.allCases.map(\.rawValue))
        return nil
    }

    /// Says of a text that it is none of the words `known`, and which it may have been meant to be.
    func unknownValue(_ text: Marked<String>, _ what: String, known: [String]) {
        let suggestion = Spelling.nearest(to: text.value, in: known) ?? (known.count == 1 ? known[0] : nil)
        let list = known.map(JSONText.quoted).joined(separator: ", ")
        let message = "there is no \(what) \"\(text.value)\", only \(list)"
        report(.unknownValue, text.mark, message, suggestion: suggestion.map(JSONText.quoted))
    }

    /// The items of a list.
    func list(_ node: JSONNode?) -> [JSONNode] {
        guard let node else { return [] }
        guard case .array(let items) = node.value else {
            wrongType(node, wanted: "a list")
            return []
        }
        return items
    }

    /// The members of an object with free names; those that begin with `x-` are left out.
    func map(_ node: JSONNode?) -> [JSONMember] {
        guard let node else { return [] }
        guard case .object(let members) = node.value else {
            wrongType(node, wanted: "an object")
            return []
        }
        return members.filter { !$0.key.hasPrefix("x-") }
    }
}
