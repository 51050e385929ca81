/// How the process ends; the numbers are promised in README.md.
enum ExitStatus: Int32, Sendable {
    case success = 0
    case internalError = 1
    /// Wrong usage or bad input.
    case usage = 2
    case notAllowed = 3
    /// A job failed or was cancelled.
    case jobFailed = 4
    case unreachable = 5
    /// The output exists, the job to fetch still runs, or another conflict.
    case conflict = 6
    case noSpace = 7
    case interrupted = 130
    /// Whoever read standard output went away, as a shell says of SIGPIPE.
    case readerGone = 141
}
