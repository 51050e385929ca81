import CompositionModel
import Planning
package import WireProtocol

extension FarmTables {
    /// The parts of a job's movie (``FarmStore/outputParts(of:)``).
    package func outputParts(of job: JobID) -> OutputParts? {
        let rows = pruned[job] == nil ? Array(rows(of: job)) : []
        let joining = rows.lazy.compactMap { row in
            if case .stitch(let task) = row.payload { task } else { nil }
        }.first
        guard let joining else { return nil }
        func tasks(_ kind: TaskKind) -> [OutputParts.Task] {
            rows.filter { $0.record.kind == kind }.map { row in
                OutputParts.Task(
                    position: row.record.position,
                    artifact: row.record.artifact,
                    accepted: row.attempts.last { $0.state == .completed }?.ended
                )
            }
        }
        return OutputParts(
            joining,
            pictures: tasks(.picture),
            sounds: tasks(.sound),
            hasCopies: rows.contains { ($0.record.copiedCount ?? 0) > 0 }
        )
    }
}
