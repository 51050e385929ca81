package import CompositionModel
package import Farm
import PostgreSQL

extension PostgresFarmStore {
    package func endSession(_ session: ContentDigest, expires: FarmTime) async throws(FarmStoreError) {
        try await transact { connection, now in
            let oldest = FarmTables.oldestSession(at: now).milliseconds
            let insertion = "INSERT INTO ended_session (session, expires_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING"
            try connection.batch([
                Statement("DELETE FROM ended_session WHERE expires_ms < $1", [oldest]),
                Statement(insertion, [session.description, expires.milliseconds]),
            ])
        }
    }

    package func hasEnded(_ session: ContentDigest) async throws(FarmStoreError) -> Bool {
        try await transact { connection, _ in
            let sql = "SELECT FROM ended_session WHERE session = $1"
            return try !connection.query(sql, [session.description]).isEmpty
        }
    }
}
