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
                    SELECT * FROM bucket_upload WHERE owner = $1 AND state = 'sending' AND touched_ms < $2 FOR UPDATE
                    """
                let since = now.adding(milliseconds: -Self.leftAlone).milliseconds
                for row in try connection.query(sql, [upload.owner, since]) {
                    try Self.forget(try BucketUpload(row), connection, now)
                }
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
            let sql = "UPDATE bucket_upload SET touched_ms = greatest(touched_ms, $2) WHERE key = $1"
            _ = try connection.query(sql, [upload.upload.key, now.milliseconds])
        }
    }

    func noteArrival(of upload: BucketUpload) async throws(FarmStoreError) {
        try await transact { connection, now in
            let sql = """
                UPDATE bucket_upload SET state = 'waiting', touched_ms = $2, arrived_ms = $2
                WHERE key = $1 AND state = 'sending'
                """
            _ = try connection.query(sql, [upload.upload.key, now.milliseconds])
        }
    }

    func forget(_ upload: BucketUpload) async throws(FarmStoreError) {
        try await transact { connection, now in try Self.forget(upload, connection, now) }
    }

    func forgetUploads(untouchedFor milliseconds: Int64) async throws(FarmStoreError) {
        try await transact { connection, now in
            let sql = "SELECT * FROM bucket_upload WHERE touched_ms < $1 ORDER BY key FOR UPDATE SKIP LOCKED"
            for row in try connection.query(sql, [now.adding(milliseconds: -milliseconds).milliseconds]) {
                try Self.forget(try BucketUpload(row), connection, now)
            }
        }
    }

    func unwantedUploads(limit: Int) async throws(FarmStoreError) -> [MultipartUpload] {
        try await transact { connection, _ in
            try connection.query("SELECT key, upload FROM unwanted_upload ORDER BY key LIMIT $1", [limit]).map {
                MultipartUpload(key: try $0.get("key"), id: try $0.get("upload"))
            }
        }
    }

    func noteAborted(_ upload: MultipartUpload) async throws(FarmStoreError) {
        try await transact { connection, _ in
            _ = try connection.query("DELETE FROM unwanted_upload WHERE key = $1", [upload.key])
        }
    }

    func waitingTime(of upload: BucketUpload) async throws(FarmStoreError) -> Int64? {
        try await transact { connection, now in
            let sql = "SELECT arrived_ms FROM bucket_upload WHERE key = $1"
            let arrived = try connection.query(sql, [upload.upload.key]).first?.optionalTime("arrived_ms")
            return arrived.map { now.milliseconds - $0.milliseconds }
        }
    }

    // MARK: Probing

    func claimProbe(
        _ id: ProbeID,
        upTo byteCount: Int64,
        for milliseconds: Int64
    ) async throws(FarmStoreError) -> BucketUpload? {
        try await transact { connection, now in
            // The answer to a transaction that was committed may be lost, and then it runs once more.
            let own = "SELECT * FROM bucket_upload WHERE claim = $1"
            if let row = try connection.query(own, [id.uuid]).first { return try BucketUpload(row) }
            while true {
                let sql = """
                    SELECT * FROM bucket_upload
                    WHERE byte_count <= $1 AND (state = 'waiting' OR (state = 'probing' AND claimed_until_ms < $2))
                    ORDER BY arrived_ms, key LIMIT 1 FOR UPDATE SKIP LOCKED
                    """
                guard let row = try connection.query(sql, [byteCount, now.milliseconds]).first else { return nil }
                let upload = try BucketUpload(row)
                if upload.state == .probing {
                    try Self.end(row, .silent, connection, now)
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

    func noteProbed(_ id: ProbeID, keptFor milliseconds: Int64) async throws(FarmStoreError) -> StoredObject? {
        try await transact { connection, now in
            let sql = "SELECT * FROM bucket_upload WHERE claim = $1 FOR UPDATE"
            guard let row = try connection.query(sql, [id.uuid]).first else { return nil }
            return try Self.note(try BucketUpload(row).object, keptFor: milliseconds, connection, now)
        }
    }

    func endProbe(_ id: ProbeID, _ outcome: ProbeOutcome) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let sql = "SELECT * FROM bucket_upload WHERE claim = $1 FOR UPDATE"
            guard let row = try connection.query(sql, [id.uuid]).first else { return false }
            try Self.end(row, outcome, connection, now)
            return true
        }
    }

    func noteProbers(of coordinator: UUID, _ probers: Probers) async throws(FarmStoreError) {
        try await transact { connection, now in
            let old = "DELETE FROM prober WHERE seen_ms < $1"
            try connection.query(old, [now.adding(milliseconds: -86_400_000).milliseconds])
            let sql = """
                INSERT INTO prober (coordinator, facts_version, byte_limit, seen_ms) VALUES ($1, $2, $3, $4)
                ON CONFLICT (coordinator) DO UPDATE SET facts_version = $2, byte_limit = $3, seen_ms = $4
                """
            let values: [any Parameter] = [coordinator, probers.factsVersion, probers.byteLimit, now.milliseconds]
            _ = try connection.query(sql, values)
        }
    }

    func hasProber(_ wanted: Probers, within milliseconds: Int64) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let sql = "SELECT FROM prober WHERE facts_version = $1 AND byte_limit >= $2 AND seen_ms >= $3 LIMIT 1"
            let since = now.adding(milliseconds: -milliseconds).milliseconds
            return try !connection.query(sql, [wanted.factsVersion, wanted.byteLimit, since]).isEmpty
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
        try discard(upload, connection, now)
    }

    /// Has the object removed, unless it holds the bytes of an asset, and the parts of one that was never made.
    private static func discard(_ upload: BucketUpload, _ connection: isolated Connection, _ now: FarmTime) throws {
        let isNeeded = "SELECT FROM stored_object WHERE key = $1 FOR SHARE"
        if try connection.query(isNeeded, [upload.upload.key]).isEmpty {
            try addUnwanted(upload.upload.key, connection, now)
        }
        guard upload.state == .sending else { return }
        let sql = "INSERT INTO unwanted_upload (key, upload) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        try connection.query(sql, [upload.upload.key, upload.upload.id])
    }

    /// Ends the claim of a locked row.
    private static func end(
        _ row: Row,
        _ outcome: ProbeOutcome,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws {
        let upload = try BucketUpload(row)
        var (silences, failures): (Int, Int) = (try row.get("silences"), try row.get("failures"))
        var refusal: Problem?
        switch outcome {
        case .taken:
            try connection.query("DELETE FROM bucket_upload WHERE key = $1", [upload.upload.key])
            return
        case .refused(let problem): refusal = problem
        case .silent:
            silences += 1
            if silences >= ProbeOutcome.mostSilences { refusal = ProbeOutcome.silence }
        case .unread:
            failures += 1
            if failures >= ProbeOutcome.mostFailures { refusal = .sentHere }
        case .handedBack: break
        }
        let sql = """
            UPDATE bucket_upload
            SET state = $2, claim = NULL, claimed_until_ms = NULL, silences = $3, failures = $4, problem = $5
            WHERE key = $1
            """
        let state: BucketUpload.State = refusal == nil ? .waiting : .refused
        let values: [any Parameter] = [
            upload.upload.key, state.rawValue, silences, failures, try JSONColumn.text(refusal),
        ]
        try connection.query(sql, values)
        if refusal != nil { try discard(upload, connection, now) }
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
