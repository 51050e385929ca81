import Planning
import Timing
import Foundation
import CompositionModel
import WireProtocol

/// Rows in columns as wide as their widest cell.
struct TextTable {
    private let rows: [[String]]

    init(_ heads: [String], _ rows: [[String]]) {
        self.rows = [heads] + rows
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").trimmingTrailingSpaces
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

enum JobTable {
    static func text(_ jobs: [JobView]) -> String {
        let rows = jobs.map { job in
            [
                job.id.description, job.title, job.preset, state(job), "\(job.permille / 10) %",
                "\(job.tasks.completed)/\(job.tasks.total)",
                job.created.formatted(.iso8601),
            ]
        }
        let table = TextTable(["job", "title", "preset", "state", "done", "tasks", "created"], rows).text
        let awaited = Set(jobs.compactMap(\.awaitedVersions)).sorted().map(waits)
        return ([table] + awaited).joined(separator: "\n")
    }

    /// - Parameter versions: ``JobView/awaitedVersions``.
    static func waits(_ versions: String) -> String {
        "Waits: no worker or coordinator that is here and takes work has \(versions). Start one, or cancel the job and "
            + "submit it again."
    }

    private static func state(_ job: JobView) -> String {
        job.state.rawValue + (job.awaitedVersions == nil ? "" : ", waits")
    }
}

enum TaskTable {
    static func text(_ tasks: [TaskView]) -> String {
        let rows = tasks.map(row)
        let heads = ["#", "kind", "state", "frames", "borders", "tries", "worker", "took", "failure"]
        return TextTable(heads, rows).text
    }

    /// What is wrong with the sources although the tasks could be done, a line each; no more than anyone reads.
    static func warnings(_ tasks: [TaskView]) -> [String] {
        lines(of: tasks.flatMap { $0.statistics?.warnings ?? [] })
    }

    static func lines(of warnings: [Failure]) -> [String] {
        let all = warnings.map { "Warning: \($0.message)" }
        var seen: Set<String> = []
        let lines = all.filter { seen.insert($0).inserted }
        guard lines.count > mostWarnings else { return lines }
        return lines.prefix(mostWarnings) + ["… and \(lines.count - mostWarnings) more warnings"]
    }

    private static let mostWarnings = 20

    private static func row(_ task: TaskView) -> [String] {
        let frames = task.frames.map { "\($0.start)–\($0.end)" } ?? ""
        let borders = [task.startBorder, task.endBorder].compactMap { $0?.rawValue }.joined(separator: " – ")
        let took = task.statistics.map { "\($0.wallMilliseconds) ms" } ?? ""
        let worker = task.attempts.last?.workerName ?? ""
        return [
            "\(task.position)", task.kind.rawValue, task.state.rawValue, frames, borders, "\(task.attempts.count)",
            worker,
            took, task.failure?.message ?? "",
        ]
    }
}

enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        Console.print(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }
}
