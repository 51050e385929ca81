import Foundation
package import Logging
import Synchronization
import WireProtocol

/// One JSON object a line on standard error: `time` (RFC 3339, UTC), `level`, `label`, `message`, then the metadata
/// (`job`, `task`, `attempt`, `worker` where they apply).
package struct JSONLogHandler: LogHandler {
    /// The metadata that every line carries.
    package var metadata: Logger.Metadata = [:]
    /// The lowest level that is written.
    package var logLevel: Logger.Level
    private let label: String
    private let descriptor: Int32
    private static let writing = Mutex(())

    /// Makes a handler.
    /// - Parameter descriptor: the descriptor to which lines are written; the handler does not close it.
    package init(label: String, level: Logger.Level = .info, descriptor: Int32 = STDERR_FILENO) {
        self.label = label
        self.descriptor = descriptor
        logLevel = level
    }

    /// One value of the metadata.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line. Lines of several threads do not mix.
    package func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
        fields["time"] = Date.now.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        fields["level"] = event.level.rawValue
        fields["label"] = label
        fields["message"] = "\(event.message)"
        guard var line = try? WireJSON.encode(fields) else { return }
        line.append(0x0a)
        JSONLogHandler.writing.withLock { _ in
            line.withUnsafeBytes { bytes in _ = write(descriptor, bytes.baseAddress, bytes.count) }
        }
    }
}
