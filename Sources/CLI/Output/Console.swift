import Foundation
import Storage
import Synchronization

/// Standard output and standard error, whole lines at a time.
enum Console {
    /// What could not be printed is told by ``unwritten``.
    static func print(_ line: String) {
        let code = write(line + "\n", to: STDOUT_FILENO)
        // A reader such as `head` that has seen enough is no error.
        if code != 0, code != EPIPE { outputError.store(code, ordering: .relaxed) }
    }

    private static let outputError = Atomic<Int32>(0)

    /// Why some of what was printed on standard output is lost; nil when nothing is.
    static var unwritten: CommandFailure? {
        let code = outputError.load(ordering: .relaxed)
        guard code != 0 else { return nil }
        return CommandFailure(
            code == ENOSPC ? .noSpace : .internalError,
            "Standard output cannot be written: \(String(cString: strerror(code)))."
        )
    }

    static func error(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }

    /// Without a line end, for a line that is drawn again.
    static func errorPart(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// - Returns: 0, or what went wrong.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        Array(text.utf8).withUnsafeBytes { $0.writeAll(to: descriptor) }
    }
}
