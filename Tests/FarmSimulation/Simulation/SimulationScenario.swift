import Farm
import WireProtocol

/// What a seed makes happen: how many of each, which jobs, which faults and when. Milliseconds from the start.
package struct SimulationScenario: Sendable {
    enum Fate: Sendable, Hashable {
        case healthy
        /// Rendering the task at this position kills every child.
        case poison(position: Int)
        /// The source of the task at this position is at fault.
        case badInput(position: Int)
    }

    struct Job: Sendable {
        let at: Int64
        let segments: Int
        let hasSound: Bool
        /// Of measuring, before the sound.
        let rounds: Int
        let costMilliseconds: Int64
        let fate: Fate
        let cancelAt: Int64?
        /// The client did not see the answer and submits again.
        let isSubmittedTwice: Bool
        /// Somebody pauses it and lets it go on: when, and for how long.
        let pauses: [(at: Int64, length: Int64)]
        /// When its work may begin. The simulation begins at 22:13:20.
        let window: JobWindow?
        /// It begins after the job before it in the list.
        let isAfterOther: Bool
        /// Somebody retries it once after it failed.
        let isRetried: Bool
        /// Its segments are also those of others.
        let sharesParts: Bool
        /// The share of its parts that two machines render.
        let audit: AuditShare?
    }

    enum Fault: Sendable, Hashable {
        case crashWorker(Int)
        case freezeWorker(Int)
        /// Requests do not arrive, or answers do not, or both.
        case partition(Int, losesRequests: Bool, losesReplies: Bool)
        case crashCoordinator(Int)
        case stallDatabase
        case diskFull
        case corruptUploads
        case lossyNetwork
        case failingChildren
        /// Some children that start meanwhile never come to their end.
        case hangingChildren
        /// Parts that were accepted are gone from the disk.
        case lostParts
        /// Something is wrong with it: every child fails, and says so.
        case brokenWorker(Int)
        case drainWorker(Int)
        case stopWorker(Int)
    }

    struct TimedFault: Sendable {
        let fault: Fault
        let at: Int64
        let until: Int64
    }

    /// Nothing goes wrong and nobody cancels.
    let isCalm: Bool
    let renderers: Int
    let coordinators: Int
    let slots: Int
    /// Thousandths of true time at which each worker's clock runs.
    let clockRates: [Int64]
    let jobs: [Job]
    let faults: [TimedFault]
    /// The renderer of which every part is spoilt; nil where there is none, or no third machine to decide.
    let spoiler: Int?

    /// When the last fault is over and the last job is in.
    var quietAt: Int64 {
        max(faults.map(\.until).max() ?? 0, jobs.map(\.lastCall).max() ?? 0)
    }

    /// Workers by number: renderers first, then one stitcher beside each coordinator.
    var workers: Int { renderers + coordinators }

    /// Drawn from `generator`; one seed in eight has no faults.
    init(using generator: inout SeededGenerator) {
        let renderers = Int.random(in: 2...4, using: &generator)
        let coordinators = Int.random(in: 1...2, using: &generator)
        self.renderers = renderers
        self.coordinators = coordinators
        slots = Int.random(in: 1...2, using: &generator)
        let isCalm = Int.random(in: 0..<8, using: &generator) == 0
        self.isCalm = isCalm
        clockRates = (0..<(renderers + coordinators)).map { _ in
            isCalm ? 1000 : Int64.random(in: 800...1200, using: &generator)
        }
        jobs = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Job(isCalm: isCalm, using: &generator) }
        let isSpoiling = !isCalm && renderers > 2 && jobs.contains { $0.audit != nil }
        spoiler =
            isSpoiling && jobs[0].costMilliseconds % 3 > 0 ? Int(jobs[0].costMilliseconds % Int64(renderers)) : nil
        let count = isCalm ? 0 : Int.random(in: 1...7, using: &generator)
        faults = (0..<count).map { _ in
            TimedFault(renderers: renderers, coordinators: coordinators, using: &generator)
        }
    }
}

extension SimulationScenario.Job {
    /// When a client last asks for something.
    var lastCall: Int64 { max(at, cancelAt ?? 0, pauses.map { $0.at + $0.length }.max() ?? 0, opening) }

