/// When a message is sent again that was not taken.
enum WebhookBackoff {
    /// The waits in seconds after the first, second, … attempt: soon for a receiver that restarts, then ever more seldom.
    /// They come to 24 hours and 2 minutes, so that one that was down over a day's work gets everything.
    static let waits: [Int64] = [5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 14_400, 21_600, 22_240]

    /// The wait in milliseconds after `attempts` attempts; nil when the message is given up.
    static func wait(afterAttempts attempts: Int) -> Int64? {
        waits.indices.contains(attempts - 1) ? waits[attempts - 1] * 1000 : nil
    }
}
