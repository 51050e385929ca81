import CompositionModel
import Planning
import Timing
import WireProtocol

/// Tasks as a table for people.
enum TaskTable {
    /// The table.
    static func text(_ tasks: [TaskView]) -> String {
        let copies = tasks.contains { $0.copiedCount != nil }
        let heads = ["#", "kind", "state", "frames"] + (copies ? ["copied"] : [])
        let rows = tasks.map { row($0, copies: copies) }
        return TextTable(heads + ["borders", "tries", "worker", "took", "failure"], rows).text
    }

    /// The warnings about the sources of completed tasks, one line each, at most ``mostWarnings``.
    static func warnings(_ tasks: [TaskView]) -> [String] {
        lines(of: tasks.flatMap { $0.statistics?.warnings ?? [] })
    }

    /// The warnings as lines, each once, at most twenty.
    static func lines(of warnings: [Failure]) -> [String] {
        let all = warnings.map { "Warning: \($0.message)" }
        var seen: Set<String> = []
        let lines = all.filter { seen.insert($0).inserted }
        guard lines.count > mostWarnings else { return lines }
        return lines.prefix(mostWarnings) + ["… and \(lines.count - mostWarnings) more warnings"]
    }

    /// The most warnings that are printed.
    private static let mostWarnings = 20

    /// Why a task failed; of one that is tried again or was done in the end, how often it failed and why the last time.
    static func trouble(_ task: TaskView) -> String {
        if let failure = task.failure { return failure.message.visible }
        guard task.state != .cancelled else { return "" }
        let failures = task.attempts.compactMap(\.failure)
        guard let last = failures.last else { return "" }
        return (failures.count == 1 ? "failed once: " : "failed \(failures.count) times, last: ") + last.message.visible
    }

    private static func row(_ task: TaskView, copies: Bool) -> [String] {
        let frames = task.frames.map { "\($0.start)–\($0.end)" } ?? ""
        let borders = [task.startBorder, task.endBorder].compactMap { $0?.rawValue }.joined(separator: " – ")
        let took = task.statistics.map { "\($0.wallMilliseconds) ms" } ?? ""
        let worker = task.isTaken == true ? "(was there)" : task.attempts.last?.workerName ?? ""
        let copied = copies ? [task.copiedCount.map { "\($0)" } ?? ""] : []
        return ["\(task.position + 1)", task.kind.rawValue, Paint.state(task.state), frames] + copied
            + [borders, "\(task.attempts.count)", worker, took, trouble(task)]
    }
}
