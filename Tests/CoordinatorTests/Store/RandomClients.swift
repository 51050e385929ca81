import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Synchronization
import WireProtocol

/// What all clients of a run know together, and what their answers must never say.
///
/// Operations overlap, so that an answer is only compared with what was certain before its operation began: an attempt
/// that was over then stays over.
final class RandomClients: Sendable {
    /// A grant as a worker was told of it.
    struct Held: Sendable, Hashable {
        let attempt: AttemptID
        let task: TaskID
        let job: JobID
        let worker: WorkerID
        /// When the poll that was granted it began and ended, in ticks of the run.
        let began: Int
        let ended: Int

        init(_ grant: LeaseGrant, _ worker: WorkerID, began: Int, ended: Int) {
            (attempt, task, job) = (grant.attempt, grant.task, grant.job)
            (self.worker, self.began, self.ended) = (worker, began, ended)
        }
    }

    struct Known: Sendable {
        /// By the key of the submission.
        var jobs: [String: JobID] = [:]
        var workers: [WorkerID] = []
        var polls: [LeasePoll] = []
        var held: [Held] = []
        /// Attempts that an answer said are over.
        var ended: Set<AttemptID> = []
        /// Workers that were told to take nothing more, or left.
        var retired: Set<WorkerID> = []
        /// What was accepted.
        var accepted: [TaskID: AttemptID] = [:]
        /// What each poll was granted in all its answers.
        var granted: [PollID: Set<AttemptID>] = [:]
        var secret: Data?
    }

    private struct State {
        var known = Known()
        var tick = 0
        var now = FarmConformance.start
        var violations: [String] = []
        var seen: [String: Int] = [:]
    }

    private let state = Mutex(State())
    /// Whether a task may have two live attempts.
    let isHedging: Bool
    /// Whether attempts of finished jobs are removed.
    let isForgetting: Bool
    /// The age in milliseconds at which finished jobs are forgotten.
    var forgetAge: Int64 { isForgetting ? 8000 : .max }

    init(isHedging: Bool, isForgetting: Bool) { (self.isHedging, self.isForgetting) = (isHedging, isForgetting) }

    var known: Known { state.withLock(\.known) }
    var violations: [String] { state.withLock(\.violations) }
    var seen: [String: Int] { state.withLock(\.seen) }

    static func artifact(of attempt: AttemptID) -> ContentDigest { ContentDigest(of: Data("\(attempt)".utf8)) }

    /// - Returns: a number that is larger than all before.
    func tick() -> Int {
        state.withLock { state in
            state.tick += 1
            return state.tick
        }
    }

    func advance(by milliseconds: Int64) -> FarmTime {
        state.withLock { state in
            state.now = state.now.adding(milliseconds: milliseconds)
            return state.now
        }
    }

    func count(_ outcome: String) { state.withLock { $0.seen[outcome, default: 0] += 1 } }

    func require(_ condition: Bool, _ violation: @autoclosure () -> String) {
        guard !condition else { return }
        let violation = violation()
        state.withLock { $0.violations.append(violation) }
    }

    private func change(_ body: (inout Known) -> Void) { state.withLock { body(&$0.known) } }

    func end(_ attempts: [AttemptID]) { change { $0.ended.formUnion(attempts) } }
}

// Answers about leases
extension RandomClients {
    func granted(_ grants: [LeaseGrant], to poll: LeasePoll, before: Known, began: Int) {
        let ended = tick()
        count(grants.isEmpty ? "nothing" : before.granted[poll.poll] == nil ? "granted" : "granted.again")
        require(grants.count <= poll.capacity, "\(poll.poll) got \(grants.count) and asked for \(poll.capacity)")
        for grant in grants {
            require(!before.ended.contains(grant.attempt), "\(grant.attempt) is over and was granted")
            require(before.accepted[grant.task] == nil, "\(grant.task) was done and was granted")
        }
        let held = grants.map { Held($0, poll.worker, began: began, ended: ended) }
        let (attempts, earlier) = (Set(grants.map(\.attempt)), known.granted[poll.poll, default: []])
        require(
            isForgetting || attempts.isSubset(of: earlier) || earlier.isSubset(of: attempts),
            "\(poll.poll) was granted \(earlier), and then \(attempts)"
        )
        change { known in
            let old = known.granted[poll.poll, default: []]
            if !grants.isEmpty { known.polls.append(poll) }
            known.held += held.filter { !old.contains($0.attempt) }
            known.granted[poll.poll] = old.union(attempts)
        }
        if !isHedging { for grant in held { end(others(than: grant, in: before)) } }
    }

    /// A worker that was drained, or left, before this poll began is granted nothing new.
    func checkRetired(_ grants: [LeaseGrant], to poll: LeasePoll, before: Known) {
        guard before.retired.contains(poll.worker), before.granted[poll.poll] == nil else { return }
        require(grants.isEmpty, "\(poll.worker) takes nothing more and was granted \(grants.map(\.attempt))")
    }

