import Farm
import Foundation
import Timing
import WireProtocol

/// Adds up when the frames of a job were rendered.
struct ThroughputHistory {
    /// The most intervals of a history.
    static let mostIntervals = 120

    private let spans: [RenderedSpan]

    init(_ spans: [RenderedSpan]) { self.spans = spans }

    /// The samples: as many equal intervals as there are seconds between the first grant and the last completion, at
    /// most ``mostIntervals``.
    var history: JobHistory {
        guard let first = spans.map(\.started).min(), let last = spans.map(\.ended).max() else {
            return JobHistory(samples: [])
        }
        let whole = max(0.001, last.date.timeIntervalSince(first.date))
        let count = min(Self.mostIntervals, max(1, Int(whole.rounded(.up))))
        let step = whole / Double(count)
        var sums = [Double](repeating: 0, count: count)
        for span in spans {
            let start = span.started.date.timeIntervalSince(first.date)
            let end = max(start + 0.001, span.ended.date.timeIntervalSince(first.date))
            for interval in min(count - 1, Int(start / step))...min(count - 1, Int(end / step)) {
                let low = max(start, Double(interval) * step)
                let high = interval == count - 1 ? end : min(end, Double(interval + 1) * step)
                sums[interval] += Double(span.frameThousandths) / 1000 * max(0, high - low) / (end - start)
            }
        }
        let samples = sums.enumerated().map { index, frames in
            JobHistory.Sample(
                at: first.date.addingTimeInterval(Double(index + 1) * step),
                frames: (frames * 1000).rounded() / 1000
            )
        }
        return JobHistory(samples: [JobHistory.Sample(at: first.date, frames: 0)] + samples)
    }
}

/// Answers for the histories of jobs: the database adds up a job's attempts once for all who look, and spends at most a
/// twentieth of the time on each job.
actor ThroughputHistories {
    private struct Answer {
        let work: Task<JobHistory, any Error>
        let age: Stopwatch
        /// The time that the answer took; nil while it is under way.
        var cost: Duration?
    }

    private let store: any FarmStore
    private let clock: any Clock<Duration>
    private var answers: [JobID: Answer] = [:]

    /// The most jobs whose histories are kept, each of at most a few kilobytes.
    private static let mostJobs = 256

    init(store: any FarmStore, clock: any Clock<Duration>) { (self.store, self.clock) = (store, clock) }

    /// The history of a job, as it was 20 times as long ago as it takes to add up at the most.
    /// - Throws: ``FarmStoreError``.
    func history(of job: JobID) async throws -> JobHistory {
        if let answer = answers[job], answer.cost.map({ answer.age.elapsed <= $0 * 20 }) ?? true {
            return try await answer.work.value
        }
        if answers.count >= Self.mostJobs { answers = answers.filter { $0.value.cost == nil } }
        let age = Stopwatch(on: clock)
        let work = Task { [store] in ThroughputHistory(try await store.renderedSpans(of: job)).history }
        answers[job] = Answer(work: work, age: age, cost: nil)
        do {
            let history = try await work.value
            answers[job]?.cost = age.elapsed
            return history
        } catch {
            answers[job] = nil
            throw error
        }
    }
}
