/// Decides which files of a watched folder are complete: those that have not changed for a while.
///
///     seen ──unchanged for `settle`──► complete
///      ▲ └─last written longer ago than `settle`, and the same at the next look─► complete
///      └─size or a time of change differs
///
/// The second way is that of a file which was renamed into place: nobody has written to it for long.
struct SettledFiles: Sendable {
    /// The time without a change, in milliseconds.
    let settleMilliseconds: Int64
    /// The files that were seen and are not complete, with the time at which they were first seen as they are.
    private var seen: [String: (file: SeenFile, since: Int64)] = [:]

    init(settleMilliseconds: Int64) { self.settleMilliseconds = settleMilliseconds }

    /// Notes what lies there now.
    /// - Parameters:
    ///   - now: the milliseconds of a clock that only goes forward.
    ///   - wall: the nanoseconds since 1970 by this machine's clock, which that of another may differ from.
    /// - Returns: those that are complete. Empty files are not.
    mutating func note(_ files: [SeenFile], at now: Int64, wall: Int64) -> [FoundFile] {
        var complete: [FoundFile] = []
        var kept: [String: (file: SeenFile, since: Int64)] = [:]
        for look in files where look.file.byteCount > 0 {
            let file = look.file
            guard let before = seen[file.name], before.file == look else {
                kept[file.name] = (look, now)
                continue
            }
            kept[file.name] = before
            let isOld = wall - file.modifiedNanoseconds >= settleMilliseconds * 1_000_000
            if now - before.since >= settleMilliseconds || isOld { complete.append(file) }
        }
        seen = kept
        return complete
    }
}
