import Foundation
package import Logging
import Synchronization

/// One line for people on standard error: the time of day, the level where it is above info, the message, and the
/// metadata as `name value`. What is the same in every line of a process (`role`, `label`) is left out.
package struct TextLogHandler: LogHandler {
    /// The metadata that every line carries.
    package var metadata: Logger.Metadata = [:]
    /// The lowest level that is written.
    package var logLevel: Logger.Level
    private let descriptor: Int32
    private static let writing = Mutex(())
    private static let left: Set<String> = ["role", "part"]

    /// Makes a handler.
    /// - Parameter descriptor: the descriptor to which lines are written; the handler does not close it.
    package init(level: Logger.Level = .info, descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
        logLevel = level
    }

    /// One value of the metadata.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line. Lines of several threads do not mix, and a value of several lines is put into one.
    package func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.filter { !Self.left.contains($0.key) }
        let time = Date.now.formatted(.dateTime.hour(.twoDigits(amPM: .omitted)).minute(.twoDigits).second(.twoDigits))
        var words = [time]
        if event.level > .info { words.append("\(event.level)") }
        words.append("\(event.message)")
        let values = fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        if !values.isEmpty { words.append("· " + values.joined(separator: ", ")) }
        let line = words.joined(separator: " ").replacing("\n", with: " ") + "\n"
        TextLogHandler.writing.withLock { _ in
            Array(line.utf8).withUnsafeBytes { bytes in _ = write(descriptor, bytes.baseAddress, bytes.count) }
        }
    }
}
