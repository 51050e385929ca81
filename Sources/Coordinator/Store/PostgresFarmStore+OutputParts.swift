import CompositionModel
package import Farm
import Planning
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func outputParts(of job: JobID) async throws(FarmStoreError) -> OutputParts? {
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
                    SELECT task.kind, task.position, task.artifact, coalesce(task.copied_count, 0) AS copied_count,
                        attempt.ended_ms
                    FROM task LEFT JOIN attempt ON attempt.task = task.id AND attempt.state = 'completed'
                    WHERE task.job = $1 AND task.kind IN ('picture', 'sound') ORDER BY task.position
                    """,
                    [job.uuid]
                ),
            ])
            guard let row = sets[0].first, case .stitch(let stitch) = try row.json("payload", as: TaskPayload.self)
            else { return nil }
            var (pictures, sounds): ([OutputParts.Task], [OutputParts.Task]) = ([], [])
            var hasCopies = false
            for row in sets[1] {
                let task = OutputParts.Task(
                    position: try row.get("position"),
                    artifact: try row.digest("artifact"),
                    accepted: try row.optionalTime("ended_ms")
                )
                if try row.get("copied_count", as: Int64.self) > 0 { hasCopies = true }
                if (try row.word("kind") as TaskKind) == .sound { sounds.append(task) } else { pictures.append(task) }
            }
            return OutputParts(stitch, pictures: pictures, sounds: sounds, hasCopies: hasCopies)
        }
    }
}
