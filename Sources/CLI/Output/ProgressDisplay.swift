import Client
import Foundation
import Shared
import Synchronization

/// How far a job is: a bar that is drawn again on a terminal, plain lines elsewhere, JSON lines for machines.
final class ProgressDisplay: Sendable {
    enum Mode: Sendable {
        case bar, lines, json, silent
    }

    private struct Shown {
        var state: JobState?
        var tenths = -1
        var isWaiting = false
    }

    private let mode: Mode
    private let began = ContinuousClock.now
    private let shown = Mutex(Shown())

    init(json: Bool, quiet: Bool = false) {
        mode = json ? .json : quiet ? .silent : Console.errorIsTerminal ? .bar : .lines
    }

    func show(_ job: JobView) {
        let (isNewState, isNewTenth) = shown.withLock { shown in
            let news = (shown.state != job.state, shown.tenths != job.permille / 100)
            shown = Shown(state: job.state, tenths: job.permille / 100)
            return news
        }
        switch mode {
        case .silent: break
        case .bar: Console.errorPart("\r\u{1b}[K" + bar(job))
        case .lines: if isNewState || isNewTenth { Console.error(line(job)) }
        case .json: if isNewState || isNewTenth { printJSON(job) }
        }
    }

    func waiting(_ error: ClientError) {
        let isNew = shown.withLock { shown in
            defer { shown.isWaiting = true }
            return !shown.isWaiting
        }
        if isNew && (mode == .bar || mode == .lines) { Console.error("\(error) Waiting for it to come back.") }
    }

    /// Ends the bar's line.
    func finish(_ job: JobView) {
        if mode == .bar { Console.error("") }
    }

    private func printJSON(_ job: JobView) {
        if let data = try? WireJSON.encode(job) { Console.print(String(decoding: data, as: UTF8.self)) }
    }

    private func line(_ job: JobView) -> String {
        "\(job.id) \(job.state.rawValue) \(job.permille / 10) % "
            + "(\(job.tasks.completed) of \(job.tasks.total) tasks)\(rate(job))"
    }

    private func bar(_ job: JobView) -> String {
        let filled = job.permille * 30 / 1000
        let cells = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        return "\(job.state.rawValue) \(cells) \(job.permille / 10) %\(rate(job))"
    }

    /// Frames per second since the display began, and the time left at that pace.
    private func rate(_ job: JobView) -> String {
        let passed = began.duration(to: .now)
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18
        let done = Double(job.permille) / 1000
        guard seconds > 0.5, done > 0.01, !job.state.isFinal else { return "" }
        let framesPerSecond = Double(job.frameCount) * done / seconds
        let left = Int(seconds * (1 - done) / done)
        let clock = left < 60 ? "\(left) s" : "\(left / 60) min \(left % 60) s"
        return " · \(Int(framesPerSecond.rounded())) fps · \(clock) left"
    }
}
