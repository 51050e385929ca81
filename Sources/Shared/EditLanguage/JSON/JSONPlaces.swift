import CompositionModel
import Synchronization

/// Finds the places of values in a text. The text is read for it when a place is asked for the first time: few are, and a
/// document in memory has many times the bytes of its text.
final class JSONPlaces: Sendable {
    private enum Document {
        case unread(String)
        case read(JSONNode?)
    }

    private let document: Mutex<Document>

    init(of text: String) { document = Mutex(.unread(text)) }

    /// The place of the value that `pointer` names or, when the text has none, of the nearest one on the way to it; nil
    /// for a text that is no JSON.
    func mark(of pointer: String) -> SourceMark? {
        document.withLock { document in
            if case .unread(let text) = document { document = .read(JSONReader.read(text).root) }
            guard case .read(let root) = document else { return nil }
            return root?.nearest(to: pointer).mark
        }
    }
}
