import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// Tokens as clients see them.
enum TokenQuery {
    /// One token that is there.
    static func view(_ id: TokenID, _ connection: isolated Connection, _ now: FarmTime) throws -> TokenView {
        guard let view = try views("id = $1", [id.uuid], connection, now).first else {
            throw FarmStoreError.unavailable("A token vanished in the middle of a transaction.")
        }
        return view
    }

    /// The tokens for which a condition holds, the newest first.
    static func views(
        _ condition: String,
        _ parameters: [any Parameter],
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws -> [TokenView] {
        let sql = """
            SELECT *, (SELECT max(ends_ms) FROM token_secret WHERE token = token.id AND ends_ms > \(now.milliseconds))
                AS overlap_ms, NULL AS ends_ms
            FROM token WHERE \(condition) ORDER BY id DESC
            """
        return try connection.query(sql, parameters).map { row in
            TokenView(
                id: try row.identifier("id"),
                name: try row.get("name"),
                owner: try row.get("owner"),
                scopes: try row.get("scopes", as: String.self).split(separator: ",").map(String.init),
                created: try row.time("created_ms").date,
                createdBy: try row.get("created_by"),
                expires: try row.optionalTime("expires_ms")?.date,
                revoked: try row.optionalTime("revoked_ms")?.date,
                lastUsed: try row.optionalTime("used_ms")?.date,
                overlapEnds: try row.optionalTime("overlap_ms")?.date,
                isValid: try TokenEnd(row, at: now) == nil
            )
        }
    }
}

/// Why a token, or one of its secrets, is no longer valid.
struct TokenEnd: Equatable {
    private enum Reason: Equatable { case revoked, expired, replaced }

    private let reason: Reason
    private let at: FarmTime

    /// Reads a row of `token` with the end of a secret; nil when both are valid.
    init?(_ row: Row, at now: FarmTime) throws(DatabaseError) {
        if let revoked = try row.optionalTime("revoked_ms") {
            (reason, at) = (.revoked, revoked)
        } else if let expires = try row.optionalTime("expires_ms"), expires <= now {
            (reason, at) = (.expired, expires)
        } else if let ends = try row.optionalTime("ends_ms"), ends <= now {
            (reason, at) = (.replaced, ends)
        } else {
            return nil
        }
    }

    /// One sentence for whoever presents it.
    func sentence(about name: String) -> String {
        let (time, token) = (at.date.formatted(.iso8601), "The token “\(name.visible)”")
        return switch reason {
        case .revoked: "\(token) was revoked at \(time); ask whoever runs the farm for another."
        case .expired: "\(token) expired at \(time); ask whoever runs the farm for another."
        case .replaced: "\(token) was rotated, and this secret of it ended at \(time); use its newest one."
        }
    }
}
