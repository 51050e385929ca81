package import Foundation

/// The clocks on the walls of a time zone. Seconds count from 1970-01-01 00:00, in UTC for instants, and on the wall for
/// wall times.
package struct ZoneClock: Sendable {
    private let zone: TimeZone

    package init(_ zone: TimeZone) { self.zone = zone }

    /// The seconds by which the wall is ahead of UTC at an instant.
    package func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }

    /// The instant that RFC 5545 §3.3.5 means by a wall time: of one that occurs twice the first, and one that is skipped
    /// counts from the offset before the gap.
    package func instant(of wall: Int64) -> Int64 {
        // No offset is more than a day, so that these are the offsets before and after whatever happens around `wall`.
        let (before, after) = (offset(at: wall - 86_400), offset(at: wall + 86_400))
        let candidates = [before, after].map { wall - $0 }.filter { $0 + offset(at: $0) == wall }
        return candidates.min() ?? wall - before
    }
}
