import Farm
import Foundation
import Timing
import WireProtocol

/// Adds up when the frames of a job were rendered, task by task.
struct ThroughputHistory {
    /// The most intervals of a history.
    static let mostIntervals = 120

    private var spans: [(started: Date, ended: Date, frames: Double)] = []

    /// The instant up to which what is under way counts.
    let now: Date

    init(now: Date) { self.now = now }

    /// Adds the attempt that completed the task, or what the newest live one did so far; tasks without frames, or that
    /// took a part that was there, add nothing.
    mutating func add(_ task: TaskView) {
        guard task.kind == .picture || task.kind == .stills, let frames = task.frames else { return }
        if let attempt = task.attempts.last(where: { $0.state == .completed }), let ended = attempt.ended {
            spans.append((attempt.started, ended, Double(frames.count)))
        } else if let attempt = task.attempts.last(where: { $0.state == .live }), task.permille > 0 {
            spans.append(
                (attempt.started, max(now, attempt.started), Double(frames.count * Int64(task.permille)) / 1000)
            )
        }
    }

    /// The samples: as many equal intervals as there are seconds between the first grant and the last completion, at
    /// most ``mostIntervals``.
    var history: JobHistory {
        guard let first = spans.map(\.started).min(), let last = spans.map(\.ended).max() else {
            return JobHistory(samples: [])
        }
        let whole = max(0.001, last.timeIntervalSince(first))
        let count = min(Self.mostIntervals, max(1, Int(whole.rounded(.up))))
        let step = whole / Double(count)
        var sums = [Double](repeating: 0, count: count)
        for span in spans {
            let start = span.started.timeIntervalSince(first)
            let end = max(start + 0.001, span.ended.timeIntervalSince(first))
            for interval in min(count - 1, Int(start / step))...min(count - 1, Int(end / step)) {
                let low = max(start, Double(interval) * step)
                let high = interval == count - 1 ? end : min(end, Double(interval + 1) * step)
                sums[interval] += span.frames * max(0, high - low) / (end - start)
            }
        }
        let samples = sums.enumerated().map { index, frames in
            JobHistory.Sample(
                at: first.addingTimeInterval(Double(index + 1) * step),
                frames: (frames * 1000).rounded() / 1000
            )
        }
        return JobHistory(samples: [JobHistory.Sample(at: first, frames: 0)] + samples)
    }
}
