import CompositionModel
import Planning
package import WireProtocol

extension FarmTables {
    /// Where the parts of a job's movie lie (``FarmStore/outputLayout(of:)``).
    package func outputLayout(of job: JobID) -> OutputLayout? {
        let rows = outputRows(of: job)
        let joining = rows.lazy.compactMap { row in
            if case .stitch(let task) = row.payload { task } else { nil }
        }.first
        guard let joining else { return nil }
        func positions(_ kind: TaskKind) -> [Int] {
            rows.filter { $0.record.kind == kind }.map(\.record.position)
        }
        return OutputLayout(
            joining,
            pictures: positions(.picture),
            sounds: positions(.sound),
            hasCopies: rows.contains { ($0.record.copiedCount ?? 0) > 0 }
        )
    }

    /// The accepted parts of a job's movie (``FarmStore/acceptedParts(of:_:)``).
    package func acceptedParts(of job: JobID, _ choice: AcceptedPart.Choice) -> [AcceptedPart] {
        let rows = outputRows(of: job).filter {
            [.picture, .sound].contains($0.record.kind) && $0.record.artifact != nil
        }
        let chosen: [TaskRow]
        switch choice {
        case .all: chosen = rows
        case .at(let positions):
            let wanted = Set(positions)
            chosen = rows.filter { wanted.contains($0.record.position) }
        case .firstPicture: chosen = rows.first { $0.record.kind == .picture }.map { [$0] } ?? []
        case .firstSound: chosen = rows.first { $0.record.kind == .sound }.map { [$0] } ?? []
        case .newestPicture:
            chosen =
                rows.filter { $0.record.kind == .picture }
                .max { ($0.accepted, $0.record.position) < ($1.accepted, $1.record.position) }.map { [$0] } ?? []
        }
        return chosen.compactMap { row in
            row.record.artifact.map { AcceptedPart(position: row.record.position, artifact: $0) }
        }
    }

    private func outputRows(of job: JobID) -> [TaskRow] { pruned[job] == nil ? Array(rows(of: job)) : [] }
}

extension FarmTables.TaskRow {
    /// The time in milliseconds when the attempt ended that completed the task; before all others for one that was taken.
    fileprivate var accepted: Int64 {
        attempts.last { $0.state == .completed }?.ended?.milliseconds ?? .min
    }
}
