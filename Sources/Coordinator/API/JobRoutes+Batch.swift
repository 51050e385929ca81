import CompositionModel
import Farm
import Hummingbird
import Sandbox
import Timing
import WireProtocol

extension JobRoutes {
    /// A job that was planned, and its place in the batch.
    private struct Planned: Sendable {
        let place: Int
        let job: NewJob
        let warnings: [Finding]
    }

    /// How many jobs of a batch, and from how many bytes of their documents, are stored together. The next ones are planned
    /// meanwhile.
    private static let jobsTogether = 50
    private static let bytesTogether: Int64 = 8 << 20
    /// The time after which no other submission of a batch is planned: much less than clients wait for an answer.
    private static let longestPlanning: Duration = .seconds(60)

    /// Plans submissions one after the other, and stores their jobs together. One that is refused stops no other; a fault
    /// of the database or of this program is the whole batch's, which may be sent again. What would take too long is left,
    /// and its client sends it in the next batch.
    func submit(_ batch: JobBatch, owner: String) async throws -> Response {
        guard (1...JobBatch.mostJobs).contains(batch.jobs.count) else {
            let what = "A batch has 1 to \(JobBatch.mostJobs) jobs, and this one \(batch.jobs.count)"
            throw Problem.unprocessable("invalid_request", "\(what); send them in several.")
        }
        return try await withThrowingTaskGroup(of: [(Int, JobBatchAnswer)].self) { group in
            var answers: [JobBatchAnswer?] = Array(repeating: nil, count: batch.jobs.count)
            var planned: [Planned] = []
            var load = OwnerLoad()
            var batchPlanning = planning
            batchPlanning.recent = RecentFacts()
            let stopwatch = Stopwatch(on: clock)
            for (place, submission) in batch.jobs.enumerated() {
                if place > 0, stopwatch.elapsed > Self.longestPlanning { break }
                do {
                    planned.append(try await plan(submission, at: place, owner, batchPlanning))
                    load.add(planned[planned.count - 1].job)
                } catch {
                    try Task.checkCancellation()
                    guard let problem = Problem.describing(error), problem.status < 500 else { throw error }
                    answers[place] = JobBatchAnswer(problem: problem)
                }
                // A plan may take hundreds of megabytes: a large one is stored before the next one is made.
                let isLarge = load.tasks >= Self.manyTasks || load.bytes >= Self.bytesTogether
                guard isLarge || planned.count >= Self.jobsTogether else { continue }
                // In their order: the jobs of one priority are worked on as they were stored.
                for (place, answer) in try await group.next() ?? [] { answers[place] = answer }
                group.addTask { [planned] in try await stored(planned, owner: owner) }
                (planned, load) = ([], OwnerLoad())
                if isLarge {
                    for (place, answer) in try await group.next() ?? [] { answers[place] = answer }
                    try? await blocking { ProcessMemory.returnFree() }
                }
            }
            for (place, answer) in try await group.next() ?? [] { answers[place] = answer }
            if !planned.isEmpty {
                for (place, answer) in try await stored(planned, owner: owner) { answers[place] = answer }
            }
            return try .json(answers.compactMap(\.self))
        }
    }

    private func plan(
        _ submission: JobSubmission,
        at place: Int,
        _ owner: String,
        _ planning: JobPlanning
    ) async throws -> Planned {
        try check(submission)
        let stopwatch = Stopwatch(on: clock)
        let webhook = try await webhook(of: submission, owner: owner)
        var (job, warnings) = try await planning.plan(submission, owner: owner) { job in try await pinned(job) }
        job.webhook = webhook
        job.trace = trace(of: submission, planned: stopwatch.elapsed, since: stopwatch)
        return Planned(place: place, job: job, warnings: warnings)
    }

    /// Stores planned jobs of one owner in one transaction.
    /// - Returns: the answer to each, with its place.
    /// - Throws: ``FarmStoreError`` when nothing can be stored now.
    private func stored(_ planned: [Planned], owner: String) async throws -> [(Int, JobBatchAnswer)] {
        let insertions = try await store.insertJobs(planned.map(\.job))
        return zip(planned, insertions).map { planned, insertion in
            switch insertion {
            case .success(let insertion):
                (planned.place, JobBatchAnswer(job: accepted(insertion, planned.warnings, owner: owner)))
            case .failure(let error):
                (planned.place, JobBatchAnswer(problem: Problem.describing(error) ?? Problem.internalFault))
            }
        }
    }
}

extension OwnerLoad {
    fileprivate mutating func add(_ job: NewJob) {
        add(OwnerLoad(tasks: job.tasks.count, bytes: job.documentByteCount))
    }
}
