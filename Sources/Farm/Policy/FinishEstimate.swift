/// The time left of a job as people are told: it counts down, and rises only for a reason.
///
/// A pace of half a minute goes up and down with every segment, and the time left with it. What is told follows it within
/// ten seconds where it falls. Where it rises, the countdown slows down or stands still until the pace has caught up:
///
///     by the pace   60 55 52 58 61 55 50 45 40 …
///     told          60 55 52 52 52 52 50 45 40 …
///
/// It rises all the same when that would no longer be true: see ``Rise``.
package struct FinishEstimate: Sendable, Hashable {
    /// Why more time is left than was told before.
    package enum Rise: Sendable, Hashable {
        /// There is more to do than before: a worker was lost with its unfinished part, or parts are rendered again.
        case moreWork
        /// For as long as the pace looks back it has said at least a quarter more than was told, or nobody asked: workers
        /// left, others' jobs take their turns, or what is left is harder than what was done.
        case slower
    }

    /// The time in which what is told follows a pace that says less.
    private static let followingMilliseconds: Int64 = 10_000
    /// The part of all work in thousandths by which the rest must grow to count as more work: progress is told in
    /// thousandths.
    private static let workThousandths: Int64 = 5

    /// The reason for the last answer; nil when it was no more than the one before.
    package private(set) var rise: Rise?
    private var secondsLeft: Double?
    private var toldAt = FarmTime(milliseconds: 0)
    /// The least work that was left so far, in milliseconds of one idle core.
    private var leastLeft: Int64 = 0
    /// The first of the answers in a row since when the pace says at least a quarter more than is told.
    private var slowerSince: FarmTime?

    package init() {}

    /// The time left, in seconds, to be told at `now`; nil while nothing is known of it.
    /// - Parameters:
    ///   - paced: the seconds left by the pace (``JobPace/secondsLeft``); nil when nothing is under way, which stops the
    ///     countdown.
    ///   - workLeft: the work that is left, in milliseconds of one idle core.
    ///   - allWork: the work of the whole job, likewise.
    ///   - now: the present time, not before that of the call before.
    package mutating func tell(_ paced: Double?, workLeft: Int64, of allWork: Int64, at now: FarmTime) -> Double? {
        let passed = max(0, now.milliseconds(since: toldAt))
        toldAt = now
        rise = nil
        guard let paced else {
            slowerSince = nil
            return nil
        }
        guard let before = secondsLeft else {
            (secondsLeft, leastLeft) = (paced, workLeft)
            return paced
        }
        // What was told so long ago binds nobody.
        if passed >= JobPace.windowMilliseconds {
            leastLeft = min(leastLeft, workLeft)
            return restart(paced, paced > before ? .slower : nil)
        }
        if workLeft > leastLeft + allWork * Self.workThousandths / 1000 {
            leastLeft = workLeft
            return restart(paced, paced > before ? .moreWork : nil)
        }
        leastLeft = min(leastLeft, workLeft)
        if paced > before * 1.25 + 1 {
            let since = slowerSince ?? now
            slowerSince = since
            if now.milliseconds(since: since) >= JobPace.windowMilliseconds { return restart(paced, .slower) }
        } else {
            slowerSince = nil
        }
        let counted = max(0, before - Double(passed) / 1000)
        let share = min(1, Double(passed) / Double(Self.followingMilliseconds))
        let told = min(before, counted + (paced - counted) * share)
        secondsLeft = told
        return told
    }

    private mutating func restart(_ paced: Double, _ rise: Rise?) -> Double {
        (secondsLeft, slowerSince, self.rise) = (paced, nil, rise)
        return paced
    }
}
