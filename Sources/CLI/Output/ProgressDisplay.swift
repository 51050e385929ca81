import Client
import Foundation
import Synchronization
import WireProtocol

/// Shows the progress of a job: a bar redrawn on a terminal, plain lines elsewhere, JSON lines for machines.
final class ProgressDisplay: Sendable {
    /// The forms of the display.
    enum Mode: Sendable {
        case bar, lines, json, silent
    }

    private struct Shown {
        var state: JobState?
        var tenths = -1
        var isWaiting = false
        /// The time, in seconds, since which the job waits for room or for a worker that can do it; nil while it does not.
        var idleSince: Double?
        var pace = ProgressPace()
        /// Whether it was said that the deadline is missed.
        var isLate = false
    }

    private let mode: Mode
    private let began = ContinuousClock.now
    private let shown = Mutex(Shown())

    /// Begins without a job.
    /// - Parameters:
    ///   - json: whether each change is a line of JSON on standard output.
    ///   - quiet: whether nothing is shown but that the coordinator is waited for.
    init(json: Bool, quiet: Bool = false) { mode = json ? .json : quiet ? .silent : .usual }

    /// The seconds without a worker before they are reported: the workers of many farms start together with the job.
    private static let patience = 5.0

    /// Shows a job if something worth showing changed.
    func show(_ job: JobView) {
        showWaiting(job)
        showDeadline(job)
        var job = job
        let (isNews, words) = shown.withLock { shown in
            let (permille, words) = shown.pace.note(job, at: secondsSinceStart)
            job.permille = permille
            let isNews = shown.state != job.state || shown.tenths != permille / 100
            (shown.state, shown.tenths, shown.isWaiting) = (job.state, permille / 100, false)
            return (isNews, words.map { " · " + $0 } ?? "")
        }
        switch mode {
        case .silent: break
        case .bar: Console.errorPart("\r\u{1b}[K" + bar(job) + words)
        case .lines: if isNews { Console.error(line(job) + words) }
        case .json: if isNews { try? JSONOutput.print(job) }
        }
    }

    /// Reports, once per occasion, that the job waits, and why.
    private func showWaiting(_ job: JobView) {
        let (now, reason) = (secondsSinceStart, JobTable.waits(job))
        let isNews = shown.withLock { shown in
            guard reason != nil, !job.state.isFinal else {
                shown.idleSince = nil
                return false
            }
            guard let since = shown.idleSince else {
                shown.idleSince = now
                return false
            }
            guard now - since >= Self.patience else { return false }
            shown.idleSince = .infinity
            return true
        }
        if isNews, mode == .bar || mode == .lines, let reason {
            Console.errorOver(reason)
        }
    }

    /// Reports, once, that the job misses its deadline, or will.
    private func showDeadline(_ job: JobView) {
        guard let sentence = JobTable.deadline(job) else { return }
        let isNews = shown.withLock { shown in
            defer { shown.isLate = true }
            return !shown.isLate
        }
        if isNews, mode == .bar || mode == .lines { Console.errorOver(sentence) }
    }

    private var secondsSinceStart: Double {
        let passed = began.duration(to: .now).components
        return Double(passed.seconds) + Double(passed.attoseconds) / 1e18
    }

    /// Reports, once until the next answer, that the coordinator does not answer.
    func waiting(_ error: ClientError) {
        let isNew = shown.withLock { shown in
            defer { shown.isWaiting = true }
            return !shown.isWaiting
        }
        if isNew, mode != .json { Console.error("\(error) Waiting for it to come back.") }
    }

    /// Ends the line of the bar.
    func finish(_ job: JobView) {
        if mode == .bar { Console.endLine() }
    }

    private func line(_ job: JobView) -> String {
        "\(job.id) \(job.state.rawValue) \(job.permille / 10) % "
            + "(\(job.tasks.completed) of \(job.tasks.total) tasks\(job.takenWords.map { "; " + $0 } ?? ""))"
    }

    private func bar(_ job: JobView) -> String {
        "\(job.state.rawValue) \(Self.cells(job.permille)) \(job.permille / 10) %"
    }

    /// A bar of 30 cells.
    static func cells(_ permille: Int) -> String {
        let filled = min(max(permille, 0), 1000) * 30 / 1000
        return String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    }
}

extension ProgressDisplay.Mode {
    /// The form for people: a bar on a terminal, else lines.
    static var usual: Self { Console.errorIsTerminal ? .bar : .lines }
}
