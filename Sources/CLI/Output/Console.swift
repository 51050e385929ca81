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

    /// Prints a line on standard error, below one that was drawn with ``errorPart(_:)``.
    static func error(_ line: String) {
        endLine()
        _ = write(line + "\n", to: STDERR_FILENO)
    }

    /// Prints a line on standard error in place of one that was drawn with ``errorPart(_:)``.
    static func errorOver(_ line: String) {
        let isDrawn = isLineOpen.exchange(false, ordering: .relaxed)
        _ = write((isDrawn ? "\r\u{1b}[K" : "") + line + "\n", to: STDERR_FILENO)
    }

    /// Prints text on standard error without a line end, for a line that is drawn again.
    static func errorPart(_ text: String) {
        isLineOpen.store(!text.hasSuffix("\n"), ordering: .relaxed)
        _ = write(text, to: STDERR_FILENO)
    }

    /// Ends the line that was drawn with ``errorPart(_:)``, if one was: whatever follows begins in the first column.
    static func endLine() {
        if isLineOpen.exchange(false, ordering: .relaxed) { _ = write("\n", to: STDERR_FILENO) }
    }

    /// Says that the line drawn with ``errorPart(_:)`` was cleared: what follows may take its place.
    static func lineIsEmpty() { isLineOpen.store(false, ordering: .relaxed) }

    private static let isLineOpen = Atomic<Bool>(false)

    /// Whether standard error is a terminal, on which a line can be drawn again.
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes all of a text.
    /// - Returns: 0, or the `errno` of the call that failed.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        Array(text.utf8).withUnsafeBytes { $0.writeAll(to: descriptor) }
    }
}
