import Foundation
import Storage

/// Standard output and standard error, whole lines at a time.
enum Console {
    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func error(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Without a line end, for a line that is drawn again.
    static func errorPart(_ text: String) { write(text, to: STDERR_FILENO) }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    private static func write(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { $0.writeAll(to: descriptor) }
    }
}