    /// A live attempt is alone: all others of its task that were granted before the operation began are over.
    private func others(than grant: Held, in before: Known) -> [AttemptID] {
        before.held.filter { $0.task == grant.task && $0.attempt != grant.attempt }.map(\.attempt)
    }

    func completed(_ held: Held, _ outcome: CompletionOutcome, before: Known, isOthers: Bool) {
        count("complete." + outcome.rawValue)
        if isOthers { return require(outcome == .leaseLost, "another worker completed \(held.attempt)") }
        let winner = before.accepted[held.task]
        switch outcome {
        case .accepted:
            require(!before.ended.contains(held.attempt), "\(held.attempt) is over and was accepted")
            require(winner == nil, "\(held.task) was accepted twice")
            change { known in
                known.ended.insert(held.attempt)
                known.accepted[held.task] = held.attempt
            }
        case .delivered, .differed: require(false, "\(held.task) is not audited")
        case .alreadyDone: require(winner ?? held.attempt == held.attempt, "\(held.attempt) did not do \(held.task)")
        case .conflict: require(winner != held.attempt, "\(held.attempt) is in conflict with itself")
        case .leaseLost:
            require(winner == nil || isForgetting, "\(held.task) is done, which \(held.attempt) was not told")
        }
    }

    func failed(_ held: Held, _ outcome: FailureOutcome, before: Known) {
        count("fail." + outcome.rawValue)
        require(
            outcome == .leaseLost || before.accepted[held.task] != held.attempt,
            "\(held.attempt) is done and failed"
        )
        if outcome == .recorded { end([held.attempt]) }
    }

    func renewed(_ named: [Held], by worker: WorkerID, _ reply: HeartbeatReply, before: Known) {
        let (renewed, lost) = (Set(reply.renewed), Set(reply.lost))
        if !renewed.isEmpty { count("renew.held") }
        if !lost.isEmpty { count("renew.lost") }
        require(renewed.union(lost) == Set(named.map(\.attempt)), "a heartbeat says nothing of what it named")
        require(renewed.isDisjoint(with: lost), "a heartbeat says of one attempt that it is held and lost")
        for held in named where renewed.contains(held.attempt) {
            require(held.worker == worker, "\(worker) renewed \(held.attempt) of \(held.worker)")
            require(!before.ended.contains(held.attempt), "\(held.attempt) is over and was renewed")
        }
    }
}

// Other answers
extension RandomClients {
    func inserted(_ insertion: JobInsertion, key: String) {
        let job = insertion.job.id
        change { known in
            if known.jobs[key] == nil { known.jobs[key] = job }
        }
        require(known.jobs[key] == job, "the submission \(key) made two jobs")
    }

    func forgot(_ count: Int) { if count > 0 { self.count("forgot") } }

    func registered(_ worker: WorkerID) { change { $0.workers.append(worker) } }

    func retired(_ worker: WorkerID) {
        change { known in
            known.retired.insert(worker)
            known.workers.removeAll { $0 == worker }
        }
    }

    func cancelled(_ job: JobID, _ outcome: CancelOutcome, before: Known) {
        count("cancel." + outcome.rawValue)
        if outcome == .cancelled { end(before.held.filter { $0.job == job }.map(\.attempt)) }
    }

    func checkCounts(_ job: JobView?) {
        guard let job else { return require(false, "a job is gone") }
        let open = job.tasks.queued + job.tasks.leased
        require(!job.state.isFinal || open == 0, "\(job.id) is \(job.state) with \(open) open tasks")
        require(
            (job.state == .completed) == (job.tasks.completed == job.tasks.total),
            "\(job.id) is \(job.state) with \(job.tasks)"
        )
    }

    func checkTasks(_ tasks: [TaskView]) {
        for task in tasks {
            let live = task.attempts.count { $0.state == .live }
            require(live <= (isHedging ? 2 : 1), "\(task.id) has \(live) live attempts")
        }
    }

    func checkEvents(_ events: [JobEvent]) {
        let numbers = events.map(\.sequence)
        require(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "events come as \(numbers)")
    }

    func checkArtifact(_ artifact: ContentDigest?, of held: Held, before: Known) {
        guard let winner = before.accepted[held.task] else { return }
        let isForgotten = artifact == nil && isForgetting
        require(isForgotten || artifact == Self.artifact(of: winner), "\(held.task) lost its artifact")
    }

    func learned(secret: Data) {
        let first = state.withLock { state in
            state.known.secret = state.known.secret ?? secret
            return state.known.secret
        }
        require(first == secret && secret.count == 32, "the farm has two secrets")
    }
}
