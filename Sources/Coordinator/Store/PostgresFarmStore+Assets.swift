package import CompositionModel
package import Farm
import PostgreSQL
import WireProtocol

extension PostgresFarmStore {
    package func putAsset(_ asset: StoredAsset) async throws(FarmStoreError) {
        try await transact { connection, _ in
            let sql = """
                INSERT INTO asset (digest, record, path, frame_indexes) VALUES ($1, $2, $3, $4)
                ON CONFLICT (digest) DO UPDATE
                SET record = excluded.record, path = excluded.path, frame_indexes = excluded.frame_indexes,
                    used_ms = excluded.used_ms
                """
            let record = try JSONColumn.text(asset.record)
            let indexes = asset.record.frameIndexes.values.map(\.description)
            try connection.query(sql, [asset.record.digest.description, record, asset.path, indexes])
        }
    }

    package func asset(_ digest: ContentDigest) async throws(FarmStoreError) -> StoredAsset? {
        try await transact { connection, now in
            let sql = "SELECT record, path, used_ms FROM asset WHERE digest = $1"
            guard let row = try connection.query(sql, [digest.description]).first else { return nil }
            let latest = now.adding(milliseconds: -Self.useInterval).milliseconds
            if try row.get("used_ms", as: Int64.self) < latest {
                // Whoever asks may be about to use it (RetentionStore).
                let note = "UPDATE asset SET used_ms = $2 WHERE digest = $1"
                try connection.query(note, [digest.description, now.milliseconds])
            }
            return StoredAsset(record: try row.json("record"), path: try row.optional("path"))
        }
    }

    /// The milliseconds within which the uses of an asset are noted once.
    private static let useInterval: Int64 = 600_000

    package func unreferenced(_ digests: [ContentDigest]) async throws(FarmStoreError) -> [ContentDigest] {
        guard !digests.isEmpty else { return [] }
        return try await transact { connection, _ in try Self.unreferenced(digests, connection) }
    }

    /// The ones of `digests` that nothing refers to.
    static func unreferenced(
        _ digests: [ContentDigest],
        _ connection: isolated Connection
    ) throws -> [ContentDigest] {
        let sql = """
            SELECT named.digest FROM unnest($1::text[]) WITH ORDINALITY AS named (digest, place)
            WHERE NOT EXISTS (SELECT FROM asset WHERE asset.digest = named.digest)
                AND NOT EXISTS (SELECT FROM asset WHERE asset.frame_indexes @> ARRAY[named.digest])
                AND NOT EXISTS (SELECT FROM part WHERE part.artifact = named.digest)
                AND NOT EXISTS (SELECT FROM job WHERE job.artifact = named.digest AND job.output_removed_ms IS NULL)
                AND NOT EXISTS (
                    SELECT FROM task JOIN job ON job.id = task.job
                    WHERE task.artifact = named.digest
                        AND (task.stage = cardinality(job.remaining) - 1 AND job.output_removed_ms IS NULL
                            OR job.state IN ('queued', 'rendering', 'stitching'))
                )
            ORDER BY named.place
            """
        return try connection.query(sql, [digests.map(\.description)]).compactMap { try $0.digest("digest") }
    }
}
