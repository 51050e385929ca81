import CompositionModel
import Farm
import PostgreSQL

extension PostgresFarmStore: ObjectLedger {
    func objects(
        of digests: [ContentDigest],
        keptFor milliseconds: Int64
    ) async throws(FarmStoreError) -> [ContentDigest: StoredObject] {
        guard !digests.isEmpty else { return [:] }
        return try await transact { connection, now in
            let named = digests.map(\.description)
            let half = now.adding(milliseconds: milliseconds / 2).milliseconds
            // Rows are locked in one order, so that two who look do not wait for each other. The second statement sees what
            // others renewed meanwhile; whatever it finds stays long enough, and nobody removes it.
            let renewal = """
                WITH short AS (
                    SELECT digest FROM stored_object WHERE digest = ANY($1::text[]) AND kept_until_ms < $3
                    ORDER BY digest FOR UPDATE
                )
                UPDATE stored_object SET kept_until_ms = greatest(kept_until_ms, $2)
                FROM short WHERE stored_object.digest = short.digest
                """
            try connection.query(renewal, [named, now.adding(milliseconds: milliseconds).milliseconds, half])
            let sql = """
                SELECT digest, key, byte_count FROM stored_object
                WHERE digest = ANY($1::text[]) AND kept_until_ms >= $2
                """
            let rows = try connection.query(sql, [named, half])
            return try rows.reduce(into: [:]) { found, row in
                let object = try Self.object(row)
                found[object.digest] = object
            }
        }
    }

    @discardableResult
    func note(_ object: StoredObject, keptFor milliseconds: Int64) async throws(FarmStoreError) -> StoredObject? {
        try await transact { connection, now in
            try Self.note(object, keptFor: milliseconds, connection, now)
        }
    }

    /// Notes an object within a transaction (``ObjectLedger/note(_:keptFor:)``).
    static func note(
        _ object: StoredObject,
        keptFor milliseconds: Int64,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws -> StoredObject? {
        let isUnwanted = "SELECT FROM unwanted_object WHERE key = $1 FOR SHARE"
        guard try connection.query(isUnwanted, [object.key]).isEmpty else { return nil }
        let sql = """
            INSERT INTO stored_object (digest, key, byte_count, kept_until_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT (digest) DO UPDATE
            SET kept_until_ms = greatest(stored_object.kept_until_ms, excluded.kept_until_ms)
            RETURNING digest, key, byte_count
            """
        let until = now.adding(milliseconds: milliseconds).milliseconds
        let rows = try connection.query(sql, [object.digest.description, object.key, object.byteCount, until])
        let holder = try rows.first.map(Self.object) ?? object
        if holder.key != object.key { try addUnwanted(object.key, connection, now) }
        return holder
    }

    func forget(_ object: StoredObject) async throws(FarmStoreError) {
        try await transact { connection, _ in
            let sql = "DELETE FROM stored_object WHERE digest = $1 AND key = $2"
            _ = try connection.query(sql, [object.digest.description, object.key])
        }
    }

    func settledObjects(
        after digest: ContentDigest?,
        limit: Int
    ) async throws(FarmStoreError) -> [ContentDigest] {
        try await transact { connection, now in
            let sql = """
                SELECT digest FROM stored_object WHERE kept_until_ms < $1 AND digest > $2 ORDER BY digest LIMIT $3
                """
            return try connection.query(sql, [now.milliseconds, digest?.description ?? "", limit]).compactMap {
                try $0.digest("digest")
            }
        }
    }

    func forgetUnreferenced(_ digests: [ContentDigest]) async throws(FarmStoreError) -> Int {
        guard !digests.isEmpty else { return 0 }
        return try await transact { connection, now in
            let unreferenced = try Self.unreferenced(digests, connection)
            // The time is that at which this began: whoever was told before that an object is here, and refers to it, has
            // either done so already or has the object kept, and then it is none of these.
            let sql = """
                WITH forgotten AS (
                    DELETE FROM stored_object WHERE digest = ANY($1::text[]) AND kept_until_ms < $2 RETURNING key
                )
                INSERT INTO unwanted_object (key, since_ms) SELECT key, $2 FROM forgotten ON CONFLICT DO NOTHING
                """
            return try connection.query(sql, [unreferenced.map(\.description), now.milliseconds]).affectedCount
        }
    }

    func unwantedObjects(after key: String?, limit: Int) async throws(FarmStoreError) -> [String] {
        try await transact { connection, _ in
            let sql = "SELECT key FROM unwanted_object WHERE key > $1 ORDER BY key LIMIT $2"
            return try connection.query(sql, [key ?? "", limit]).map { try $0.get("key") }
        }
    }

    func artifactPlace() async throws(FarmStoreError) -> String? {
        try await transact { connection, _ in
            try connection.query("SELECT place FROM artifact_place").first.map { try $0.get("place") }
        }
    }

    func setArtifactPlace(_ place: String) async throws(FarmStoreError) -> String {
        try await transact { connection, _ in
            try connection.query("INSERT INTO artifact_place (place) VALUES ($1) ON CONFLICT DO NOTHING", [place])
            let rows = try connection.query("SELECT place FROM artifact_place")
            return try rows.first.map { try $0.get("place") } ?? place
        }
    }

    func noteRemoved(_ keys: [String]) async throws(FarmStoreError) {
        guard !keys.isEmpty else { return }
        try await transact { connection, _ in
            _ = try connection.query("DELETE FROM unwanted_object WHERE key = ANY($1::text[])", [keys])
        }
    }

    func unknownObjects(_ keys: [String]) async throws(FarmStoreError) -> [String] {
        guard !keys.isEmpty else { return [] }
        return try await transact { connection, _ in
            let sql = """
                SELECT named.key FROM unnest($1::text[]) AS named (key)
                WHERE NOT EXISTS (SELECT FROM stored_object WHERE stored_object.key = named.key)
                    AND NOT EXISTS (SELECT FROM unwanted_object WHERE unwanted_object.key = named.key)
                    AND NOT EXISTS (SELECT FROM bucket_upload WHERE bucket_upload.key = named.key)
                """
            return try connection.query(sql, [keys]).map { try $0.get("key") }
        }
    }

    private static func object(_ row: Row) throws -> StoredObject {
        guard let digest = try row.digest("digest") else { throw FarmStoreError.unavailable("stored_object.digest") }
        return StoredObject(digest: digest, key: try row.get("key"), byteCount: try row.get("byte_count"))
    }

    static func addUnwanted(_ key: String, _ connection: isolated Connection, _ now: FarmTime) throws {
        let sql = "INSERT INTO unwanted_object (key, since_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        try connection.query(sql, [key, now.milliseconds])
    }
}
