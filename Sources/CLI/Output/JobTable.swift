import Foundation
import WireProtocol

/// Jobs as a table for people.
enum JobTable {
    /// The table, and a line for each reason why jobs wait.
    /// - Parameter now: the time from which the age of a job is counted.
    static func text(_ jobs: [JobView], now: Date = Date()) -> String {
        let rows = jobs.map { job in
            [
                job.id.description, title(of: job), job.preset, state(job), "\(job.permille / 10) %",
                "\(job.tasks.completed)/\(job.tasks.total)",
                age(of: job.created, at: now),
            ]
        }
        let table = TextTable(["job", "title", "preset", "state", "done", "tasks", "created"], rows).text
        let reasons = Set(jobs.compactMap(waits)).sorted()
        return ([table] + reasons + jobs.compactMap(deadline)).joined(separator: "\n")
    }

    /// The most characters of a title in a table: with the other columns it fits a wide terminal.
    private static let titleWidth = 40

    /// The title without what a terminal obeys, cut where it is long.
    private static func title(of job: JobView) -> String {
        let title = job.title.visible
        return title.count > titleWidth ? title.prefix(titleWidth - 1) + "…" : title
    }

    /// How long ago something was, in one unit.
    static func age(of date: Date, at now: Date) -> String {
        let seconds = max(0, Int(now.timeIntervalSince(date)))
        return switch seconds {
        case 0..<5: "now"
        case 5..<60: "\(seconds) s ago"
        case 60..<3600: "\(seconds / 60) min ago"
        case 3600..<86_400: "\(seconds / 3600) h ago"
        case 86_400..<172_800: "1 day ago"
        default: "\(seconds / 86_400) days ago"
        }
    }

    /// The sentence about a job that misses its deadline, or will; nil for one that does not.
    static func deadline(_ job: JobView) -> String? {
        job.deadlineWarning.map { "\(job.id): \($0.visible)." }
    }

    /// The sentence about a job that waits for room or for versions that no worker has; nil for one that does not.
    static func waits(_ job: JobView) -> String? {
        if job.isPaused == true { return "Waits: somebody paused it; `cutfarm resume \(job.id)` lets it go on." }
        if let reason = job.onHold { return "Waits: \(reason)" }
        guard let waiting = job.waiting else { return job.awaitedVersions.map(waits(for:)) }
        let sentence = waiting.sentence.visible
        let first = (sentence.hasPrefix("Waits") ? "" : "Waits: ") + sentence + "."
        return ([first] + [waiting.detail?.visible].compactMap(\.self)).joined(separator: " ")
    }

    private static func waits(for versions: String) -> String {
        "Waits: no worker or coordinator that is here and takes work has \(versions). Start one, or cancel the job and "
            + "submit it again."
    }

    /// The state, and whether the job waits for a worker or for room.
    private static func state(_ job: JobView) -> String {
        let isWaiting = waits(job) != nil
        let words =
            job.state.rawValue + (job.isPaused == true ? ", paused" : isWaiting ? ", waits" : "")
            + (job.deadlineWarning == nil ? "" : ", late") + (job.audit.map { ", \($0.words)" } ?? "")
        return Paint.state(words, job.state, waits: isWaiting)
    }
}

extension JobView {
    /// How many of the job's parts were not rendered, because they were there; nil for none.
    var takenWords: String? {
        tasks.taken.map { "\($0) of \(tasks.total - 1) parts \($0 == 1 ? "was" : "were") there already" }
    }
}
