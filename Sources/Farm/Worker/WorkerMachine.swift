package import WireProtocol

/// All that a worker decides, as a value: when it polls, what it runs, when it renews, gives up, hands back, leaves.
///
/// **How to drive it.** Keep one in an actor. For everything that happens, call ``handle(_:at:)`` with the monotonic
/// time and carry out the effects in order, each in a task of its own; then sleep until ``wakeAt`` and send `tick`.
///
///     var machine = WorkerMachine(slots: 2, seed: .random(in: 0 ... .max))
///     perform(machine.handle(.tick, at: clock.now))          // → register
///     …
///     perform(machine.handle(.granted(poll, grants), at: clock.now))
///
/// A step that fails for want of an answer is repeated with backoff until it is answered: a finished segment is never
/// thrown away because the coordinator was restarting. Repeating is safe: a poll keeps its identifier, an attempt its
/// own, an upload is content-addressed.
///
/// **Leases.** A lease is counted from when the request that renewed it was sent. With three quarters of any lease
/// gone, nothing new is taken, and what is in hand is finished: the coordinator accepts it unless it gave it to
/// another. Only the coordinator's word ends it: a heartbeat's `lost`, or the attempt's own deadline.
package struct WorkerMachine: Sendable {
    enum Phase: Sendable, Hashable {
        /// Not known to a coordinator; `register` again at this time, nil while it is on its way.
        case registering(retryAt: MonotonicTime?)
        case working
        /// Said goodbye; again at this time, nil while it is on its way.
        case leaving(retryAt: MonotonicTime?)
        case exited
    }

    struct Poll: Sendable, Hashable {
        let id: PollID
        /// When to send it again; nil while it is on its way.
        var retryAt: MonotonicTime?
        var tries = 0
    }

    let slots: Int
    var generator: SeededGenerator
    var phase = Phase.registering(retryAt: MonotonicTime(milliseconds: .min))
    var worker: WorkerRegistered?
    var tries = 0
    var poll: Poll?
    var heartbeatAt: MonotonicTime?
    /// The time when the heartbeat was sent that is not answered yet; nil when there is none.
    var heartbeatSent: MonotonicTime?
    var held: [HeldTask] = []
    /// The number of rests for a full disk since a task was last finished here, and the time until which the worker takes
    /// nothing: the same tasks succeed elsewhere meanwhile.
    var fullDisks = 0
    var restsUntil: MonotonicTime?
    /// Whether this process was asked to leave, for good.
    var isLeaving = false
    /// Whether the coordinator's last answer said to drain: somebody may take that back while tasks are under way.
    var isDrained = false
    /// Whether the worker takes nothing new and leaves once its tasks are finished.
    package var isDraining: Bool { isLeaving || isDrained }
    /// The time at which it exits without an answer, once it said goodbye; nil before.
    var leaveBy: MonotonicTime?
    /// Whether the release is retried until it is acknowledged, because it returns leases; otherwise it is sent once.
    var repeatsGoodbye = false

    /// - Parameters:
    ///   - slots: tasks it runs at a time, ≥ 1.
    ///   - seed: for poll identifiers and the jitter of retries: a random number, or a fixed one to repeat a run.
    package init(slots: Int, seed: UInt64) {
        self.slots = slots
        generator = SeededGenerator(seed: seed)
    }

    /// The attempts in hand, in the order they were granted.
    package var attempts: [AttemptID] { held.map(\.attempt) }
    /// The identifier that the coordinator gave; nil while the worker is not registered.
    package var id: WorkerID? { worker?.worker }

    /// Takes one event.
    /// - Returns: what to do, in order; nothing after the exit.
    package mutating func handle(_ event: WorkerEvent, at now: MonotonicTime) -> [WorkerEffect] {
        guard phase != .exited else { return [] }
        return react(to: event, at: now) + advance(at: now)
    }

    private mutating func react(to event: WorkerEvent, at now: MonotonicTime) -> [WorkerEffect] {
        switch event {
        case .tick: return []
        case .registered, .registrationUnreachable, .unknownWorker: return registration(event, at: now)
        case .granted(let poll, let grants): return granted(poll, grants, at: now)
        case .pollUnreachable(let id): return retryPoll(id, at: now)
        case .heartbeatReplied(let reply): return renewed(reply, at: now)
        case .heartbeatUnreachable: return heartbeatLost(at: now)
        case .releaseReplied, .releaseUnreachable: return released(event, at: now)
        case .drainRequested: return drain()
        case .stopRequested: return stop(at: now)
        default: return taskEvent(event, at: now)
        }
    }
}
