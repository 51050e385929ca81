import Foundation
import Synchronization
import WireProtocol

/// The lines about this worker's attempts that are not sent yet.
final class AttemptLogs: Sendable {
    /// The most lines of one attempt that wait to be sent; the oldest are dropped.
    static let mostLines = 100
    /// The most bytes of one line that are sent.
    private static let longestLine = 500

    private let lines = Mutex<[AttemptID: [LogLine]]>([:])

    /// Notes a line about an attempt.
    func note(_ attempt: AttemptID, _ text: String) {
        let text = text.utf8.count > Self.longestLine ? String(text.prefix(Self.longestLine / 4)) + "…" : text
        lines.withLock { lines in
            lines[attempt, default: []].append(LogLine(at: Date(), text: text))
            guard let count = lines[attempt]?.count, count > 2 * Self.mostLines else { return }
            lines[attempt]?.removeFirst(count - Self.mostLines)
        }
    }

    /// The attempts of which lines wait.
    var attempts: [AttemptID] { lines.withLock { Array($0.keys) } }

    /// Takes the last lines of an attempt; nil when none wait.
    func take(_ attempt: AttemptID) -> [LogLine]? {
        lines.withLock { $0.removeValue(forKey: attempt) }.map { Array($0.suffix(Self.mostLines)) }
    }

    /// Puts lines back that could not be sent.
    func putBack(_ taken: [LogLine], _ attempt: AttemptID) {
        lines.withLock { $0[attempt] = taken + ($0[attempt] ?? []) }
    }
}
