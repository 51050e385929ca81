import Curl
import Synchronization

/// The token of a connection, which is read again when the coordinator refuses it: so a token is rotated by replacing a
/// file, and whatever uses it goes on.
final class ClientToken: Sendable {
    private let kept: Mutex<String>
    private let reread: (@Sendable () -> String?)?

    init(_ text: String, reread: (@Sendable () -> String?)?) {
        kept = Mutex(text)
        self.reread = reread
    }

    /// The token that is known; empty for none.
    var text: String { kept.withLock(\.self) }

    /// The header that carries a token.
    static func header(_ text: String) -> [(name: String, value: String)] {
        text.isEmpty ? [] : [(name: "Authorization", value: "Bearer \(text)")]
    }

    /// A refused request with the token as it is kept now.
    /// - Returns: nil when that is the one that was refused, or cannot be read.
    func replacement(in request: HTTPRequest) -> HTTPRequest? {
        let name = "Authorization"
        guard let newest = reread?(), !newest.isEmpty,
            request.headers.first(where: { $0.name == name })?.value != "Bearer \(newest)"
        else { return nil }
        kept.withLock { $0 = newest }
        var request = request
        request.headers = Self.header(newest) + request.headers.filter { $0.name != name }
        return request
    }
}
