import CompositionModel
import Farm
import PostgreSQL
import WireProtocol

extension PartRecord {
    /// Reads a row of the table `part`.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    init(_ row: Row) throws {
        guard let key = try row.digest("key"), let artifact = try row.digest("artifact") else {
            throw FarmStoreError.unavailable("A part has no digest.")
        }
        self.init(
            key: key,
            versions: RenderVersions(text: try row.get("versions")),
            kind: try row.word("kind"),
            artifact: artifact,
            byteCount: try row.get("byte_count"),
            unitCount: try row.get("unit_count"),
            statistics: try row.json("statistics"),
            worker: try row.identifier("worker"),
            workerName: try row.get("worker_name"),
            machine: try row.optional("machine"),
            made: try row.time("made_ms"),
            used: try row.time("used_ms"),
            uses: try row.get("uses")
        )
    }

    private static let columns = """
        key, versions, kind, artifact, byte_count, unit_count, statistics, worker, worker_name, made_ms, used_ms, uses,
        machine
        """

    /// The statement that stores the part unless there is one of its name.
    /// - Throws: `EncodingError`, which no part causes.
    func insertion() throws -> Statement {
        Statement(
            """
            INSERT INTO part (\(PartRecord.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (key, versions) DO NOTHING
            """,
            [
                key.description, versions.text, kind.rawValue, artifact.description, byteCount, unitCount,
                try JSONColumn.text(statistics), worker.uuid, workerName, made.milliseconds, used.milliseconds, uses,
                machine,
            ]
        )
    }

    /// The statement that stores the part of a completed task, for the versions of its job, unless there is one of its
    /// name or the job has no versions.
    /// - Returns: nil for a task that makes no part.
    /// - Throws: `EncodingError`, which no task causes.
    static func keeping(_ task: TaskRecord, by attempt: AttemptRecord, at now: FarmTime) throws -> Statement? {
        guard let part = PartRecord(task, versions: RenderVersions(text: ""), by: attempt, at: now) else { return nil }
        return Statement(
            """
            INSERT INTO part (\(columns)) SELECT $1, job.versions, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $12
            FROM job WHERE job.id = $11 AND job.versions IS NOT NULL
            ON CONFLICT (key, versions) DO NOTHING
            """,
            [
                part.key.description, part.kind.rawValue, part.artifact.description, part.byteCount, part.unitCount,
                try JSONColumn.text(part.statistics), part.worker.uuid, part.workerName, part.made.milliseconds,
                part.used.milliseconds, task.job.uuid, part.machine,
            ]
        )
    }

    /// The statement that forgets all parts of these bytes.
    static func forgetting(_ artifacts: [ContentDigest]) -> Statement {
        Statement(
            """
            DELETE FROM part USING (
                SELECT key, versions FROM part WHERE artifact = ANY($1::text[]) ORDER BY key, versions FOR UPDATE
            ) AS gone WHERE part.key = gone.key AND part.versions = gone.versions
            """,
            [artifacts.map(\.description)]
        )
    }
}
