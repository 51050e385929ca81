import Timing
import WireProtocol

/// The progress and the pace of a job, from the coordinator's occasional reports. It is a value.
///
/// The coordinator says how fast a job goes and how long it still takes once it knows, and counts that down by itself. Until
/// then, and for work that is no job of a farm, the pace is computed here. That pace is that of the whole work, including sound and joining: seconds of the timeline per second, from the first
/// report of progress that was seen here to the last one. The time before that, in which programs start and nothing is
/// rendered, and the time since the last report do not count, so that the time left is right from the start. A lost
/// worker's unfinished part is lost too, and the shown progress then waits instead of going back.
struct ProgressPace {
    /// A progress, 0 … 1000, and when it was reported.
    private struct Report {
        var permille: Int
        var seconds: Double
    }

    /// The seconds without a report that are usual: workers report every 1.5 s and are asked once a second. Longer ones
    /// count as time in which nothing was done.
    private static let usualWait = 5.0

    /// The seconds between the first report and the last one below which the steps of reports hide the pace.
    private static let leastPassed = 2.0

    private var job: JobID?
    private var furthest = 0
    private var first: Report?
    private var last: Report?
    /// Whether the coordinator has said how long the job still takes: nothing else is said from then on.
    private var isTold = false

    /// Notes the state of a job.
    /// - Parameter seconds: The present time, by any clock that does not go back.
    /// - Returns: The progress, 0 … 1000, never less than before for the same job; and pace and time left, once they
    ///   are known.
    mutating func note(_ view: JobView, at seconds: Double) -> (permille: Int, words: String?) {
        if job != view.id {
            self = ProgressPace()
            (job, furthest) = (view.id, view.permille)
        }
        let rate = view.frameRate.framesPerSecond
        let length = Double(view.frameCount) * Double(rate.denominator) / Double(rate.numerator)
        let (permille, words) = note(view.permille, ofSeconds: length, at: seconds)
        if view.secondsLeft != nil { isTold = true }
        if view.state.isFinal { return (permille, nil) }
        guard isTold else { return (permille, words) }
        return (permille, view.secondsLeft.map { Self.words(pace: view.speed, left: $0) })
    }

    /// Notes the progress of work that is no job and began at 0, as ``note(_:at:)`` does.
    /// - Parameter length: the length of the timeline, in seconds.
    mutating func note(_ permille: Int, ofSeconds length: Double, at seconds: Double) -> (permille: Int, words: String?)
    {
        if permille > furthest {
            furthest = permille
            last = Report(permille: permille, seconds: seconds)
            first = first ?? last
        }
        return (furthest, words(length, at: seconds))
    }

    private func words(_ length: Double, at now: Double) -> String? {
        guard let first, let last else { return nil }
        let waited = now - last.seconds
        let stalled = max(0, waited - Self.usualWait)
        let done = Double(last.permille - first.permille) / 1000
        let passed = last.seconds - first.seconds + stalled
        guard passed >= Self.leastPassed, done > 0.01 else { return nil }
        let whole = passed * Double(1000 - furthest) / 1000 / done
        return Self.words(pace: length * done / passed, left: max(0, whole - (waited - stalled)))
    }

    /// - Parameter pace: the seconds of the timeline per second; nil when that is not known.
    private static func words(pace: Double?, left: Double) -> String {
        let seconds = Int(clamping: left.rounded())
        let clock =
            seconds < 60
            ? "\(seconds) s"
            : seconds < 36_000
                ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
        guard let pace else { return clock + " left" }
        let tenths = Int(clamping: (pace * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)× real time · \(clock) left"
    }
}

extension Int {
    /// Makes the nearest representable whole number; a value that is not a number gives 0.
    fileprivate init(clamping value: Double) { self = Int(exactly: value) ?? (value > 0 ? .max : 0) }
}
