import Farm
import Timing

/// The numbers of what the farm has, counted rarely however often they are asked for.
///
/// Counting reads an entry of an index for each queued task and each job. So it is done at most every
/// ``leastAge``, by one request at a time, and never takes more than a ``share`` of the time.
actor SharedTally {
    /// The time for which a count is used at least.
    static let leastAge: Duration = .seconds(15)
    /// A count that took some time is used for this many times as long.
    static let share = 20

    /// The answer to whoever asks.
    struct Answer: Sendable {
        /// Nil when the database did not answer.
        let tally: FarmTally?
        /// The time since the count.
        let age: Duration
    }

    private let store: any FarmStore
    private let stopwatch: Stopwatch
    private var counted: (tally: FarmTally?, ended: Duration, validFor: Duration)?
    private var counting: Task<FarmTally?, Never>?

    /// - Parameter clock: the clock by which a count grows old.
    init(store: any FarmStore, clock: any Clock<Duration>) {
        self.store = store
        stopwatch = Stopwatch(on: clock)
    }

    /// The last count, or a new one.
    func answer() async -> Answer {
        if let counted, stopwatch.elapsed < counted.ended + counted.validFor {
            return Answer(tally: counted.tally, age: stopwatch.elapsed - counted.ended)
        }
        if let counting { return Answer(tally: await counting.value, age: .zero) }
        let began = stopwatch.elapsed
        let task = Task { [store] in try? await store.tally() }
        counting = task
        let tally = await task.value
        counting = nil
        let ended = stopwatch.elapsed
        counted = (tally, ended, tally == nil ? .seconds(5) : max(Self.leastAge, (ended - began) * Self.share))
        return Answer(tally: tally, age: .zero)
    }
}
