import Foundation
import WireProtocol

/// Tokens, and the log about them, as tables for people.
enum TokenTable {
    /// The tokens, or a sentence when there are none.
    static func text(_ tokens: [TokenView]) -> String {
        guard !tokens.isEmpty else { return "No token was made by command; those of a token file are not listed." }
        let rows = tokens.map { token in
            [
                token.id.description, token.name.visible, token.owner.visible, token.scopes.joined(separator: ","),
                state(token), token.lastUsed.map(time) ?? "never", time(token.created), token.createdBy.visible,
            ]
        }
        return TextTable(["token", "name", "owner", "scopes", "valid", "last used", "made", "by"], rows).text
    }

    /// The lines of the log.
    static func text(_ lines: [TokenLogLine]) -> String {
        let rows = lines.map { line in
            [
                time(line.at), line.action.rawValue, line.name.visible, line.token.description, line.who.visible,
                line.address ?? "",
            ]
        }
        return TextTable(["time", "what", "name", "token", "by", "from"], rows).text
    }

    private static func state(_ token: TokenView) -> String {
        if let revoked = token.revoked { return "revoked \(time(revoked))" }
        guard let expires = token.expires else { return "yes" }
        return (token.isValid ? "until " : "ended ") + time(expires)
    }

    private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}
