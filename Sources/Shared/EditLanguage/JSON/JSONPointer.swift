import CompositionModel

/// JSON Pointer (RFC 6901).
enum JSONPointer {
    static func appending(_ key: String, to pointer: String) -> String { pointer + "/" + SourcePath.escaped(key) }

    static func appending(_ index: Int, to pointer: String) -> String { "\(pointer)/\(index)" }

    /// The reference tokens, unescaped.
    static func tokens(_ pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }
}

extension JSONNode {
    /// The value that `pointer` names or, when the document has none, the nearest one on the way to it.
    func nearest(to pointer: String) -> JSONNode {
        var node = self
        for token in JSONPointer.tokens(pointer) {
            guard let next = node.child(token) else { return node }
            node = next
        }
        return node
    }

    private func child(_ token: String) -> JSONNode? {
        guard case .array(let items) = value else { return self[token] }
        guard let index = Int(token), items.indices.contains(index) else { return nil }
        return items[index]
    }
}
