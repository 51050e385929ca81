import Logging
import Synchronization

/// A log handler that keeps what it is told.
final class KeptLog: Sendable {
    struct Line: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: [String: String]
    }

    private let kept = Mutex<[Line]>([])
    var lines: [Line] { kept.withLock(\.self) }
    var logger: Logger { logger(.info) }

    /// - Parameter level: the least level that is kept.
    func logger(_ level: Logger.Level) -> Logger { Logger(label: "kept") { _ in Handler(log: self, logLevel: level) } }

    private struct Handler: LogHandler {
        let log: KeptLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            log.kept.withLock { $0.append(Line(level: event.level, message: "\(event.message)", metadata: fields)) }
        }
    }
}
