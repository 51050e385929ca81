public import Foundation
public import Logging
import WireProtocol
import Synchronization

/// One JSON object a line on standard error: `time` (RFC 3339, UTC), `level`, `label`, `message`, then the metadata
/// (`job`, `task`, `attempt`, `worker` where they apply).
public struct JSONLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let label: String
    private let descriptor: Int32
    private static let writing = Mutex(())

    /// - Parameter descriptor: where lines are written; not owned.
    public init(label: String, level: Logger.Level = .info, descriptor: Int32 = STDERR_FILENO) {
        self.label = label
        self.descriptor = descriptor
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
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
