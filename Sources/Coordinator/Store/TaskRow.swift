import CompositionModel
import Farm
import Foundation
import Planning
import PostgreSQL
import Timing
import WireProtocol

extension TaskRecord {
    /// Reads a row of the table `task`.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    init(_ row: Row) throws {
        self.init(
            id: try row.identifier("id"),
            job: try row.identifier("job"),
            position: try row.get("position"),
            kind: try row.word("kind"),
            stage: try row.get("stage"),
            isIndependent: try row.get("is_independent"),
            frames: try row.frames(),
            copiedCount: try row.optional("copied_count"),
            startBorder: try row.optionalWord("start_border"),
            endBorder: try row.optionalWord("end_border"),
            key: try row.digest("key"),
            costMilliseconds: try row.get("cost_ms"),
            state: try row.word("state"),
            notBefore: try row.time("not_before_ms"),
            failure: try row.optionalJSON("failure"),
            artifact: try row.digest("artifact"),
            byteCount: try row.optional("byte_count"),
            unitCount: try row.optional("unit_count"),
            statistics: try row.optionalJSON("statistics"),
            isTaken: try row.get("is_taken"),
            countedFrom: try row.optionalTime("counted_from_ms"),
            isAudited: try row.get("is_audited"),
            claims: try row.optionalJSON("claims") ?? []
        )
    }

    /// The columns of ``row(in:)``.
    static let columns = """
        task (id, job, position, kind, stage, frame_start, frame_count, start_border, end_border, key, cost_ms, priority,
        is_open, state, not_before_ms, is_independent, copied_count, is_audited, owner)
        """

    /// The row of a new task.
    /// - Parameter job: the job, whose owner, priority and open stage go with the row, for the queue.
    func row(in job: JobRecord) -> [any Parameter] {
        [
            id.uuid, self.job.uuid, position, kind.rawValue, stage, frames?.start, frames?.count,
            startBorder?.rawValue, endBorder?.rawValue, key?.description, costMilliseconds, job.priority,
            isOpen(in: job), state.rawValue, notBefore.milliseconds, isIndependent, copiedCount, isAudited, job.owner,
        ]
    }

    /// The statement that writes what the machine changes.
    /// - Parameter previous: the state from which it was decided; a row in another state is not touched.
    /// - Throws: `EncodingError`, which no task causes.
    func update(from previous: TaskState) throws -> Statement {
        Statement(
            """
            UPDATE task SET state = $3, not_before_ms = $4, failure = $5, artifact = $6, byte_count = $7,
                unit_count = $8, statistics = $9, is_taken = $10, claims = $11, witnesses = $12
            WHERE id = $1 AND state = $2
            """,
            [
                id.uuid, previous.rawValue, state.rawValue, notBefore.milliseconds, try JSONColumn.text(failure),
                artifact?.description, byteCount, unitCount, try JSONColumn.text(statistics), isTaken,
                claims.isEmpty ? nil : try JSONColumn.text(claims), claims.isEmpty ? nil : witnesses,
            ],
            expecting: 1
        )
    }
}

extension Row {
    /// Reads the range of frames; nil for NULL.
    fileprivate func frames() throws(DatabaseError) -> FrameRange? {
        guard let start: Int64 = try optional("frame_start") else { return nil }
        return FrameRange(start: start, count: try get("frame_count"))
    }
}
