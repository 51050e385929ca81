import Timing
import WireProtocol

/// The progress and the pace of a job, computed from the coordinator's occasional reports. It is a value.
///
/// The pace is that of the whole work, including sound and joining: seconds of the timeline per second since the job
/// was first seen here. A lost worker's unfinished part is lost too, and the shown progress then waits instead of going
/// back.
struct ProgressPace {
    private var job: JobID?
    private var began = (permille: 0, seconds: 0.0)
    private var furthest = 0

    /// Notes the state of a job.
    /// - Parameter seconds: The present time, by any clock that does not go back.
    /// - Returns: The progress, 0 … 1000, never less than before for the same job; and pace and time left, once they
    ///   are known.
    mutating func note(_ view: JobView, at seconds: Double) -> (permille: Int, words: String?) {
        if job != view.id {
            (job, began, furthest) = (view.id, (view.permille, seconds), view.permille)
        }
        let rate = view.frameRate.framesPerSecond
        let length = Double(view.frameCount) * Double(rate.denominator) / Double(rate.numerator)
        let (permille, words) = note(view.permille, ofSeconds: length, at: seconds)
        return (permille, view.state.isFinal ? nil : words)
    }

    /// Notes the progress of work that is no job and began at 0, as ``note(_:at:)`` does.
    /// - Parameter length: the length of the timeline, in seconds.
    mutating func note(_ permille: Int, ofSeconds length: Double, at seconds: Double) -> (permille: Int, words: String?)
    {
        furthest = max(furthest, permille)
        return (furthest, words(length, after: seconds - began.seconds))
    }

    private func words(_ length: Double, after passed: Double) -> String? {
        let done = Double(furthest - began.permille) / 1000
        guard passed > 0.5, done > 0.01 else { return nil }
        let tenths = Int(clamping: (length * done / passed * 10).rounded())
        let left = Int(clamping: (passed * Double(1000 - furthest) / 1000 / done).rounded())
        let clock = left < 60 ? "\(left) s" : "\(left / 60) min \(left % 60) s"
        return "\(tenths / 10).\(tenths % 10)× real time · \(clock) left"
    }
}

extension Int {
    /// Makes the nearest representable whole number; a value that is not a number gives 0.
    fileprivate init(clamping value: Double) { self = Int(exactly: value) ?? (value > 0 ? .max : 0) }
}
