import CompositionModel
import Farm
import Foundation
import PostgreSQL
import Timing
import WireProtocol

extension JobRecord {
    /// Reads a row of the table `job`.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    init(_ row: Row) throws {
        self.init(
            id: try row.identifier("id"),
            owner: try row.get("owner"),
            idempotencyKey: try row.get("idempotency_key"),
            submission: try row.digest("submission"),
            title: try row.get("title"),
            preset: try row.get("preset"),
            fileExtension: try row.get("file_extension"),
            priority: try row.get("priority"),
            frameCount: try row.get("frame_count"),
            frameRate: try FrameRate(row.get("rate_numerator"), row.get("rate_denominator")),
            copying: try row.optionalJSON("copying"),
            created: try row.time("created_ms"),
            state: try row.word("state"),
            failure: try row.optionalJSON("failure"),
            finished: try row.optionalTime("finished_ms"),
            remaining: try row.get("remaining"),
            artifact: try row.digest("artifact"),
            byteCount: try row.optional("byte_count"),
            isPaused: try row.get("is_paused"),
            window: try row.optionalJSON("hours"),
            afterJobs: try row.get("after_jobs", as: [UUID].self).map { JobID(uuid: $0) },
            awaitedJobs: try row.get("awaited_jobs", as: [UUID].self).map { JobID(uuid: $0) },
            deadline: try row.optionalTime("deadline_ms"),
            isLateTold: try row.get("is_late_told"),
            isOutsideWindow: try row.get("is_outside_window"),
            windowChange: try row.optionalTime("window_change_ms"),
            audit: try row.optionalJSON("audit"),
            requirements: Requirements(texts: try row.optional("requirements") ?? []),
            delivery: try DeliveryRecord(row)
        )
    }

    /// The statement that inserts the job. It touches no row when the owner's key is there already.
    /// - Parameters:
    ///   - versions: the versions that the job's tasks are for; nil when they name none.
    ///   - load: what the job adds to what its owner has waiting.
    /// - Throws: `EncodingError`, which no job causes.
    func insertion(_ versions: RenderVersions?, _ load: OwnerLoad) throws -> Statement {
        Statement(
            """
            INSERT INTO job (id, owner, idempotency_key, title, preset, file_extension, priority, frame_count,
                rate_numerator, rate_denominator, created_ms, state, remaining, open_stage, versions,
                copying, submission, task_count, document_bytes, hours, is_outside_window, window_change_ms,
                after_jobs, awaited_jobs, deadline_ms, audit, requirements, target, replaces_target)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                $23, $24, $25, $26, $27, $28, coalesce($29, false))
            ON CONFLICT (owner, idempotency_key) DO NOTHING
            """,
            [
                id.uuid, owner, idempotencyKey, title, preset, fileExtension, priority, frameCount,
                frameRate.numerator, frameRate.denominator, created.milliseconds, state.rawValue, remaining, openStage,
                versions?.text, try JSONColumn.text(copying), submission?.description,
                load.tasks, load.bytes,
                try JSONColumn.text(window), isOutsideWindow, windowChange?.milliseconds,
                afterJobs.map(\.uuid), awaitedJobs.map(\.uuid), deadline?.milliseconds,
                try JSONColumn.text(audit), requirements.isEmpty ? nil : requirements.texts,
                delivery?.target, delivery?.replaces,
            ]
        )
    }

    /// The statement that writes what the machine changes.
    /// - Parameter previous: the state from which it was decided; a row in another state is not touched.
    /// - Throws: `EncodingError`, which no failure causes.
    func update(from previous: JobState) throws -> Statement {
        Statement(
            """
            UPDATE job SET state = $2, failure = $3, finished_ms = $4, remaining = $5, open_stage = $6, artifact = $7,
                byte_count = $8, priority = $9, is_paused = $10, is_outside_window = $11, window_change_ms = $12,
                awaited_jobs = $13, is_late_told = $14, delivered_ms = $15, delivery_problem = $16, delivery_due_ms = $17,
                audit = $18
            WHERE id = $1 AND state = $19
            """,
            [
                id.uuid, state.rawValue, try JSONColumn.text(failure), finished?.milliseconds, remaining, openStage,
                artifact?.description, byteCount, priority, isPaused, isOutsideWindow, windowChange?.milliseconds,
                awaitedJobs.map(\.uuid), isLateTold, delivery?.delivered?.milliseconds, delivery?.problem,
                delivery?.due?.milliseconds, try JSONColumn.text(audit), previous.rawValue,
            ],
            expecting: 1
        )
    }
}

extension DeliveryRecord {
    /// Reads where the movie of a row of the table `job` goes; nil when it goes nowhere.
    /// - Throws: ``DatabaseError`` for values that an incompatible program wrote.
    fileprivate init?(_ row: Row) throws {
        guard let target = try row.optional("target", as: String.self) else { return nil }
        self.init(
            target: target,
            replaces: try row.get("replaces_target"),
            delivered: try row.optionalTime("delivered_ms"),
            problem: try row.optional("delivery_problem"),
            due: try row.optionalTime("delivery_due_ms")
        )
    }
}
