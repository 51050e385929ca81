import Foundation
import Synchronization
import WireProtocol

/// Shows how much of a file was sent: a line that is redrawn on a terminal, nothing elsewhere.
final class UploadProgress: Sendable {
    private let name: String
    private let byteCount: Int64
    private let isShown: Bool
    private let began = ContinuousClock.now
    private let shown = Mutex<(tenths: Int64, second: Int64)>((-1, -1))

    /// - Parameters:
    ///   - path: the file.
    ///   - byteCount: its length.
    init(path: String, byteCount: Int64, isShown: Bool = Console.errorIsTerminal) {
        name = (path as NSString).lastPathComponent.visible
        self.byteCount = byteCount
        self.isShown = isShown
    }

    /// Shows that `sent` bytes were sent, when that is news: at most once a second after the first time.
    func note(_ sent: Int64) {
        guard isShown, byteCount > 0, sent > 0 else { return }
        let second = began.duration(to: .now).components.seconds
        let tenths = sent * 1000 / byteCount
        let isNews = shown.withLock { shown in
            guard tenths != shown.tenths, second != shown.second || sent >= byteCount else { return false }
            shown = (tenths, second)
            return true
        }
        if isNews { Console.errorPart("\r\u{1b}[K" + Self.line(name, sent: sent, of: byteCount, after: second)) }
    }

    /// Removes the line.
    func end() {
        guard isShown, shown.withLock({ $0.tenths >= 0 }) else { return }
        Console.errorPart("\r\u{1b}[K")
        Console.lineIsEmpty()
    }

    /// The line, with the rate once some seconds have passed. When all is sent the coordinator hashes and probes.
    static func line(_ name: String, sent: Int64, of byteCount: Int64, after seconds: Int64) -> String {
        if sent >= byteCount { return "\(name): sent; the coordinator reads it" }
        let rate = seconds > 2 ? " · \(megabytes(sent / seconds)) a second" : ""
        return "sending \(name): \(sent * 100 / byteCount) % of \(megabytes(byteCount))\(rate)"
    }

    private static func megabytes(_ bytes: Int64) -> String {
        bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }
}
