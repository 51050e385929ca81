import CompositionModel
import Farm
import Hummingbird
import Sandbox
import Timing
import WireProtocol

extension JobRoutes {
    /// A job that was planned and waits to be stored with others.
    private struct Planned: Sendable {
        let place: Int
        let job: NewJob
        let warnings: [Finding]
    }

    /// What became of a submission that was planned.
    private enum Outcome: Sendable {
        /// It waits to be stored with others.
        case waits(NewJob)
        /// It is large, and was stored at once, behind those that waited.
        case stored([Result<JobInsertion, FarmStoreError>])
    }

    /// The answer to a submission, and its place in the batch.
    private typealias Placed = (place: Int, answer: JobBatchAnswer)

    /// Jobs that are stored while the next ones are planned.
    private struct Storing: Sendable {
        private let task: Task<[Placed], any Error>

        init(_ store: @escaping @Sendable () async throws -> [Placed]) { task = Task { try await store() } }

        /// What came of them. Whoever is cancelled while waiting cancels the storing.
        func outcome() async throws -> [Placed] {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }

        /// Cancels the storing, and waits for its end.
        func end() async {
            task.cancel()
            _ = await task.result
        }
    }

    /// How many jobs of a batch are stored together. The next ones are planned meanwhile.
    private static let jobsTogether = 50
    /// The bytes of documents from which jobs are stored at once.
    private static let bytesTogether: Int64 = 8 << 20
    /// The time after which no other submission of a batch is planned: much less than clients wait for an answer.
    private static let longestPlanning: Duration = .seconds(60)

    /// Plans submissions one after the other, and stores their jobs together. One that is refused stops no other; a
    /// fault of the database or of this program is the whole batch's, which may be sent again. After
    /// ``longestPlanning`` no other submission is planned: the answer covers the first ones, and the client sends the
    /// others as another batch.
    func submit(_ batch: JobBatch, owner: String) async throws -> Response {
        guard (1...JobBatch.mostJobs).contains(batch.jobs.count) else {
            let what = "A batch has 1 to \(JobBatch.mostJobs) jobs, and this one \(batch.jobs.count)"
            throw Problem.unprocessable("invalid_request", "\(what); send them in several.")
        }
        var storing: Storing?
        do {
            return try .json(await answers(to: batch, owner, &storing))
        } catch {
            await storing?.end()
            throw error
        }
    }

    /// - Parameter storing: the jobs that were stored last.
    private func answers(
        to batch: JobBatch,
        _ owner: String,
        _ storing: inout Storing?
    ) async throws -> [JobBatchAnswer] {
        var answers: [JobBatchAnswer?] = Array(repeating: nil, count: batch.jobs.count)
        func note(_ placed: [Placed]?) { for one in placed ?? [] { answers[one.place] = one.answer } }
        var waiting: [Planned] = []
        var load = OwnerLoad()
        var batchPlanning = planning
        batchPlanning.recent = RecentFacts()
        let stopwatch = Stopwatch(on: clock)
        for (place, submission) in batch.jobs.enumerated() {
            if place > 0, stopwatch.elapsed > Self.longestPlanning { break }
            do {
                let (outcome, warnings) = try await plan(submission, owner, batchPlanning, waiting, storing)
                switch outcome {
                case .waits(let job):
                    load.add(job.load)
                    waiting.append(Planned(place: place, job: job, warnings: warnings))
                case .stored(let insertions):
                    let answered = waiting.map { ($0.place, $0.warnings) } + [(place, warnings)]
                    note(placed(answered, insertions, owner: owner))
                    (waiting, load) = ([], OwnerLoad())
                    try? await blocking { ProcessMemory.returnFree() }
                }
            } catch {
                answers[place] = try await answer(to: submission, owner, despite: error)
            }
            guard Self.isLarge(load) || waiting.count >= Self.jobsTogether else { continue }
            // In their order: the jobs of one priority are worked on as they were stored.
            note(try await storing?.outcome())
            storing = Storing { [waiting] in try await stored(waiting, owner: owner) }
            (waiting, load) = ([], OwnerLoad())
        }
        note(try await storing?.outcome())
        note(try await stored(waiting, owner: owner))
        return answers.compactMap(\.self)
    }

    /// The answer to a submission that is refused: its job, when it was accepted before.
    /// - Throws: the refusal, when it is the whole batch's; `CancellationError`.
    private func answer(
        to submission: JobSubmission,
        _ owner: String,
        despite refusal: any Error
    ) async throws -> JobBatchAnswer {
        do {
            let insertion = try await insertion(repeating: submission, owner: owner, despite: refusal)
            return JobBatchAnswer(job: accepted(insertion, [], owner: owner))
        } catch {
            try Task.checkCancellation()
            guard let problem = Problem.describing(error), problem.status < 500 else { throw error }
            return JobBatchAnswer(problem: problem)
        }
    }

    private static func isLarge(_ load: OwnerLoad) -> Bool { load.tasks >= manyTasks || load.bytes >= bytesTogether }

    /// Plans a submission. A large plan may take hundreds of megabytes. It is stored before its owner's turn ends, so
    /// that of all batches of an owner one such plan is in memory.
    /// - Parameters:
    ///   - waiting: the jobs that are stored before it.
    ///   - storing: stores the jobs before those; when it fails, nothing is stored behind them.
    private func plan(
        _ submission: JobSubmission,
        _ owner: String,
        _ planning: JobPlanning,
        _ waiting: [Planned],
        _ storing: Storing?
    ) async throws -> (outcome: Outcome, warnings: [Finding]) {
        try planning.check(submission)
        let stopwatch = Stopwatch(on: clock)
        let webhook = try await webhook(of: submission, owner: owner)
        let (outcome, warnings) = try await planning.plan(submission, owner: owner) { job -> Outcome in
            let planned = stopwatch.elapsed
            var job = try await pinned(job)
            job.webhook = webhook
            job.trace = trace(of: submission, planned: planned, since: stopwatch)
            guard Self.isLarge(job.load) else { return .waits(job) }
            _ = try await storing?.outcome()
            try Task.checkCancellation()
            return .stored(try await store.insertJobs(waiting.map(\.job) + [job]))
        }
        return (outcome, warnings)
    }

    /// Stores planned jobs of one owner in one transaction.
    /// - Throws: ``FarmStoreError`` when nothing can be stored now.
    private func stored(_ planned: [Planned], owner: String) async throws -> [Placed] {
        guard !planned.isEmpty else { return [] }
        let insertions = try await store.insertJobs(planned.map(\.job))
        return placed(planned.map { ($0.place, $0.warnings) }, insertions, owner: owner)
    }

    private func placed(
        _ jobs: [(place: Int, warnings: [Finding])],
        _ insertions: [Result<JobInsertion, FarmStoreError>],
        owner: String
    ) -> [Placed] {
        zip(jobs, insertions).map { job, insertion in
            switch insertion {
            case .success(let insertion):
                (job.place, JobBatchAnswer(job: accepted(insertion, job.warnings, owner: owner)))
            case .failure(let error):
                (job.place, JobBatchAnswer(problem: Problem.describing(error) ?? Problem.internalFault))
            }
        }
    }
}
