/// The status with which the process exits; the numbers are promised in README.md.
enum ExitStatus: Int32, Sendable {
    /// Everything was done.
    case success = 0
    /// This program or the farm has a defect.
    case internalError = 1
    /// The command or its input is wrong.
    case usage = 2
    /// The token does not allow it, or the versions differ.
    case notAllowed = 3
    /// A job failed or was cancelled.
    case jobFailed = 4
    /// The coordinator does not answer.
    case unreachable = 5
    /// The output exists, the job to fetch still runs, or there is another conflict.
    case conflict = 6
    /// A disk is full.
    case noSpace = 7
    /// SIGINT, SIGTERM or SIGHUP ended the command.
    case interrupted = 130
    /// The reader of standard output went away, as a shell says of SIGPIPE.
    case readerGone = 141
}
