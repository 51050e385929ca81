import CompositionModel
import Farm
import WireProtocol

/// A whole farm in one thread and no time: the very code that decides in coordinators and workers, between a simulated
/// network, clocks, disks and deaths, all drawn from one seed. Safety is checked after every operation on the store,
/// liveness after the faults stop.
///
///     let farm = FarmTables(policy: FarmPolicy(), identifiers: IdentifierSource(seed: 42))
///     let report = Simulator(seed: 42, farm: farm).run()
///     report.violations.isEmpty
package struct Simulator<Farm: SimulatedFarm> {
    enum Action {
        case tick(worker: Int, incarnation: Int)
        case tell(worker: Int, incarnation: Int, WorkerEvent, request: Int?)
        case deliver(SimulatedRequest, coordinator: Int)
        case sweep(coordinator: Int, incarnation: Int)
        case dispatch(coordinator: Int)
        case endPoll(request: Int, coordinator: Int)
        case begin(SimulationScenario.Fault, until: Int64)
        case end(SimulationScenario.Fault)
        case startWorker(Int)
        case submit(Int)
        case cancel(Int)
        case control(Int, JobControl)
        case reject([ContentDigest])
    }

    package let seed: UInt64
    let scenario: SimulationScenario
    var farm: Farm
    var generator: SeededGenerator
    var queue = EventQueue<Action>()
    /// True time, milliseconds from the start.
    var now: Int64 = 0
    var workers: [SimulatedWorker]
    var coordinators: [SimulatedCoordinator]
    var auditor = FarmAuditor()
    var jobs: [JobID: SimulationScenario.Job] = [:]
    var submitted: [JobID?]
    var artifacts: Set<ContentDigest> = []
    /// What ever came, also what is lost by now.
    var uploaded: Set<ContentDigest> = []
    var nextRequest = 0
    // Faults of all.
    var databaseStalledUntil: Int64 = 0
    var diskFull = 0
    var corruptUploads = 0
    var lossyNetwork = 0
    var failingChildren = 0
    var hangingChildren = 0

    package init(seed: UInt64, farm: Farm) {
        self.seed = seed
        self.farm = farm
        generator = SeededGenerator(seed: seed)
        let scenario = SimulationScenario(using: &generator)
        self.scenario = scenario
        workers = (0..<scenario.workers).map { number in
            SimulatedWorker(
                kinds: number < scenario.renderers ? [.picture, .sound, .stills, .measure] : [.stitch],
                slots: scenario.slots,
                clockRate: scenario.clockRates[number],
                seed: seed &+ UInt64(number)
            )
        }
        coordinators = Array(repeating: SimulatedCoordinator(), count: scenario.coordinators)
        submitted = Array(repeating: nil, count: scenario.jobs.count)
    }

    /// Time that an undisturbed farm may take to bring every job to its end: a child that hangs is given up at its
    /// deadline, after ten minutes, and a poisoned task waits out its backoffs.
    static var patience: Int64 { 600_000 + 400_000 }

    /// The database's clock.
    var farmTime: FarmTime { FarmTime(milliseconds: 1_700_000_000_000 + now) }

    package consuming func run() -> SimulationReport {
        schedule()
        var steps = 0
        while let (time, action) = queue.next(), time <= scenario.quietAt + Self.patience, auditor.violations.isEmpty {
            now = max(now, time)
            perform(action)
            steps += 1
            if now > scenario.quietAt, steps % 16 == 0, isAtRest { break }
        }
        auditor.checkEnd(farm.tables, acknowledged: submitted)
        if scenario.isCalm { auditor.checkCalmEnd(farm.tables) }
        return SimulationReport(
            seed: seed,
            violations: auditor.violations,
            steps: steps,
            milliseconds: now,
            seen: auditor.seen
        )
    }

    /// Every job has its end and no worker has anything in hand.
    private var isAtRest: Bool {
        let tables = farm.tables
        return tables.jobs.count == scenario.jobs.count && tables.jobs.allSatisfy { $0.record.state.isFinal }
            && workers.allSatisfy { $0.machine.attempts.isEmpty }
    }

    private mutating func schedule() {
        for number in workers.indices { queue.schedule(.tick(worker: number, incarnation: 0), at: random(0...500)) }
        for number in coordinators.indices {
            queue.schedule(.sweep(coordinator: number, incarnation: 0), at: random(0...500))
        }
        for (number, job) in scenario.jobs.enumerated() {
            queue.schedule(.submit(number), at: job.at)
            if job.isSubmittedTwice { queue.schedule(.submit(number), at: job.at + random(1...2000)) }
            if let cancelAt = job.cancelAt { queue.schedule(.cancel(number), at: cancelAt) }
            for pause in job.pauses { queue.schedule(.control(number, .pause), at: pause.at) }
            if job.isRetried { queue.schedule(.control(number, .retry), at: job.lastCall + random(1000...60_000)) }
        }
        for fault in scenario.faults {
            queue.schedule(.begin(fault.fault, until: fault.until), at: fault.at)
            queue.schedule(.end(fault.fault), at: fault.until)
        }
    }

    private mutating func perform(_ action: Action) {
        switch action {
        case .tick(let worker, let incarnation): tick(worker, incarnation)
        case .tell(let worker, let incarnation, let event, let request): tell(worker, incarnation, event, request)
        case .deliver(let request, let coordinator): deliver(request, to: coordinator)
        case .sweep(let coordinator, let incarnation): sweep(coordinator, incarnation)
        case .dispatch(let coordinator): dispatch(coordinator)
        case .endPoll(let request, let coordinator): endPoll(request, coordinator)
        case .begin(let fault, let until): begin(fault, until: until)
        case .end(let fault): end(fault)
        case .startWorker(let worker): startWorker(worker)
        case .submit(let job): submit(job)
        case .cancel(let job): cancel(job)
        case .control(let job, let control): self.control(job, control)
        case .reject(let lost): reject(lost)
        }
    }

    mutating func random(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }

    /// True `count` times in a thousand.
    mutating func happens(_ count: Int64) -> Bool { count > 0 && random(0...999) < count }
}

/// What one seed showed.
package struct SimulationReport: Sendable, CustomStringConvertible {
    package let seed: UInt64
    /// Empty when every property held; a run stops at the first.
    package let violations: [String]
    /// Events performed.
    package let steps: Int
    /// Simulated time.
    package let milliseconds: Int64
    /// How often each outcome occurred, so that a test can tell that the seeds reach everything.
    package let seen: [String: Int]

    package var description: String { "seed \(seed): \(violations.joined(separator: "; "))" }
}
