import CompositionModel
import Farm
import Foundation
import ObjectStorage
import PostgreSQL
import WireProtocol

extension PostgresFarmStore: BucketUploadLedger {
    /// The time without a part after which an upload makes room for another one of its owner's, in milliseconds.
    private static let leftAlone: Int64 = 600_000

    func begin(
        _ upload: BucketUpload,
        atMost count: Int,
        _ byteCount: Int64
    ) async throws(FarmStoreError) -> BucketUpload {
        try await transact { connection, now in
            // One at a time of each owner, or two would both find room.
            let turn = "SELECT pg_advisory_xact_lock(hashtext('bucket_upload'), hashtext($1))"
            try connection.query(turn, [upload.owner])
            if let there = try Self.upload(upload.digest, upload.owner, connection) {
                if there.byteCount == upload.byteCount, there.state != .refused { return there }
                try Self.forget(there, connection, now)
            }
            if try Self.lack(of: upload, atMost: count, byteCount, connection) != nil {
                let sql = """
                    DELETE FROM bucket_upload WHERE owner = $1 AND state = 'sending' AND touched_ms < $2
                    """
                try connection.query(sql, [upload.owner, now.adding(milliseconds: -Self.leftAlone).milliseconds])
            }
            if let lack = try Self.lack(of: upload, atMost: count, byteCount, connection) {
                let advice = "finish some, or wait until they are forgotten."
                throw FarmStoreError.overQuota("One owner may have \(lack) of unfinished uploads; \(advice)")
            }
            let sql = """
                INSERT INTO bucket_upload (owner, digest, byte_count, key, upload, state, touched_ms)
                VALUES ($1, $2, $3, $4, $5, 'sending', $6)
                """
            let values: [any Parameter] = [
                upload.owner, upload.digest.description, upload.byteCount, upload.upload.key, upload.upload.id,
                now.milliseconds,
            ]
            try connection.query(sql, values)
            return upload
        }
    }

    /// What the owner has no room for beside what there is; nil when there is room.
    private static func lack(
        of upload: BucketUpload,
        atMost count: Int,
        _ byteCount: Int64,
        _ connection: isolated Connection
    ) throws -> String? {
        let sql = """
            SELECT count(*) AS count, coalesce(sum(byte_count), 0)::bigint AS bytes FROM bucket_upload
            WHERE owner = $1 AND state <> 'refused'
            """
        guard let row = try connection.query(sql, [upload.owner]).first else { return nil }
        let (there, bytes): (Int64, Int64) = (try row.get("count"), try row.get("bytes"))
        if there >= Int64(count) { return "\(count)" }
        return upload.byteCount > byteCount - min(bytes, byteCount) ? "\(byteCount) bytes" : nil
    }

    func bucketUpload(_ digest: ContentDigest, of owner: String) async throws(FarmStoreError) -> BucketUpload? {
        try await transact { connection, _ in try Self.upload(digest, owner, connection) }
    }

    func touch(_ upload: BucketUpload) async throws(FarmStoreError) {
        try await transact { connection, now in
            let sql = "UPDATE bucket_upload SET touched_ms = $2 WHERE key = $1 AND state = 'sending'"
            _ = try connection.query(sql, [upload.upload.key, now.milliseconds])
        }
    }

    func noteArrival(of upload: BucketUpload) async throws(FarmStoreError) {
        try await transact { connection, now in
            let sql = "UPDATE bucket_upload SET state = 'waiting', touched_ms = $2 WHERE key = $1 AND state = 'sending'"
            _ = try connection.query(sql, [upload.upload.key, now.milliseconds])
        }
    }

    func forget(_ upload: BucketUpload) async throws(FarmStoreError) {
        try await transact { connection, now in try Self.forget(upload, connection, now) }
    }

    func forgetUploads(untouchedFor milliseconds: Int64) async throws(FarmStoreError) -> [MultipartUpload] {
        try await transact { connection, now in
            let sql = "DELETE FROM bucket_upload WHERE touched_ms < $1 RETURNING *"
            let gone = try connection.query(sql, [now.adding(milliseconds: -milliseconds).milliseconds]).map {
                try BucketUpload($0)
            }
            for upload in gone { try Self.addUnwanted(upload.upload.key, connection, now) }
            return gone.filter { $0.state == .sending }.map(\.upload)
        }
    }

    // MARK: Probing