    /// When the window is open for good, as far as the simulation goes: 0 for one that closes.
    private var opening: Int64 { window.map { Int64($0.after.minutes - (22 * 60 + 13)) * 60_000 } ?? 0 }

    /// A window that opens 40 s or 100 s after the simulation's start; for a job that somebody cancels in the end,
    /// sometimes one that closes then.
    private static func window(closes: Bool, using generator: inout SeededGenerator) -> JobWindow {
        let change = WallTime(minutes: 22 * 60 + 14 + Int.random(in: 0...1, using: &generator))
        return JobWindow(
            after: closes ? WallTime(minutes: 20 * 60) : change,
            until: closes ? change : WallTime(minutes: 6 * 60),
            timeZone: "UTC"
        )
    }

    init(isCalm: Bool, using generator: inout SeededGenerator) {
        at = Int64.random(in: 0...5000, using: &generator)
        segments = Int.random(in: 1...6, using: &generator)
        hasSound = Bool.random(using: &generator)
        costMilliseconds = Int64.random(in: 300...4000, using: &generator)
        // From what is drawn already, so that the other numbers of a seed stay what they were.
        audit =
            switch costMilliseconds / 7 % 6 {
            case 0, 1: .all
            case 2: AuditShare("30%")
            default: nil
            }
        rounds = hasSound ? max(Int(costMilliseconds % 7) - 3, 0) : 0
        switch Int.random(in: 0..<(isCalm ? 1 : 12), using: &generator) {
        case 10: fate = .poison(position: Int.random(in: 0..<segments, using: &generator))
        case 11: fate = .badInput(position: Int.random(in: 0..<segments, using: &generator))
        default: fate = .healthy
        }
        let isCancelled = !isCalm && Int.random(in: 0..<8, using: &generator) == 0
        let hasWindow = !isCalm && Int.random(in: 0..<5, using: &generator) == 0
        let closes = isCancelled && Bool.random(using: &generator)
        window = hasWindow ? Self.window(closes: closes, using: &generator) : nil
        let cancelled = at + Int64.random(in: 0...15_000, using: &generator)
        cancelAt = isCancelled ? cancelled + (hasWindow && closes ? 110_000 : 0) : nil
        isSubmittedTwice = Int.random(in: 0..<4, using: &generator) == 0
        let isPaused = !isCalm && Int.random(in: 0..<5, using: &generator) == 0
        pauses =
            isPaused
            ? [(at + Int64.random(in: 0...8000, using: &generator), Int64.random(in: 500...20_000, using: &generator))]
            : []
        isRetried = Int.random(in: 0..<3, using: &generator) == 0
        isAfterOther = !isCalm && Int.random(in: 0..<3, using: &generator) == 0
        sharesParts = fate == .healthy && Int.random(in: 0..<3, using: &generator) > 0
    }
}

extension SimulationScenario.TimedFault {
    init(renderers: Int, coordinators: Int, using generator: inout SeededGenerator) {
        at = Int64.random(in: 200...20_000, using: &generator)
        let length = Int64.random(in: 0..<4, using: &generator) == 0 ? 200...60_000 : 200...12_000 as ClosedRange<Int64>
        until = at + Int64.random(in: length, using: &generator)
        let worker = Int.random(in: 0..<renderers, using: &generator)
        switch Int.random(in: 0..<17, using: &generator) {
        case 0, 1: fault = .crashWorker(worker)
        case 2, 3: fault = .freezeWorker(worker)
        case 4: fault = .partition(worker, losesRequests: true, losesReplies: true)
        case 5: fault = .partition(worker, losesRequests: false, losesReplies: true)
        case 6: fault = .crashCoordinator(Int.random(in: 0..<coordinators, using: &generator))
        case 7: fault = .stallDatabase
        case 8: fault = .diskFull
        case 9: fault = .corruptUploads
        case 10: fault = .lossyNetwork
        case 11: fault = .failingChildren
        case 12: fault = .brokenWorker(worker)
        case 13: fault = .hangingChildren
        case 14, 15: fault = .lostParts
        default: fault = Bool.random(using: &generator) ? .drainWorker(worker) : .stopWorker(worker)
        }
    }
}
