import CompositionModel
import Timing

/// Reads the name of an ease.
struct EaseReader {
    let context: ReadingContext

    /// The name of an ease.
    func read(_ node: JSONNode?) -> Marked<Easing>? {
        guard let text = context.text(node) else { return nil }
        if let easing = Easing(text.value) { return Marked(easing, text.mark) }
        if text.value.hasPrefix("cubicBezier") {
            let rule = "a cubicBezier(a,b,c,d) has a and c from 0 to 1 and b and d from -10 to 10"
            context.report(.unknownValue, text.mark, "\(rule), not \"\(text.value.prefix(60))\"")
        } else {
            let nearest = Self.nearestEase(to: text.value)
            let known = "hold, linear, in, out or inOut with Sine, Quad, …, or cubicBezier(a,b,c,d)"
            let message = "there is no ease \"\(text.value.prefix(40))\", only \(known)"
            context.report(.unknownValue, text.mark, message, suggestion: nearest.map(JSONText.quoted))
        }
        return nil
    }

    /// The ease that is called so elsewhere (`easeInOut`, `ease-out-quad`), or nearly so here.
    static func nearestEase(to word: String) -> String? {
        let names = Easing.named.map(\.name)
        var letters = word.prefix(40).lowercased().filter(\.isLetter)
        if letters == "ease" { return "inOutSine" }
        if letters.hasPrefix("ease") { letters.removeFirst(4) }
        if ["in", "out", "inout"].contains(letters) { letters += "cubic" }
        return names.first { $0.lowercased() == letters } ?? Spelling.nearest(to: letters, in: names)
            ?? Spelling.nearest(to: word, in: names)
    }
}
