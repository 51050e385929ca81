import CompositionModel
import Foundation
import WireProtocol

/// What is written beside a file of a watched folder about what became of it.
struct WatchReport {
    /// Whether all its jobs were completed.
    let isGood: Bool
    /// The one line that says what became of it.
    let summary: String
    private let lines: [String]

    /// - Parameter lines: why it was refused.
    init(refusal lines: [String], of file: FoundFile) {
        isGood = false
        summary = "refused: \(lines.first ?? "no reason was given")"
        self.lines = ["\(file.name) was refused."] + lines
    }

    init(jobs: [JobView], of file: FoundFile) {
        isGood = jobs.allSatisfy { $0.state == .completed }
        let words = jobs.map { job in
            switch job.state {
            case .completed: "done" + (job.delivery.map { ", the movie lies at \($0.to)" } ?? "")
            case .cancelled: "cancelled"
            default: "failed: \(job.failure?.message ?? "no reason was given")"
            }
        }
        summary = words.joined(separator: "; ")
        let details = zip(jobs, words).flatMap { job, words in
            let fetch = job.state == .completed && job.delivery == nil ? ["Fetch it: cutfarm fetch \(job.id)"] : []
            let retry = job.state == .failed ? ["Try again: cutfarm retry \(job.id)"] : []
            return ["\(job.id): \(words)."] + fetch + retry
        }
        lines = ["\(file.name), \(file.byteCount) bytes"] + details
    }

    /// The text of the file.
    var text: String { lines.map(\.visible).joined(separator: "\n") + "\n" }
}
