public import Farm
import PostgreSQL
public import Shared

extension PostgresFarmStore {
    public func putAsset(_ asset: StoredAsset) async throws(FarmStoreError) {
        try await transact { connection, _ in
            let sql = """
                INSERT INTO asset (digest, record, path) VALUES ($1, $2, $3)
                ON CONFLICT (digest) DO UPDATE SET record = excluded.record, path = excluded.path
                """
            let record = try JSONColumn.text(asset.record)
            try connection.query(sql, [asset.record.digest.description, record, asset.path])
        }
    }

    public func asset(_ digest: ContentDigest) async throws(FarmStoreError) -> StoredAsset? {
        try await transact { connection, _ in
            let sql = "SELECT record, path FROM asset WHERE digest = $1"
            return try connection.query(sql, [digest.description]).first.map {
                StoredAsset(record: try $0.json("record"), path: try $0.optional("path"))
            }
        }
    }
}
