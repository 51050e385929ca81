import Farm
import Storage
import Synchronization
import Timing

/// The claim of a movie that is being put into its output folder, as the thread that does it and the task that renews
/// the claim share it.
///
///     claimed ──renewed──renewed──╌╌ no progress ╌╌──► given up: the thread, once its call returns, names nothing
///                  each 5 s, while the thread passes moments
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
    }

    private let state: Mutex<State>
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
        state.withLock { ($0.claim, $0.age) = (claim, age) }
    }

    /// Nobody waits for the delivery any more.
    func giveUp() { state.withLock { $0.isGivenUp = true } }

    /// From now on the thread has to pass moments.
    func watch() { state.withLock { $0.isWatched = true } }

    /// Whether the claim was given up for want of progress.
    var isStalled: Bool { state.withLock { $0.isStalled } }

    /// Looks whether there was progress since the last look, and gives the claim up when `most` looks in a row saw
    /// none.
    /// - Returns: whether the claim is to be renewed.
    func look(most: Int) -> Bool {
        state.withLock { state in
            guard state.isWatched else { return !state.isGivenUp }
            state.idleLooks = state.moments == state.seenMoments ? state.idleLooks + 1 : 0
            state.seenMoments = state.moments
            if state.idleLooks >= most { (state.isStalled, state.isGivenUp) = (true, true) }
            return !state.isGivenUp
        }
    }

    /// Passes a moment of the delivery.
    /// - Returns: whether it goes on. The movie gets its name only while the claim lasts: afterwards another
    ///   coordinator may have put it there, and somebody taken it away.
    func goesOn(_ moment: OutputMoment) -> Bool {
        state.withLock { state in
            state.moments += 1
            let lasts = state.age.elapsed < .milliseconds(DeliveryRecord.claimMilliseconds)
            return !state.isGivenUp && (moment != .naming || lasts)
        }
    }
}
