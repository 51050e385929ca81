import CompositionModel

extension ReadingContext {
    /// `#rrggbb` or `#rrggbbaa`, in lower case.
    func color(_ node: JSONNode?) -> Marked<String>? {
        guard let color = text(node) else { return nil }
        guard ColorText.isColor(color.value) else {
            noColor(color, "is no colour; write #rrggbb or #rrggbbaa")
            return nil
        }
        return Marked(color.value.lowercased(), color.mark)
    }

    /// `#rrggbb`, in lower case.
    /// - Parameter refusal: what is said of a text that is none.
    func opaqueColor(
        _ node: JSONNode?,
        refusal: String = "is no colour; write it as \"#rrggbb\""
    ) -> Marked<String>? {
        guard let color = text(node) else { return nil }
        guard ColorText.isColor(color.value), color.value.utf8.count == 7 else {
            noColor(color, refusal)
            return nil
        }
        return Marked(color.value.lowercased(), color.mark)
    }

    /// Says of a text where a colour is expected that it is none.
    func noColor(_ text: Marked<String>, _ refusal: String) {
        let suggestion = ColorText.suggestion(for: text.value)
        report(.unknownValue, text.mark, "“\(text.value.prefix(40))” \(refusal)", suggestion: suggestion)
    }
}
