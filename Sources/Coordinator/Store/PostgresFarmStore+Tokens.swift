import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore: TokenStore {
    func createToken(_ token: DrawnToken, by principal: Principal) async throws(FarmStoreError) -> TokenView {
        try await transact { connection, now in
            var generator = SystemRandomNumberGenerator()
            let id = TokenID(milliseconds: UInt64(clamping: now.milliseconds), using: &generator)
            let scopes = token.scopes.map(\.rawValue).sorted().joined(separator: ",")
            let expires = token.milliseconds.map { now.adding(milliseconds: $0).milliseconds }
            let sql = """
                INSERT INTO token (id, name, owner, scopes, created_ms, created_by, expires_ms)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """
            let values: [any Parameter] = [
                id.uuid, token.name, token.owner, scopes, now.milliseconds, principal.owner, expires,
            ]
            try connection.query(sql, values)
            try connection.query("INSERT INTO token_secret (token, digest) VALUES ($1, $2)", [id.uuid, token.digest])
            try TokenLog.note(.created, id, principal, connection, now)
            return try TokenQuery.view(id, connection, now)
        }
    }

    func rotateToken(
        _ id: TokenID,
        to digest: Data,
        overlapMilliseconds: Int64,
        by principal: Principal
    ) async throws(FarmStoreError) -> TokenView? {
        try await transact { connection, now in
            guard try connection.query("SELECT FROM token WHERE id = $1 FOR UPDATE", [id.uuid]).first != nil,
                try TokenQuery.view(id, connection, now).isValid
            else { return nil }
            let end = now.adding(milliseconds: overlapMilliseconds).milliseconds
            try connection.query(
                "UPDATE token_secret SET ends_ms = least(ends_ms, $2) WHERE token = $1",
                [id.uuid, end]
            )
            try connection.query("INSERT INTO token_secret (token, digest) VALUES ($1, $2)", [id.uuid, digest])
            try TokenLog.note(.rotated, id, principal, connection, now)
            return try TokenQuery.view(id, connection, now)
        }
    }

    func revokeToken(_ id: TokenID, by principal: Principal) async throws(FarmStoreError) -> TokenView? {
        try await transact { connection, now in
            let sql = "UPDATE token SET revoked_ms = $2 WHERE id = $1 AND revoked_ms IS NULL RETURNING id"
            if try connection.query(sql, [id.uuid, now.milliseconds]).first != nil {
                try TokenLog.note(.revoked, id, principal, connection, now)
            }
            return try TokenQuery.views("id = $1", [id.uuid], connection, now).first
        }
    }

    func tokens() async throws(FarmStoreError) -> [TokenView] {
        try await transact { connection, now in try TokenQuery.views("true", [], connection, now) }
    }

    func tokenLog(of token: TokenID?, limit: Int) async throws(FarmStoreError) -> [TokenLogLine] {
        try await transact { connection, _ in try TokenLog.lines(of: token, limit: limit, connection) }
    }

    func presentToken(_ digest: Data, from address: String) async throws(FarmStoreError) -> PresentedToken {
        try await transact { connection, now in
            let sql = """
                SELECT token.*, number, ends_ms FROM token_secret JOIN token ON token.id = token_secret.token
                WHERE digest = $1
                """
            guard let row = try connection.query(sql, [digest]).first else { return .unknown }
            let principal = Principal(
                owner: try row.get("owner"),
                scopes: Set(
                    try row.get("scopes", as: String.self).split(separator: ",").compactMap {
                        Scope(rawValue: String($0))
                    }
                ),
                credential: .init(token: try row.identifier("id"), secret: try row.get("number"))
            )
            let end = try TokenEnd(row, at: now)
            try TokenLog.noteUse(end == nil ? .used : .refused, principal, from: address, connection, now)
            return try end.map { .over($0.sentence(about: try row.get("name"))) } ?? .valid(principal)
        }
    }

    func isValidSecret(_ number: Int64) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let sql = """
                SELECT expires_ms, revoked_ms, ends_ms FROM token_secret JOIN token ON token.id = token_secret.token
                WHERE number = $1
                """
            guard let row = try connection.query(sql, [number]).first else { return false }
            return try TokenEnd(row, at: now) == nil
        }
    }
}
