package import CompositionModel
package import Farm
import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func offers(limit: Int) async throws(FarmStoreError) -> [PartOffer] {
        // Any digest will do: the next look begins at another.
        let start = ContentDigest(of: Data("\(UInt64.random(in: .min ... .max))".utf8))
        return try await offers(limit: limit, from: start)
    }

    /// Offers of the waiting tasks around the key `start`, as ``OfferQuery`` says.
    func offers(limit: Int, from start: ContentDigest) async throws(FarmStoreError) -> [PartOffer] {
        try await transact { connection, _ in
            try connection.query(OfferQuery.sql, [max(0, limit), "\(start)"]).map { row in
                PartOffer(task: try row.identifier("task"), part: try PartRecord(row))
            }
        }
    }

    package func take(_ offers: [PartOffer]) async throws(FarmStoreError) -> [TaskID] {
        guard !offers.isEmpty else { return [] }
        let offered = Dictionary(offers.map { ($0.task, $0.part) }) { first, _ in first }
        let opening = LockedRows.locking(tasks: offered.keys.sorted())
        return try await transact(opening: opening) { [policy] connection, now, results in
            var rows = LockedRows()
            try rows.read(results)
            let stored = try Self.lockedParts(offered.values.map(\.name), connection)
            var writer = ChangeWriter(at: now)
            var taken: [TaskID] = []
            var uses: [PartName: Int] = [:]
            for (task, part) in offered.sorted(by: { $0.key < $1.key }) {
                guard let there = stored[part.name], there.artifact == part.artifact,
                    var decision = rows.decision(on: task, policy: policy)
                else { continue }
                decision.take(there, at: now)
                guard !decision.changes.isEmpty else { continue }
                try writer.write(decision.changes, to: &rows, connection)
                taken.append(task)
                uses[part.name, default: 0] += 1
            }
            writer.add(
                uses.map { name, count in
                    Statement(
                        "UPDATE part SET used_ms = greatest(used_ms, $3), uses = uses + $4 WHERE key = $1 AND versions = $2",
                        [name.key.description, name.versions.text, now.milliseconds, count]
                    )
                }
            )
            try writer.finish(connection)
            return taken
        }
    }

    /// Locks those of the parts that are there, in one order.
    private static func lockedParts(
        _ names: [PartName],
        _ connection: isolated Connection
    ) throws -> [PartName: PartRecord] {
        let sql = """
            SELECT part.* FROM part JOIN unnest($1::text[], $2::text[]) AS named (key, versions) USING (key, versions)
            ORDER BY part.key, part.versions FOR UPDATE OF part
            """
        let rows = try connection.query(sql, [names.map(\.key.description), names.map(\.versions.text)])
        let parts = try rows.map { try PartRecord($0) }
        return Dictionary(parts.map { ($0.name, $0) }) { first, _ in first }
    }

    package func part(_ name: PartName) async throws(FarmStoreError) -> PartRecord? {
        try await transact { connection, _ in
            let sql = "SELECT * FROM part WHERE key = $1 AND versions = $2"
            return try connection.query(sql, [name.key.description, name.versions.text]).first.map {
                try PartRecord($0)
            }
        }
    }

    package func parts(limit: Int) async throws(FarmStoreError) -> [PartRecord] {
        try await transact { connection, _ in
            let sql = "SELECT * FROM part ORDER BY used_ms DESC, key, versions LIMIT $1"
            return try connection.query(sql, [max(0, limit)]).map { try PartRecord($0) }
        }
    }

    package func partTotals() async throws(FarmStoreError) -> PartTotals {
        try await transact { connection, _ in
            let sql = """
                SELECT count(*) AS count, coalesce(sum(uses), 0)::bigint AS uses,
                    least(coalesce(sum(uses * (statistics->>'cpuMilliseconds')::numeric), 0), \(Int64.max))::bigint AS saved,
                    (SELECT coalesce(sum(byte_count), 0)::bigint FROM (\(Self.stored)) AS stored) AS bytes
                FROM part
                """
            let row = try connection.query(sql)[0]
            return PartTotals(
                count: try row.get("count"),
                byteCount: try row.get("bytes"),
                uses: try row.get("uses"),
                savedMilliseconds: try row.get("saved")
            )
        }
    }

    package func putPart(_ part: PartRecord) async throws(FarmStoreError) {
        try await transact { connection, _ in _ = try connection.batch([part.insertion()]) }
    }

    package func forgetParts(_ artifacts: [ContentDigest]) async throws(FarmStoreError) {
        try await transact { connection, _ in _ = try connection.batch([PartRecord.forgetting(artifacts)]) }
    }

    package func artifacts(madeBy worker: String) async throws(FarmStoreError) -> [ContentDigest] {
        try await transact { connection, _ in
            let found = try connection.query(Self.made, [worker, [String]()]).compactMap { try $0.digest("artifact") }
            return found.sorted { $0.description < $1.description }
        }
    }

    /// Selects what workers made of the name $1 or on one of the machines $2, and what was made by what they measured,
    /// also where a job took the measurement: later rounds, which may have been taken in turn, and the sound.
    static let made = """
        WITH RECURSIVE made (artifact) AS (
            (
                SELECT task.artifact FROM attempt JOIN task ON task.id = attempt.task
                WHERE (attempt.worker_name = $1 OR attempt.machine = ANY($2::text[])) AND attempt.state = 'completed'
                    AND task.artifact IS NOT NULL
                UNION SELECT part.artifact FROM part WHERE part.worker_name = $1 OR part.machine = ANY($2::text[])
            )
            UNION SELECT later.artifact FROM made
                JOIN task AS measured ON measured.artifact = made.artifact AND measured.kind = 'measure'
                JOIN task AS later ON later.job = measured.job AND later.stage > measured.stage
                    AND later.kind IN ('measure', 'sound') AND later.artifact IS NOT NULL
        )
        SELECT artifact FROM made
        """

    package func removeParts(_ selection: PartSelection) async throws(FarmStoreError) -> [PartRecord] {
        try await transact { connection, now in
            let (condition, parameter) = Self.condition(selection, at: now)
            let sql = """
                WITH \(Self.ranked), chosen AS MATERIALIZED (
                    SELECT part.key, part.versions FROM part
                    WHERE \(condition) AND NOT \(Self.isHad) AND NOT \(Self.isAwaited)
                    ORDER BY part.key, part.versions FOR UPDATE OF part
                )
                DELETE FROM part USING chosen WHERE part.key = chosen.key AND part.versions = chosen.versions
                RETURNING part.*
                """
            let removed = try connection.query(sql, [parameter]).map { try PartRecord($0) }
            return removed.sorted(by: PartRecord.isUsedLater)
        }
    }

    /// Ranks parts by their last use, with the bytes up to each, for a condition that asks for them. What may not go comes
    /// first: else it would take the place of what may.
    private static let ranked = """
        needed AS (
            SELECT part.artifact FROM part WHERE \(isHad) UNION SELECT part.artifact FROM part WHERE \(isAwaited)
        ), ranked AS (
            SELECT artifact, sum(byte_count) OVER (
                ORDER BY (artifact IN (SELECT artifact FROM needed)) DESC, used_ms DESC, artifact
            ) AS total
            FROM (\(stored)) AS stored
        )
        """

    /// The condition that a task of an unfinished job has the bytes of a part.
    private static let isHad = """
        EXISTS (
            SELECT FROM task JOIN job ON job.id = task.job
            WHERE task.artifact = part.artifact AND job.state IN ('queued', 'rendering', 'stitching')
        )
        """

    /// The condition that a task waits for a part.
    private static let isAwaited = """
        EXISTS (
            SELECT FROM task JOIN job ON job.id = task.job
            WHERE task.key = part.key AND task.state = 'queued' AND job.versions = part.versions
        )
        """

    /// Selects what parts have on the disk: parts of equal bytes have them once, for as long as one of the parts stays.
    private static let stored = """
        SELECT artifact, max(byte_count) AS byte_count, max(used_ms) AS used_ms FROM part GROUP BY artifact
        """

    /// The condition of a selection on a part, with the value of its only parameter.
    private static func condition(_ selection: PartSelection, at now: FarmTime) -> (String, any Parameter) {
        switch selection {
        case .all: ("$1::text IS NULL", String?.none)
        case .madeBy(let name): ("part.worker_name = $1", name)
        case .unused(let age): ("part.used_ms <= $1", now.adding(milliseconds: -age).milliseconds)
        case .beyond(let bytes): ("part.artifact IN (SELECT artifact FROM ranked WHERE total > $1)", bytes)
        }
    }
}
