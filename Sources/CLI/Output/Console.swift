import Foundation

/// Standard output and standard error, whole lines at a time.
enum Console {
    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func error(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Without a line end, for a line that is drawn again.
    static func errorPart(_ text: String) { write(text, to: STDERR_FILENO) }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
