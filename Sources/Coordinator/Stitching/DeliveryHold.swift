import Dispatch
import Farm
import Storage
import Synchronization
import Timing

/// The claim of a movie that is being put into its output folder, as the thread that does it and the task that renews
/// the claim share it.
///
///     claimed ──renewed──renewed──╌╌ no progress ╌╌──► given up: the thread, once its call returns, names nothing
///                  each 5 s, while the thread passes moments
///
/// A claim that was not renewed in time, since the database is slow, keeps the thread before the name until it is renewed
/// or given up: it may be renewed as long as nobody else has taken it.
final class DeliveryHold: Sendable {
    private struct State {
        var claim: DueDelivery
        /// The time since the claim was last asked for, which is a little more than it has lasted.
        var age: Stopwatch
        var isGivenUp = false
        /// Whether the folder's calls have begun.
        var isWatched = false
        /// The moments that the thread has passed, and how many they were at the last look.
        var moments = 0
        var seenMoments = 0
        /// The looks in a row that saw no progress.
        var idleLooks = 0
        var isStalled = false
        /// Whether the thread waits for ``turn``, until the claim is renewed or given up.
        var isWaiting = false
    }

    private let state: Mutex<State>
    /// Signalled once each time that ``State/isWaiting`` ends.
    private let turn = DispatchSemaphore(value: 0)
    /// The output folder's name.
    let folder: String

    /// - Parameters:
    ///   - folder: the name of the output folder.
    ///   - age: started before the claim was asked for.
    init(_ claim: DueDelivery, in folder: String, since age: Stopwatch) {
        self.folder = folder
        state = Mutex(State(claim: claim, age: age))
    }

    /// The claim as it was last.
    var claim: DueDelivery { state.withLock { $0.claim } }

    /// Notes that the claim was renewed.
    /// - Parameter age: started before that was asked for.
    func renew(_ claim: DueDelivery, since age: Stopwatch) {
        change { ($0.claim, $0.age) = (claim, age) }
    }

    /// Nobody waits for the delivery any more.
    func giveUp() { change { $0.isGivenUp = true } }

    /// Changes what the thread may wait for.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            if state.isWaiting { turn.signal() }
            state.isWaiting = false
        }
    }

    /// Whether the thread waits until the claim is renewed or given up.
    var isWaiting: Bool { state.withLock(\.isWaiting) }

    /// Begins to count the moments that the thread passes: from this call on, none means no progress.
    func watch() { state.withLock { $0.isWatched = true } }

    /// Whether the claim was given up for want of progress.
    var isStalled: Bool { state.withLock { $0.isStalled } }

    /// Looks whether there was progress since the last look, and gives the claim up when `most` looks in a row saw
    /// none. A thread that waits for the claim's renewal is not held up by its folder.
    /// - Returns: whether the claim is to be renewed.
    func look(most: Int) -> Bool {
        state.withLock { state in
            guard state.isWatched else { return !state.isGivenUp }
            let isIdle = state.moments == state.seenMoments && !state.isWaiting
            state.idleLooks = isIdle ? state.idleLooks + 1 : 0
            state.seenMoments = state.moments
            if state.idleLooks >= most { (state.isStalled, state.isGivenUp) = (true, true) }
            return !state.isGivenUp
        }
    }

    /// Passes a moment of the delivery. Blocks before the name until the claim lasts, or is given up.
    /// - Returns: whether it goes on. The movie gets its name only while the claim lasts: afterwards another
    ///   coordinator may have put it there, and somebody taken it away.
    func goesOn(_ moment: OutputMoment) -> Bool {
        while true {
            let answer: Bool? = state.withLock { state in
                state.moments += 1
                guard !state.isGivenUp else { return false }
                let lasts = state.age.elapsed < .milliseconds(DeliveryRecord.claimMilliseconds)
                guard moment == .naming, !lasts else { return true }
                state.isWaiting = true
                return nil
            }
            if let answer { return answer }
            turn.wait()
        }
    }
}
