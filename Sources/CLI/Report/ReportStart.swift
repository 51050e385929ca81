import Farm
import Foundation
import WireProtocol

/// The beginning or the end of a report's period as a person writes it: an instant (`2026-12-01T18:00`, with an offset or in
/// this machine's zone), the last time a clock showed it (`18:00`), or how long ago it was (`12h`, `90m`, `2d`).
struct ReportStart: Sendable, Hashable {
    let date: Date

    /// Reads a text.
    /// - Throws: ``CommandFailure`` for anything else.
    init(_ text: String, now: Date = Date(), timeZone: TimeZone = .current) throws(CommandFailure) {
        if let written = WrittenInstant(text) {
            let wall = ZoneClock(timeZone).instant(of: written.wallSeconds)
            date = written.date ?? Date(timeIntervalSince1970: Double(wall))
        } else if let time = WallTime(text) {
            date = Self.last(time, before: now, timeZone)
        } else if let seconds = Self.seconds(text) {
            date = now.addingTimeInterval(-seconds)
        } else {
            throw CommandFailure(
                .usage,
                "“\(text)” is no time; write it as 18:00, as 2026-12-01T18:00, or as 12h for twelve hours ago."
            )
        }
    }

    private static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (1...10_000).contains(count)
        else { return nil }
        return Double(count) * unit
    }

    private static func last(_ time: WallTime, before now: Date, _ timeZone: TimeZone) -> Date {
        let clock = ZoneClock(timeZone)
        let today = Int64(now.timeIntervalSince1970) + Int64(timeZone.secondsFromGMT(for: now))
        let midnight = today - ((today % 86_400) + 86_400) % 86_400
        for day in Int64(0)...1 {
            let instant = clock.instant(of: midnight - day * 86_400 + Int64(time.minutes) * 60)
            let date = Date(timeIntervalSince1970: Double(instant))
            if date < now { return date }
        }
        return now.addingTimeInterval(-86_400)
    }
}
