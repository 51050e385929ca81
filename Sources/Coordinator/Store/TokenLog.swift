import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// The log of tokens.
enum TokenLog {
    /// Notes that `principal` changed a token.
    static func note(
        _ action: TokenLogLine.Action,
        _ id: TokenID,
        _ principal: Principal,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws {
        let sql = "INSERT INTO token_log (at_ms, action, token, who, with_token) VALUES ($1, $2, $3, $4, $5)"
        let values: [any Parameter] = [
            now.milliseconds, action.rawValue, id.uuid, principal.owner, principal.credential?.token.uuid,
        ]
        try connection.query(sql, values)
    }

    /// Notes that a token was presented: when, to the minute, and once for each address and day.
    static func noteUse(
        _ action: TokenLogLine.Action,
        _ principal: Principal,
        from address: String,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws {
        guard let token = principal.credential?.token else { return }
        if action == .used {
            let sql = """
                UPDATE token SET used_ms = $2::bigint
                WHERE id = $1 AND coalesce(used_ms, 0) <= $2::bigint - 60000
                """
            try connection.query(sql, [token.uuid, now.milliseconds])
        }
        // The first look takes no number of the sequence for what is noted already.
        let sql = """
            INSERT INTO token_log (at_ms, action, token, who, address)
            SELECT $1::bigint, $2::text, $3::uuid, $4::text, $5::text WHERE NOT EXISTS (
                SELECT FROM token_log WHERE token = $3::uuid AND action = $2::text AND address = $5::text
                    AND at_ms / 86400000 = $1::bigint / 86400000 AND action IN ('used', 'refused')
            ) ON CONFLICT DO NOTHING
            """
        try connection.query(sql, [now.milliseconds, action.rawValue, token.uuid, principal.owner, address])
    }

    /// The last lines, the newest first.
    static func lines(
        of token: TokenID?,
        limit: Int,
        _ connection: isolated Connection
    ) throws -> [TokenLogLine] {
        let sql = """
            SELECT token_log.*, token.name FROM token_log JOIN token ON token.id = token_log.token
            WHERE \(token == nil ? "$1::uuid IS NULL" : "token_log.token = $1") ORDER BY number DESC LIMIT $2
            """
        return try connection.query(sql, [token?.uuid, limit]).map { row in
            let address: String = try row.get("address")
            return TokenLogLine(
                at: try row.time("at_ms").date,
                action: try row.word("action"),
                token: try row.identifier("token"),
                name: try row.get("name"),
                who: try row.get("who"),
                withToken: try row.optional("with_token", as: UUID.self).map { TokenID(uuid: $0) },
                address: address.isEmpty ? nil : address
            )
        }
    }
}
