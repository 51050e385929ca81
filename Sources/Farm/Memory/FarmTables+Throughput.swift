import Planning
import Timing
package import WireProtocol

extension FarmTables {
    /// When the frames of a job were rendered (``FarmStore/renderedSpans(of:)``).
    package func renderedSpans(of job: JobID, at now: FarmTime) -> [RenderedSpan] {
        let rows = rows(of: job).filter { [.picture, .stills].contains($0.record.kind) && $0.record.frames != nil }
        let done = rows.compactMap { row -> RenderedSpan? in
            guard row.record.artifact != nil, let frames = row.record.frames,
                let attempt = row.attempts.last(where: { $0.state == .completed }), let ended = attempt.ended
            else { return nil }
            return RenderedSpan(started: attempt.started, ended: ended, frameThousandths: 1000 * frames.count)
        }
        let live = rows.compactMap { row -> RenderedSpan? in
            let attempts = row.attempts.filter { $0.state == .live }
            guard row.record.state != .completed, let frames = row.record.frames,
                let started = attempts.map(\.started).max(), let permille = attempts.map(\.permille).max(), permille > 0
            else { return nil }
            return RenderedSpan(
                started: started,
                ended: max(now, started),
                frameThousandths: frames.count * Int64(permille)
            )
        }
        return (rounded(done) + live).sorted()
    }

    /// The spans with their times rounded down to a step of all together; equal ones are one.
    private func rounded(_ spans: [RenderedSpan]) -> [RenderedSpan] {
        guard let first = spans.map(\.started.milliseconds).min(), let last = spans.map(\.ended.milliseconds).max()
        else { return [] }
        let length = max(1, last - first)
        func step(_ time: FarmTime) -> Int64 { (time.milliseconds - first) * RenderedSpan.steps / length }
        func time(_ step: Int64) -> FarmTime {
            FarmTime(milliseconds: first + step * length / RenderedSpan.steps)
        }
        var sums: [[Int64]: Int64] = [:]
        for span in spans { sums[[step(span.started), step(span.ended)], default: 0] += span.frameThousandths }
        return sums.map { steps, frames in
            RenderedSpan(started: time(steps[0]), ended: time(steps[1]), frameThousandths: frames)
        }
    }
}
