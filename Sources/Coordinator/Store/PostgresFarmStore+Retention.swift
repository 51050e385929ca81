import CompositionModel
import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore: RetentionStore {
    func removeMovies(
        beyond kept: KeptAmount,
        isDryRun: Bool,
        limit: Int
    ) async throws(FarmStoreError) -> [RetentionReport.Movie] {
        try await transact { connection, now in
            let sql = """
                WITH numbered AS (
                    SELECT id, title, owner, artifact, byte_count, finished_ms,
                        target IS NULL OR delivered_ms IS NOT NULL AS is_free,
                        row_number() OVER (PARTITION BY artifact ORDER BY finished_ms DESC, id DESC) AS place
                    FROM job WHERE state = 'completed' AND output_removed_ms IS NULL AND byte_count IS NOT NULL
                ), summed AS (
                    SELECT *, sum(CASE WHEN place = 1 THEN byte_count ELSE 0 END)
                        OVER (ORDER BY finished_ms DESC, id DESC) AS total
                    FROM numbered
                )
                SELECT * FROM summed WHERE (finished_ms < $1 OR total > $2) AND is_free ORDER BY finished_ms, id LIMIT $3
                """
            let rows = try connection.query(sql, Self.bounds(of: kept, limit, now))
            let movies = try rows.map { row in
                RetentionReport.Movie(
                    job: try row.identifier("id"),
                    title: try row.get("title"),
                    owner: try row.get("owner"),
                    artifact: try Self.digest(row, "artifact"),
                    byteCount: try row.get("byte_count"),
                    finished: try row.time("finished_ms").date
                )
            }
            if !isDryRun, !movies.isEmpty {
                try connection.query(
                    "UPDATE job SET output_removed_ms = $2 WHERE id = ANY($1::uuid[]) AND output_removed_ms IS NULL",
                    [movies.map(\.job.uuid), now.milliseconds]
                )
            }
            return movies
        }
    }

    func removeAssets(
        beyond kept: KeptAmount,
        isDryRun: Bool,
        limit: Int
    ) async throws(FarmStoreError) -> (assets: [RetentionReport.Asset], digests: [ContentDigest]) {
        try await transact { connection, now in
            let sql = """
                WITH summed AS (
                    SELECT digest, (record ->> 'byteCount')::bigint AS byte_count, used_ms, frame_indexes,
                        sum((record ->> 'byteCount')::bigint) OVER (ORDER BY used_ms DESC, digest) AS total
                    FROM asset WHERE path IS NULL
                ), needed AS MATERIALIZED (\(Self.neededAssets))
                SELECT digest, byte_count, used_ms, frame_indexes FROM summed
                WHERE (used_ms < $1 OR total > $2) AND used_ms <= $4
                    AND NOT EXISTS (SELECT FROM needed WHERE needed.digest = summed.digest)
                ORDER BY used_ms, digest LIMIT $3
                """
            let latest = now.adding(milliseconds: -AssetGrace.milliseconds).milliseconds
            let rows = try connection.query(sql, Self.bounds(of: kept, limit, now) + [latest])
            let assets = try rows.map { row in
                RetentionReport.Asset(
                    digest: try Self.digest(row, "digest"),
                    byteCount: try row.get("byte_count"),
                    used: try row.time("used_ms").date
                )
            }
            let indexes = try rows.flatMap { try $0.get("frame_indexes", as: [String].self) }
            guard !isDryRun, !assets.isEmpty else { return (assets, []) }
            // Somebody may have asked for one since.
            let gone = try connection.query(
                "DELETE FROM asset WHERE digest = ANY($1::text[]) AND used_ms <= $2 RETURNING digest",
                [assets.map(\.digest.description), latest]
            ).map { try Self.digest($0, "digest") }
            let removed = Set(gone)
            return (
                assets.filter { removed.contains($0.digest) }, gone + indexes.compactMap { ContentDigest(text: $0) }
            )
        }
    }

    /// The time for which a job that failed because an earlier one did keeps its assets: 30 days.
    private static let heldMilliseconds: Int64 = 30 * 86_400_000

    /// Every digest in the documents (``DigestSearch``) of jobs that go on by themselves: also those of nested edits,
    /// of tables and fonts. Those of a job of a coordinator of the version before are searched for here.
    ///
    /// Such jobs are the unfinished ones, and those that failed only because an earlier job did, which is retried
    /// perhaps (``JobRecord/failedForEarlier``). They never go on when that one was cancelled, or has no tasks any
    /// more, or itself never goes on; and most people submit a chain anew, so that they keep nothing after
    /// ``heldMilliseconds``.
    private static let neededAssets = """
        WITH RECURSIVE held AS (
            SELECT id, awaited_jobs FROM job WHERE awaited_jobs <> '{}' AND state = 'failed' AND pruned_tasks IS NULL
                AND failure ->> 'code' = '\(FarmFailure.earlierJobFailed)'
                AND finished_ms > (SELECT farm_now()) - \(heldMilliseconds)
        ), lost AS (
            SELECT held.id FROM held JOIN job AS earlier ON earlier.id = ANY(held.awaited_jobs)
            WHERE earlier.state = 'cancelled' OR earlier.state = 'failed' AND earlier.pruned_tasks IS NOT NULL
            UNION SELECT held.id FROM held JOIN lost ON lost.id = ANY(held.awaited_jobs)
        ), needing AS (
            SELECT id FROM job WHERE state IN ('queued', 'rendering', 'stitching')
            UNION ALL SELECT id FROM held WHERE id NOT IN (SELECT lost.id FROM lost)
        )
        SELECT unnest(job_assets.digests) AS digest FROM needing JOIN job_assets ON job_assets.job = needing.id
        UNION SELECT found.match[1] FROM needing JOIN job_document ON job_document.job = needing.id
        CROSS JOIN LATERAL regexp_matches(
            encode(composition, 'escape') || ' ' || encode(plan, 'escape'), 'sha256:[0-9a-f]{64}', 'g'
        ) AS found (match)
        WHERE NOT EXISTS (SELECT FROM job_assets WHERE job_assets.job = needing.id)
        """

    /// The oldest time, the most bytes and the limit of a query.
    private static func bounds(of kept: KeptAmount, _ limit: Int, _ now: FarmTime) -> [any Parameter] {
        let oldest = kept.seconds.map { now.adding(milliseconds: -$0 * 1000).milliseconds }
        return [oldest ?? Int64.min, kept.bytes ?? Int64.max, limit]
    }

    private static func digest(_ row: Row, _ column: String) throws -> ContentDigest {
        guard let digest = try row.digest(column) else { throw FarmStoreError.unavailable("\(column) is NULL.") }
        return digest
    }
}
