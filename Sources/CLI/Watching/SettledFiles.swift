/// Decides which files of a watched folder are complete: those that look the same at every look for a while.
///
///     seen ──every look finds it the same for `settle`──► complete
///      ▲ └─size, time of change or time of the attributes differs, or it is gone
///      └───┘
///
/// Only this program's clock counts. The times of a file say when it was written by the clock of a machine that may be
/// another, and a copy that keeps them (`cp -p`, `rsync -t`) has old ones while it is being written. A file that was
/// renamed into place, complete, is therefore waited for like any other.
struct SettledFiles: Sendable {
    /// The time without a change, in milliseconds.
    let settleMilliseconds: Int64
    /// The files that were seen, with the time at which they were first seen as they are.
    private var seen: [String: (file: SeenFile, since: Int64)] = [:]

    init(settleMilliseconds: Int64) { self.settleMilliseconds = settleMilliseconds }

    /// Notes what lies there now.
    /// - Parameter now: the milliseconds of a clock that only goes forward.
    /// - Returns: the files that are complete. Empty ones are not.
    mutating func note(_ files: [SeenFile], at now: Int64) -> [FoundFile] {
        var complete: [FoundFile] = []
        var kept: [String: (file: SeenFile, since: Int64)] = [:]
        for look in files where look.file.byteCount > 0 {
            guard let before = seen[look.file.name], before.file == look else {
                kept[look.file.name] = (look, now)
                continue
            }
            kept[look.file.name] = before
            if now - before.since >= settleMilliseconds { complete.append(look.file) }
        }
        seen = kept
        return complete
    }
}