    func claimProbe(
        _ id: ProbeID,
        upTo byteCount: Int64,
        for milliseconds: Int64
    ) async throws(FarmStoreError) -> BucketUpload? {
        try await transact { connection, now in
            while true {
                let sql = """
                    SELECT * FROM bucket_upload
                    WHERE byte_count <= $1 AND (state = 'waiting' OR (state = 'probing' AND claimed_until_ms < $2))
                    ORDER BY touched_ms, key LIMIT 1 FOR UPDATE SKIP LOCKED
                    """
                guard let row = try connection.query(sql, [byteCount, now.milliseconds]).first else { return nil }
                let upload = try BucketUpload(row)
                if upload.state == .probing {
                    let failed = ProbeOutcome.failed(ProbeOutcome.silence)
                    try Self.end(upload, failures: try row.get("failures"), failed, connection, now)
                    continue
                }
                let claiming = """
                    UPDATE bucket_upload SET state = 'probing', claim = $2, claimed_until_ms = $3 WHERE key = $1
                    """
                let until = now.adding(milliseconds: milliseconds).milliseconds
                try connection.query(claiming, [upload.upload.key, id.uuid, until])
                return upload
            }
        }
    }

    func renewProbe(_ id: ProbeID, for milliseconds: Int64) async throws(FarmStoreError) -> BucketUpload? {
        try await transact { connection, now in
            let sql = """
                UPDATE bucket_upload SET claimed_until_ms = $2, touched_ms = greatest(touched_ms, $3) WHERE claim = $1
                RETURNING *
                """
            let until = now.adding(milliseconds: milliseconds).milliseconds
            return try connection.query(sql, [id.uuid, until, now.milliseconds]).first.map { try BucketUpload($0) }
        }
    }

    func endProbe(_ id: ProbeID, _ outcome: ProbeOutcome) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let sql = "SELECT * FROM bucket_upload WHERE claim = $1 FOR UPDATE"
            guard let row = try connection.query(sql, [id.uuid]).first else { return false }
            try Self.end(try BucketUpload(row), failures: try row.get("failures"), outcome, connection, now)
            return true
        }
    }

    func noteProber(factsVersion: Int) async throws(FarmStoreError) {
        try await transact { connection, now in
            let sql = """
                INSERT INTO prober (facts_version, seen_ms) VALUES ($1, $2)
                ON CONFLICT (facts_version) DO UPDATE SET seen_ms = greatest(prober.seen_ms, excluded.seen_ms)
                """
            _ = try connection.query(sql, [factsVersion, now.milliseconds])
        }
    }

    func hasProber(factsVersion: Int, within milliseconds: Int64) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let sql = "SELECT FROM prober WHERE facts_version = $1 AND seen_ms >= $2"
            let since = now.adding(milliseconds: -milliseconds).milliseconds
            return try !connection.query(sql, [factsVersion, since]).isEmpty
        }
    }

    // MARK: Rows

    private static func upload(
        _ digest: ContentDigest,
        _ owner: String,
        _ connection: isolated Connection
    ) throws -> BucketUpload? {
        let sql = "SELECT * FROM bucket_upload WHERE owner = $1 AND digest = $2"
        return try connection.query(sql, [owner, digest.description]).first.map { try BucketUpload($0) }
    }

    private static func forget(_ upload: BucketUpload, _ connection: isolated Connection, _ now: FarmTime) throws {
        let sql = "DELETE FROM bucket_upload WHERE key = $1"
        guard try connection.query(sql, [upload.upload.key]).affectedCount > 0 else { return }
        try addUnwanted(upload.upload.key, connection, now)
    }

    /// Ends the claim of a locked row.
    private static func end(
        _ upload: BucketUpload,
        failures: Int,
        _ outcome: ProbeOutcome,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws {
        var (failures, refusal) = (failures, Problem?.none)
        switch outcome {
        case .taken:
            try connection.query("DELETE FROM bucket_upload WHERE key = $1", [upload.upload.key])
            return
        case .refused(let problem): refusal = problem
        case .failed(let problem):
            failures += 1
            if failures >= ProbeOutcome.mostFailures { refusal = problem }
        case .handedBack: break
        }
        let sql = """
            UPDATE bucket_upload SET state = $2, claim = NULL, claimed_until_ms = NULL, failures = $3, problem = $4
            WHERE key = $1
            """
        let state: BucketUpload.State = refusal == nil ? .waiting : .refused
        try connection.query(sql, [upload.upload.key, state.rawValue, failures, try JSONColumn.text(refusal)])
        if refusal != nil { try addUnwanted(upload.upload.key, connection, now) }
    }
}

extension BucketUpload {
    /// Reads a row of the table `bucket_upload`.
    /// - Throws: ``DatabaseError``; `DecodingError` for a value that an incompatible program wrote.
    fileprivate init(_ row: Row) throws {
        guard let digest = try row.digest("digest") else { throw FarmStoreError.unavailable("bucket_upload.digest") }
        self.init(
            owner: try row.get("owner"),
            digest: digest,
            byteCount: try row.get("byte_count"),
            upload: MultipartUpload(key: try row.get("key"), id: try row.get("upload")),
            state: try row.word("state"),
            problem: try row.optionalJSON("problem")
        )
    }
}
