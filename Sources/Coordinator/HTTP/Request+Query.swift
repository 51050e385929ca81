import Hummingbird
import WireProtocol

extension Request {
    /// The request with those parameters of its query that are named in `names`, and no others, so that a route cannot read
    /// one that it does not declare.
    func withQuery(of names: [String]) -> Request {
        guard let address = head.path, let mark = address.firstIndex(of: "?") else { return self }
        let pairs = address[address.index(after: mark)...].split(separator: "&")
        let kept = pairs.filter { pair in names.contains { pair == $0 || pair.hasPrefix($0 + "=") } }
        guard kept.count < pairs.count else { return self }
        var head = head
        head.path = address[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return Request(head: head, body: body)
    }

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
