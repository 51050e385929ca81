import Farm
import WireProtocol

/// A worker process: a machine, its clock, its network cable, and how alive it is.
struct SimulatedWorker {
    enum Life: Hashable {
        case running
        case frozen
        case dead
    }

    let kinds: [TaskKind]
    let slots: Int
    /// Thousandths of true time.
    let clockRate: Int64
    /// Raised at each start: what was meant for an earlier life does not arrive.
    private(set) var incarnation = 0
    private(set) var machine: WorkerMachine
    var life = Life.running
    /// Requests that wait for an answer: the first of answer and time limit counts.
    var waiting: Set<Int> = []
    /// What it runs or holds files of.
    var children: [AttemptID: LeaseGrant] = [:]
    /// Its children all fail.
    var isBroken = false
    var losesRequests = false
    var losesReplies = false
    /// What came while it was frozen.
    var inbox: [(event: WorkerEvent, request: Int?)] = []
    /// True time of the tick that is scheduled.
    var tickAt: Int64?

    init(kinds: [TaskKind], slots: Int, clockRate: Int64, seed: UInt64) {
        self.kinds = kinds
        self.slots = slots
        self.clockRate = clockRate
        machine = WorkerMachine(slots: slots, seed: seed)
    }

    /// A new process.
    mutating func restart(seed: UInt64) {
        incarnation += 1
        machine = WorkerMachine(slots: slots, seed: seed)
        (life, waiting, children, inbox, tickAt) = (.running, [], [:], [], nil)
    }

    mutating func handle(_ event: WorkerEvent, at now: Int64) -> [WorkerEffect] {
        machine.handle(event, at: local(now))
    }

    /// True time at which its clock shows the machine's `wakeAt`.
    var wakeAt: Int64? {
        machine.wakeAt.map { max(0, ($0.milliseconds - 1_000_000) * 1000 + clockRate - 1) / clockRate }
    }

    /// Its monotonic clock began somewhere else and runs at its own rate.
    private func local(_ now: Int64) -> MonotonicTime {
        MonotonicTime(milliseconds: 1_000_000 + now * clockRate / 1000)
    }
}

/// A request from a worker's process on its way to a coordinator.
struct SimulatedRequest {
    enum Body: Sendable {
        case register(WorkerRegistration)
        case poll(LeasePoll)
        case heartbeat(WorkerID, Heartbeat)
        case upload(AttemptID, RenderedArtifact)
        case complete(AttemptID, TaskCompletion)
        case fail(AttemptID, TaskFailure)
        case release(WorkerID, LeaseRelease)
    }

    let id: Int
    let worker: Int
    let incarnation: Int
    let body: Body
    /// What the worker is told when no answer comes.
    let unreachable: WorkerEvent
}

/// A coordinator process: it keeps nothing but the polls that wait.
struct SimulatedCoordinator {
    var incarnation = 0
    var isRunning = true
    var polls: [(request: SimulatedRequest, poll: LeasePoll)] = []
}
