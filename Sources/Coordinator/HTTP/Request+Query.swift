import Hummingbird
import WireProtocol

extension Request {
    /// A whole number of the address's query; nil where there is none of this name.
    /// - Throws: status 400 for one out of `range`, and for what is no number.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let most =
                range.upperBound == .max ? "\(range.lowerBound) on" : "\(range.lowerBound) to \(range.upperBound)"
            throw .parameter(name, text, "a whole number from \(most)")
        }
        return number
    }
}

extension Problem {
    /// The problem of a parameter of an address's query.
    /// - Parameters:
    ///   - sent: the value as it was sent, of which the beginning is shown.
    ///   - allowed: what it may be, as the end of a sentence.
    static func parameter(_ name: String, _ sent: some StringProtocol, _ allowed: String) -> Problem {
        let shown = sent.count > 40 ? sent.prefix(40) + "…" : String(sent)
        return notUnderstood("“\(name)” is “\(shown)”; it must be \(allowed).")
    }
}
