import Farm

/// The files of a watched folder that the farm could not take yet, and when each is tried again.
///
///     refused in passing ──pause──► tried ──► taken, or refused for good
///              ▲                      │
///              └──longer pause────────┘
///
/// A file that was changed meanwhile is another file, which begins anew.
struct WaitingFiles: Sendable {
    private struct Wait {
        let file: FoundFile
        var attempts = 0
        /// The time from which it is tried again, since the start.
        var due: Duration = .zero
        /// The sentence that was said last.
        var said = ""
    }

    /// The pauses between two attempts for one file.
    let schedule: RetrySchedule
    private var waits: [String: Wait] = [:]

    /// - Parameter interval: the time between two looks at the folder, which is the first pause. The longest is a
    ///   minute, or that time where it is longer.
    init(interval: Duration) {
        schedule = RetrySchedule(firstPause: interval, longestPause: max(interval, .seconds(60)))
    }

    /// How often the farm could not take the file yet.
    func attempts(_ file: FoundFile) -> Int { wait(file)?.attempts ?? 0 }

    /// Whether the file is tried now.
    /// - Parameter now: the time since the start.
    func isDue(_ file: FoundFile, at now: Duration) -> Bool { (wait(file)?.due ?? .zero) <= now }

    /// Notes that the farm cannot take anything now: the file is tried at the next look, after those that were tried
    /// less often.
    mutating func note(_ file: FoundFile) {
        var wait = wait(file) ?? Wait(file: file)
        wait.attempts += 1
        waits[file.name] = wait
    }

    /// Notes that the farm cannot take this file yet.
    /// - Returns: whether `sentence` has to be said: it is another than that of the attempt before.
    mutating func delay(_ file: FoundFile, _ sentence: String, at now: Duration) -> Bool {
        note(file)
        guard var wait = waits[file.name] else { return true }
        wait.due = now + (schedule.pause(after: wait.attempts, elapsed: .zero) ?? .zero)
        defer { waits[file.name] = wait }
        guard wait.said != sentence else { return false }
        wait.said = sentence
        return true
    }

    /// Forgets a file that waits no longer.
    mutating func end(_ name: String) { waits[name] = nil }

    /// Forgets the files that are gone.
    mutating func forget(allBut names: Set<String>) { waits = waits.filter { names.contains($0.key) } }

    private func wait(_ file: FoundFile) -> Wait? { waits[file.name].flatMap { $0.file == file ? $0 : nil } }
}
