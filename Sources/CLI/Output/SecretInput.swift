import Foundation

/// Reads a secret from standard input: a line that a terminal does not show, or the first line of a pipe or file.
enum SecretInput {
    /// - Parameter prompt: what is written before, on a terminal only.
    /// - Returns: the line without blanks at its ends; empty when there was none.
    static func read(prompt: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return trimmed(readLine()) }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return trimmed(readLine()) }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)
        // Control-C while the terminal is silent must not leave it so.
        let restored = before
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            var terminal = restored
            tcsetattr(STDIN_FILENO, TCSANOW, &terminal)
            Console.error("\nInterrupted.")
            exit(ExitStatus.interrupted.rawValue)
        }
        source.resume()
        defer {
            source.cancel()
            signal(SIGINT, SIG_DFL)
        }
        // Flushing would lose what was pasted before the prompt.
        tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
        Console.errorPart(prompt)
        let line = readLine()
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
        Console.endLine()
        return trimmed(line)
    }

    private static func trimmed(_ line: String?) -> String {
        (line ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
