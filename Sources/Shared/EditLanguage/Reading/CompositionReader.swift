import CompositionModel
import Foundation

/// Reads a `composition/1`, a document that is in the canonical form already.
struct CompositionReader {
    let context: ReadingContext

    /// A document that is in the canonical form already. Its form is checked here, its sense when it is compiled.
    func read(_ root: JSONNode) -> Composition? {
        guard case .object = root.value, hasWholeNumbers(root) else { return nil }
        do {
            let text = JSONText.compact(root)
            let composition = try JSONDecoder().decode(Composition.self, from: Data(text.utf8))
            try checkKeys(of: root, against: composition)
            return composition
        } catch let error as DecodingError {
            report(error, in: root)
        } catch {
            context.report(.composition, root.mark, "the composition cannot be read: \(error)")
        }
        return nil
    }

    /// The canonical form has strings and whole numbers only.
    private func hasWholeNumbers(_ node: JSONNode) -> Bool {
        switch node.value {
        case .number(let text) where Int64(text) == nil:
            context.report(
                .composition,
                node.mark,
                "the canonical form has whole numbers of 64 bits only, not \(text.prefix(40))"
            )
            return false
        case .array(let items): return items.allSatisfy { hasWholeNumbers($0) }
        case .object(let members): return members.allSatisfy { $0.key.hasPrefix("x-") || hasWholeNumbers($0.node) }
        case .invalid: return false
        default: return true
        }
    }

    /// What decoding did not take up is an unknown key: decoding alone would ignore it.
    private func checkKeys(of root: JSONNode, against composition: Composition) throws {
        let encoded = String(decoding: try JSONEncoder().encode(composition), as: UTF8.self)
        if let canonical = JSONReader.read(encoded).root { compare(root, canonical) }
    }

    private func compare(_ node: JSONNode, _ canonical: JSONNode) {
        switch (node.value, canonical.value) {
        case (.array(let items), .array(let others)):
            for (item, other) in zip(items, others) { compare(item, other) }
        case (.object(let members), .object(let others)):
            for member in members where !member.key.hasPrefix("x-") {
                if let other = canonical[member.key] {
                    compare(member.node, other)
                } else if member.node.value != .null {
                    let suggestion = Spelling.nearest(to: member.key, in: others.map(\.key))
                    let message = "the canonical form has no key \"\(member.key)\" here"
                    context.report(.unknownKey, member.keyMark, message, suggestion: suggestion.map(JSONText.quoted))
                }
            }
        default: break
        }
    }

    private func report(_ error: DecodingError, in root: JSONNode) {
        let (path, what) = Self.describe(error)
        let pointer = path.reduce("") { pointer, key in
            key.intValue.map { JSONPointer.appending($0, to: pointer) }
                ?? JSONPointer.appending(key.stringValue, to: pointer)
        }
        let place = root.nearest(to: pointer).mark
        context.report(.composition, place, "the composition cannot be read here: \(what)")
    }

    private static func describe(_ error: DecodingError) -> (path: [any CodingKey], what: String) {
        switch error {
        case .keyNotFound(let key, let context):
            (context.codingPath, "the key \"\(key.stringValue)\" is missing")
        case .typeMismatch(let type, let context): (context.codingPath, "a value of type \(type) is expected")
        case .valueNotFound(let type, let context):
            (context.codingPath, "a value of type \(type) is expected, not null")
        case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
        @unknown default: ([], "\(error)")
        }
    }
}
