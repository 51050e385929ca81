/// Decides which files of a watched folder are complete: those that look the same at every look for a while, and those
/// that were renamed into place and look the same at two looks, one after the other.
///
///     seen ──every look finds it the same for `settle`──────────────► complete
///      ▲ │                                                               ▲
///      │ └──it was renamed into place, and the next look finds it the same
///      └────size, time of change or time of the attributes differs, or it is gone
///
/// Most programs rename what is complete. Somebody may also rename a file that another program still writes, and it
/// then grows from one look to the next. A renamed file that has changed is waited for like any other.
///
/// Only this program's clock counts. The times of a file say when it was written by the clock of a machine that may be
/// another, and a copy that keeps them (`cp -p`, `rsync -t`) has old ones while it is being written.
struct SettledFiles: Sendable {
    /// A file as it was at the last look.
    private struct Sighting {
        let file: SeenFile
        /// The time at which it was first seen as it is.
        let since: Int64
        /// Whether it was renamed into place, and has not changed since.
        let isRenamed: Bool
    }

    /// The time without a change, in milliseconds.
    let settleMilliseconds: Int64
    /// The files of the last look, by name.
    private var seen: [String: Sighting] = [:]

    init(settleMilliseconds: Int64) { self.settleMilliseconds = settleMilliseconds }

    /// Notes what lies there now.
    /// - Parameters:
    ///   - renamed: the names that files were given by renaming since the last look.
    ///   - now: the milliseconds of a clock that only goes forward.
    /// - Returns: the files that are complete. Empty ones are not.
    mutating func note(_ files: [SeenFile], renamed: Set<String> = [], at now: Int64) -> [FoundFile] {
        var complete: [FoundFile] = []
        var kept: [String: Sighting] = [:]
        for look in files where look.file.byteCount > 0 {
            let name = look.file.name
            let same = seen[name].flatMap { $0.file == look ? $0 : nil }
            let since = same?.since ?? now
            let isRenamed = renamed.contains(name) || same?.isRenamed == true
            kept[name] = Sighting(file: look, since: since, isRenamed: isRenamed)
            let isStill = isRenamed && same != nil
            if isStill || now - since >= settleMilliseconds { complete.append(look.file) }
        }
        seen = kept
        return complete
    }
}
