import Farm
import Foundation
import WireProtocol

/// What people are told of a job whose window is closed.
struct WindowWords {
    private let window: JobWindow
    private let opens: FarmTime
    private let now: FarmTime

    /// - Returns: nil for a job that no window holds back.
    init?(_ job: JobView, now: FarmTime) {
        guard let window = job.window, let opens = job.windowOpens else { return nil }
        (self.window, self.now) = (window, now)
        self.opens = FarmTime(opens)
    }

    /// When the window opens, by the clocks of its zone, and how long that still takes.
    var waiting: JobWaiting {
        let left = opens.milliseconds(since: now)
        let wall = WindowCalendar(window).wall(at: opens)
        // Within a day the time alone says which one is meant.
        let day = left < 86_400_000 ? "" : "\(wall.day.name) "
        return JobWaiting(
            "Waits for its window: \(day)\(wall.time) \(window.timeZone.visible), in \(TimeLeft.words(left))",
            detail: "Its work begins from \(window.words). What is under way is finished, parts that are there are "
                + "taken, and a movie of which all parts are done is joined."
        )
    }
}

/// Durations in words.
enum TimeLeft {
    /// A duration in its two largest units, rounded up to whole minutes, such as `3 h 12 min`; at least `1 min`.
    static func words(_ milliseconds: Int64) -> String {
        let minutes = max(1, (milliseconds + 59_999) / 60_000)
        let (days, hours) = (minutes / 1440, minutes % 1440 / 60)
        if days > 0 { return "\(days) d" + (hours > 0 ? " \(hours) h" : "") }
        if hours > 0 { return "\(hours) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "") }
        return "\(minutes) min"
    }
}
