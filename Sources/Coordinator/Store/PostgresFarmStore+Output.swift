import CompositionModel
package import Farm
import Planning
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func outputLayout(of job: JobID) async throws(FarmStoreError) -> OutputLayout? {
        try await transact { connection, _ in
            let sets = try connection.batch([
                Statement(
                    """
                    SELECT payload FROM task JOIN task_payload ON task_payload.task = task.id
                    WHERE task.job = $1 AND task.kind = 'stitch'
                    """,
                    [job.uuid]
                ),
                Statement(
                    """
                    SELECT kind, position, coalesce(copied_count, 0) AS copied_count FROM task
                    WHERE job = $1 AND kind IN ('picture', 'sound') ORDER BY position
                    """,
                    [job.uuid]
                ),
            ])
            guard let row = sets[0].first, case .stitch(let stitch) = try row.json("payload", as: TaskPayload.self)
            else { return nil }
            var positions: [TaskKind: [Int]] = [:]
            var hasCopies = false
            for row in sets[1] {
                try positions[row.word("kind"), default: []].append(row.get("position"))
                if try row.get("copied_count", as: Int64.self) > 0 { hasCopies = true }
            }
            return OutputLayout(
                stitch,
                pictures: positions[.picture] ?? [],
                sounds: positions[.sound] ?? [],
                hasCopies: hasCopies
            )
        }
    }

    package func acceptedParts(
        of job: JobID,
        _ choice: AcceptedPart.Choice
    ) async throws(FarmStoreError) -> [AcceptedPart] {
        let statement = Self.accepted(job, choice)
        return try await transact { connection, _ in
            try connection.batch([statement])[0].compactMap { row in
                guard let artifact = try row.digest("artifact") else { return nil }
                return AcceptedPart(position: try row.get("position"), artifact: artifact)
            }
        }
    }

    private static func accepted(_ job: JobID, _ choice: AcceptedPart.Choice) -> Statement {
        let own = "SELECT position, artifact FROM task WHERE job = $1 AND artifact IS NOT NULL"
        switch choice {
        case .all: return Statement("\(own) AND kind IN ('picture', 'sound') ORDER BY position", [job.uuid])
        case .at(let positions):
            let sql = "\(own) AND kind IN ('picture', 'sound') AND position = ANY($2::int[]) ORDER BY position"
            return Statement(sql, [job.uuid, positions])
        case .firstPicture: return Statement("\(own) AND kind = 'picture' ORDER BY position LIMIT 1", [job.uuid])
        case .firstSound: return Statement("\(own) AND kind = 'sound' ORDER BY position LIMIT 1", [job.uuid])
        case .newestPicture: return Statement(newestPicture, [job.uuid])
        }
    }

    /// The first branch reads the end of an index; the second finds what was taken from other jobs, or has lost its
    /// attempts (``FarmStore/forget(finishedBefore:limit:)``), and counts where the first finds nothing.
    private static let newestPicture = """
        SELECT position, artifact FROM (
            (
                SELECT task.position, task.artifact, attempt.ended_ms FROM attempt JOIN task ON task.id = attempt.task
                WHERE attempt.job = $1 AND attempt.state = 'completed' AND task.kind = 'picture'
                    AND task.artifact IS NOT NULL
                ORDER BY attempt.ended_ms DESC, task.position DESC LIMIT 1
            )
            UNION ALL
            (
                SELECT position, artifact, NULL FROM task
                WHERE job = $1 AND kind = 'picture' AND artifact IS NOT NULL ORDER BY position DESC LIMIT 1
            )
        ) AS newest ORDER BY ended_ms DESC NULLS LAST LIMIT 1
        """
}
