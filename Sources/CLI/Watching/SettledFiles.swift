/// Decides which files of a watched folder are complete: those that look the same at every look for a while, and those
/// that were renamed into place.
///
///     seen ──every look finds it the same for `settle`, or it was renamed into place──► complete
///      ▲ └─size, time of change or time of the attributes differs, or it is gone
///      └───┘
///
/// Only this program's clock counts. The times of a file say when it was written by the clock of a machine that may be
/// another, and a copy that keeps them (`cp -p`, `rsync -t`) has old ones while it is being written.
struct SettledFiles: Sendable {
    /// The time without a change, in milliseconds.
    let settleMilliseconds: Int64
    /// The files that were seen, with the time at which they were first seen as they are.
    private var seen: [String: (file: SeenFile, since: Int64)] = [:]

    init(settleMilliseconds: Int64) { self.settleMilliseconds = settleMilliseconds }

    /// Notes what lies there now.
    /// - Parameters:
    ///   - renamed: the names that files were given by renaming since the last look.
    ///   - now: the milliseconds of a clock that only goes forward.
    /// - Returns: the files that are complete. Empty ones are not.
    mutating func note(_ files: [SeenFile], renamed: Set<String> = [], at now: Int64) -> [FoundFile] {
        var complete: [FoundFile] = []
        var kept: [String: (file: SeenFile, since: Int64)] = [:]
        for look in files where look.file.byteCount > 0 {
            let name = look.file.name
            var since = seen[name].flatMap { $0.file == look ? $0.since : nil } ?? now
            if renamed.contains(name) { since = min(since, now - settleMilliseconds) }
            kept[name] = (look, since)
            if now - since >= settleMilliseconds { complete.append(look.file) }
        }
        seen = kept
        return complete
    }
}
