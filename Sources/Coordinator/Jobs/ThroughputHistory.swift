import Farm
import Foundation
import Timing
import WireProtocol

/// Adds up when the frames of a job were rendered, task by task.
struct ThroughputHistory {
    /// The most intervals of a history.
    static let mostIntervals = 120

    private var spans: [(started: Date, ended: Date, frames: Double)] = []

    /// Adds the attempt that completed the task; tasks without frames, or that took a part that was there, add nothing.
    mutating func add(_ task: TaskView) {
        guard task.kind == .picture || task.kind == .stills, let frames = task.frames,
            let attempt = task.attempts.last(where: { $0.state == .completed }), let ended = attempt.ended
        else { return }
        spans.append((attempt.started, ended, Double(frames.count)))
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
