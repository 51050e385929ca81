import Farm
import Foundation
import WireProtocol

/// Whether a job makes its deadline, as it looks now.
struct DeadlineWords {
    let job: JobView
    let deadline: FarmTime

    /// - Returns: nil for a job without a deadline.
    init?(_ job: JobView) {
        guard let deadline = job.deadline else { return nil }
        (self.job, self.deadline) = (job, FarmTime(deadline))
    }

    /// How the job misses its deadline, or will; nil when it makes it, when nothing is known, and when it came to no end
    /// that could be late.
    func warning(at now: FarmTime) -> String? {
        guard !job.state.isFinal else {
            guard job.state == .completed, let end = job.finished.map({ FarmTime($0) }), end > deadline else {
                return nil
            }
            return "Missed its deadline by \(beyond(end))"
        }
        guard now <= deadline else {
            return "Missed its deadline \(beyond(now)) ago"
        }
        if let seconds = job.secondsLeft {
            let end = now.adding(milliseconds: Int64(min(seconds, 1e9) * 1000))
            guard end > deadline else { return nil }
            return "Will miss its deadline by about \(beyond(end))"
        }
        guard job.state != .stitching, let opens = job.windowOpens.map({ FarmTime($0) }), opens >= deadline else {
            return nil
        }
        return "Will miss its deadline: its window opens \(beyond(opens)) after it"
    }

    /// How long an instant is after the deadline.
    private func beyond(_ instant: FarmTime) -> String { TimeLeft.words(instant.milliseconds(since: deadline)) }
}
