import Farm
import Foundation
import Synchronization
import WireProtocol

/// The last lines of a render process of this coordinator.
final class SaidLines: Sendable {
    private let lines = Mutex<[LogLine]>([])

    /// Notes a line.
    func note(_ text: String) {
        lines.withLock { lines in
            if lines.count >= 2 * StoredLog.mostLines { lines.removeFirst(StoredLog.mostLines) }
            lines.append(LogLine(at: Date(), text: text))
        }
    }

    /// The lines so far, at most ``StoredLog/mostLines``; nil when there are none.
    func take() -> [LogLine]? {
        let last = lines.withLock { Array($0.suffix(StoredLog.mostLines)) }
        return last.isEmpty ? nil : last
    }
}
