package import CompositionModel
package import Farm
package import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func askForSource(_ order: SourceOrder, owner: String) async throws(FarmStoreError) -> SourceRecord {
        try await transact { connection, now in
            let fresh = SourceRecord(order, owner: owner, at: now)
            if var source = try Self.locked(fresh.id, connection) {
                source.ask(at: now)
                try Self.write(source, connection)
                return source
            }
            let unfinished = "SELECT count(*) AS count FROM source WHERE owner = $1 AND due_ms IS NOT NULL"
            let count: Int = try connection.query(unfinished, [owner]).first?.get("count") ?? 0
            guard count < SourceRecord.mostUnfinished else { throw FarmStoreError.tooManySources(owner) }
            let insertion = """
                INSERT INTO source (id, owner, state, due_ms, touched_ms, record) VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT DO NOTHING
                """
            let values = try Self.values(fresh)
            guard try connection.query(insertion, [fresh.id.description, owner] + values).affectedCount == 0 else {
                return fresh
            }
            // Another coordinator was asked for the same at the same time.
            return try Self.locked(fresh.id, connection) ?? fresh
        }
    }

    package func source(_ id: ContentDigest) async throws(FarmStoreError) -> SourceRecord? {
        try await transact { connection, _ in
            try connection.query("SELECT record FROM source WHERE id = $1", [id.description]).first.map {
                try $0.json("record")
            }
        }
    }

    package func claimSource(by claim: UUID) async throws(FarmStoreError) -> SourceRecord? {
        try await transact { connection, now in
            let sql = """
                SELECT record FROM source WHERE due_ms <= $1 ORDER BY due_ms, id LIMIT 1 FOR UPDATE SKIP LOCKED
                """
            guard let row = try connection.query(sql, [now.milliseconds]).first else { return nil }
            var source: SourceRecord = try row.json("record")
            source.take(by: claim, at: now)
            try Self.write(source, connection)
            return source
        }
    }

    package func reportSource(
        _ id: ContentDigest,
        by claim: UUID,
        _ report: SourceReport
    ) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            guard var source = try Self.locked(id, connection), source.follow(report, by: claim, at: now) else {
                return false
            }
            try Self.write(source, connection)
            return true
        }
    }

    @discardableResult
    package func forgetSources(untouchedFor age: Int64) async throws(FarmStoreError) -> Int {
        try await transact { connection, now in
            let sql = "DELETE FROM source WHERE due_ms IS NULL AND touched_ms < $1"
            return try connection.query(sql, [now.adding(milliseconds: -age).milliseconds]).affectedCount
        }
    }

    private static func locked(
        _ id: ContentDigest,
        _ connection: isolated Connection
    ) throws -> SourceRecord? {
        let sql = "SELECT record FROM source WHERE id = $1 FOR UPDATE"
        guard let row = try connection.query(sql, [id.description]).first else { return nil }
        return try row.json("record")
    }

    private static func write(_ source: SourceRecord, _ connection: isolated Connection) throws {
        let sql = "UPDATE source SET state = $2, due_ms = $3, touched_ms = $4, record = $5 WHERE id = $1"
        _ = try connection.query(sql, [source.id.description] + values(source))
    }

    /// State, due, touched and record, as they stand in a row.
    private static func values(_ source: SourceRecord) throws -> [any Parameter] {
        [
            source.state.rawValue, source.due?.milliseconds, source.touched.milliseconds,
            try JSONColumn.text(source),
        ]
    }
}
