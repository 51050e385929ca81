/// The bytes of a copy that are written from one flush to the next: about as many as the disk takes in two seconds, so
/// that no flush looks like a file system that hangs.
struct FlushPace {
    /// The bytes after which the next flush is due.
    private(set) var byteCount = Self.fewestBytes

    /// At 100 kB/s they take ten seconds.
    private static let fewestBytes: Int64 = 1 << 20
    /// A server that took the first gigabyte into its memory may become slow at once: at 600 kB/s these take 28 s.
    private static let mostBytes: Int64 = 16 << 20
    private static let goal: Duration = .seconds(2)

    /// Notes that `byteCount` bytes, more than none, were written and flushed in `time`.
    mutating func note(_ byteCount: Int64, in time: Duration) {
        let fitting = Double(byteCount) * (Self.goal / max(time, .nanoseconds(1)))
        self.byteCount = Int64(min(max(fitting, Double(Self.fewestBytes)), Double(Self.mostBytes)))
    }
}
