import CompositionModel
import Foundation
import WireProtocol

/// The numbers and instants of a report in words.
struct ReportWords: Sendable {
    let timeZone: TimeZone

    init(_ timeZone: TimeZone = .current) { self.timeZone = timeZone }

    /// An instant by this machine's clock, such as `1 Dec 2026, 18:00`.
    func instant(_ date: Date) -> String { formatted(date, "d MMM yyyy, HH:mm") }

    /// The time of day of an instant.
    func clock(_ date: Date) -> String { formatted(date, "d MMM, HH:mm") }

    private func formatted(_ date: Date, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB_POSIX")
        formatter.timeZone = timeZone
        formatter.dateFormat = format
        return formatter.string(from: date)
    }

    /// A time span in its two largest units.
    static func span(milliseconds: Int64) -> String {
        let seconds = (milliseconds + 500) / 1000
        switch seconds {
        case ..<1: return milliseconds > 0 ? "under 1 s" : "0 s"
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }

    /// A whole number with a thin space between its thousands.
    static func count(_ number: Int64) -> String {
        var (rest, text) = (String(number.magnitude)[...], "")
        while rest.count > 3 {
            text = "\u{202f}" + rest.suffix(3) + text
            rest = rest.dropLast(3)
        }
        return (number < 0 ? "−" : "") + rest + text
    }

    /// A number of bytes in a decimal unit.
    static func bytes(_ count: Int64) -> String {
        var (value, unit) = (Double(count), 0)
        while value >= 1000, unit < 4 { (value, unit) = (value / 1000, unit + 1) }
        let words = ["B", "kB", "MB", "GB", "TB"]
        let digits = unit == 0 || value >= 100 ? 0 : 1
        return value.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_GB")))
            + " " + words[unit]
    }

    /// The one line that says how it went.
    static func headline(_ totals: ReportTotals) -> String {
        var words = ["\(Count.of(totals.completed, "job")) done"]
        if totals.failed > 0 { words.append("\(totals.failed) failed") }
        if totals.cancelled > 0 { words.append("\(totals.cancelled) cancelled") }
        if totals.unfinished > 0 { words.append("\(totals.unfinished) not finished") }
        if totals.late > 0 { words.append("\(totals.late) late") }
        if totals.undelivered > 0 { words.append("\(totals.undelivered) not where they go") }
        return words.joined(separator: ", ")
    }

    /// Why a job is not done, in a sentence.
    static func state(_ job: JobView) -> String {
        if let hold = job.onHold { return hold }
        if job.isPaused == true { return "Somebody paused it; `cutfarm resume \(job.id)` lets it go on." }
        if let waiting = job.waiting {
            return [waiting.sentence + ".", waiting.detail].compactMap(\.self).joined(separator: " ")
        }
        let done = "\(job.permille / 10) % done"
        guard let left = job.secondsLeft else { return "\(done)." }
        return "\(done), about \(span(milliseconds: Int64(min(left, 1e9) * 1000))) left."
    }

    /// How a job misses its deadline, in a sentence.
    static func lateness(_ job: JobView) -> String? {
        if let warning = job.deadlineWarning { return warning + "." }
        return job.state == .failed ? "It failed, so that nothing was ready at its deadline." : nil
    }

    /// The time between a job's submission and its end.
    static func length(_ job: JobView) -> String? {
        job.finished.map { span(milliseconds: Int64(max(0, $0.timeIntervalSince(job.created)) * 1000)) }
    }
}
