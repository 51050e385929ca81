import Foundation
import Storage
import Synchronization

/// Standard output and standard error, written in whole lines.
enum Console {
    /// Prints a line on standard output; ``unwritten`` reports a failure.
    static func print(_ line: String) {
        let code = write(line + "\n", to: STDOUT_FILENO)
        // A reader such as `head` that has seen enough is no error.
        if code != 0, code != EPIPE { outputError.store(code, ordering: .relaxed) }
    }

    private static let outputError = Atomic<Int32>(0)

    /// The reason why a part of standard output is lost; nil when nothing is lost.
    static var unwritten: CommandFailure? {
        let code = outputError.load(ordering: .relaxed)
        guard code != 0 else { return nil }
        return CommandFailure(
            code == ENOSPC ? .noSpace : .internalError,
            "Standard output cannot be written: \(String(cString: strerror(code)))."
        )
    }

    /// Prints a line on standard error.
    static func error(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }

    /// Prints text on standard error without a line end, for a line that is drawn again.
    static func errorPart(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Whether standard error is a terminal, on which a line can be drawn again.
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes all of a text.
    /// - Returns: 0, or the `errno` of the call that failed.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        Array(text.utf8).withUnsafeBytes { $0.writeAll(to: descriptor) }
    }
}
