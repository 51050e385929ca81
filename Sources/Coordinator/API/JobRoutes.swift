import CompositionModel
import Farm
import Foundation
import Hummingbird
import Logging
import Sandbox
import Storage
import Timing
import WireProtocol

/// Jobs: submitting, listing, cancelling, and their documents.
struct JobRoutes: RouteGroup {
    let store: any FarmStore
    let planning: JobPlanning
    let versions: RendererVersions
    let shelved: ShelvedParts?
    let webhooks: JobWebhooks
    /// Measures what spans say of submissions.
    let clock: any Clock<Duration>
    let hold: FarmHold
    /// Limits the submissions of one owner that are received, planned and stored at a time.
    let submissions: OwnerCounter
    /// Limits the bytes of the submissions that are in memory at a time.
    let memory: ByteBudget
    let logger: Logger

    func add(to table: RouteTable) {
        table.on(.post, "/v1/jobs", .submit) { request, context in
            try await receive(JobSubmission.self, request, context) { submission, owner in
                // The member goes before the header, which a proxy on the way may have added.
                var submission = submission
                submission.traceparent =
                    submission.traceparent ?? request.headers[.traceParent].flatMap { TraceParent(text: $0) }
                return try await submit(submission, owner: owner)
            }
        }
        table.on(.post, "/v1/jobs:batch", .submit) { request, context in
            try await receive(JobBatch.self, request, context) { batch, owner in
                try await submit(batch, owner: owner)
            }
        }
        let outlook = JobOutlook(store: store, hold: hold)
        table.on(.get, "/v1/jobs", .view, query: JobFilter.parameters) { request, _ in
            try await .json(outlook.describing(store.jobs(JobFilter(request))))
        }
        table.on(.get, "/v1/jobs/{id}", .view) { _, context in
            try await .json(outlook.describing(context.job(in: store)))
        }
        table.on(.delete, "/v1/jobs/{id}", .submit) { _, context in try await .json(cancel(context)) }
        table.on(.post, "/v1/jobs/{id}/cancel", .submit) { _, context in try await .json(cancel(context)) }
        table.on(.post, "/v1/jobs/{id}/pause", .submit) { _, context in try await .json(control(.pause, context)) }
        table.on(.post, "/v1/jobs/{id}/resume", .submit) { _, context in try await .json(control(.resume, context)) }
        table.on(.post, "/v1/jobs/{id}/retry", .submit) { _, context in try await .json(control(.retry, context)) }
        table.on(.post, "/v1/jobs/{id}/priority", .submit) { request, context in
            let order = try await request.json(PriorityOrder.self, upTo: BodyLimit.small, context)
            return try await .json(control(.priority(order.priority), context))
        }
        table.on(.get, "/v1/jobs/{id}/tasks", .view, query: ["positions"]) { request, context in
            let job = try await context.job(in: store).id
            guard let positions = try request.positions() else { return try await tasks(of: job) }
            return try await .json(store.tasks(of: job, at: positions))
        }
        table.on(.get, "/v1/jobs/{id}/plan", .view) { _, context in
            try await document(.plan, context)
        }
        table.on(.get, "/v1/jobs/{id}/composition", .view) { _, context in
            try await document(.composition, context)
        }
    }

    /// Receives a body of submissions, as far as the owner's and everybody's have room.
    private func receive<Body: Decodable & Sendable>(
        _ type: Body.Type,
        _ request: Request,
        _ context: FarmRequestContext,
        _ submit: @Sendable (Body, _ owner: String) async throws -> Response
    ) async throws -> Response {
        let owner = try context.require([.submit]).owner
        let response = try await submissions.counting(owner) {
            try request.requireJSON()
            let byteCount = try request.checkLength(Int64(BodyLimit.submission))
            return try await memory.holding(Int(byteCount), of: owner) {
                try await request.invite(context)
                // What nobody waits for any more is not planned to its end.
                return try await request.body.consumeWithCancellationOnInboundClose { body in
                    try await submit(try await Request.decode(type, body, .submission, context), owner)
                }
            }
        }
        guard var response else { throw Problem.tooManySubmissions(owner, limit: submissions.limit) }
        // Watching for the client's leaving has used the connection up.
        response.headers[.connection] = "close"
        return response
    }

    /// Compiles, plans and stores a submission. The same idempotency key gives the job that exists.
    private func submit(_ submission: JobSubmission, owner: String) async throws -> Response {
        let (insertion, warnings) = try await repeatable(submission, owner: owner)
        if submission.editText.utf8.count > JobRoutes.largeText || insertion.job.tasks.queued > JobRoutes.manyTasks {
            try? await blocking { ProcessMemory.returnFree() }
        }
        CrashPoint.reached("job.stored")
        let job = accepted(insertion, warnings, owner: owner)
        var response = try Response.json(job, status: insertion.isNew ? .created : .ok)
        response.headers[.location] = "/v1/jobs/\(job.id)"
        return response
    }

    /// The job as the client is told of it.
    func accepted(_ insertion: JobInsertion, _ warnings: [Finding], owner: String) -> JobView {
        var job = hold.noting(insertion.job)
        job.findings = warnings.isEmpty ? nil : warnings
        var metadata: Logger.Metadata = ["job": "\(job.id)", "owner": "\(owner)", "new": "\(insertion.isNew)"]
        if let trace = job.trace { metadata["trace"] = "\(trace)" }
        logger.info("job submitted", metadata: metadata)
        return job
    }

    /// The bytes of a text and the number of tasks above which planning takes so much memory that it is given back.
    private static let largeText = 256 << 10
    static let manyTasks = 1000

    /// Checks, plans and stores a submission. One that was accepted before gives its job, also when it would be refused
    /// now.
    private func repeatable(_ submission: JobSubmission, owner: String) async throws -> (JobInsertion, [Finding]) {
        let stopwatch = Stopwatch(on: clock)
        do {
            try planning.check(submission)
            return try await stored(submission, owner: owner, since: stopwatch)
        } catch {
            return (try await insertion(repeating: submission, owner: owner, despite: error), [])
        }
    }

    /// The job of a submission that was accepted before and is refused now, since its webhook or an asset was removed
    /// meanwhile, say, or its output folder does not answer. It is looked for only then: what is not refused finds its
    /// job while it is stored.
    /// - Throws: `refusal` when there is no such job; `CancellationError`.
    func insertion(
        repeating submission: JobSubmission,
        owner: String,
        despite refusal: any Error
    ) async throws -> JobInsertion {
        try Task.checkCancellation()
        guard let known = try? await store.submitted(as: submission.idempotencyKey, by: owner) else { throw refusal }
        if submission.keyCoversContent != true, let digest = known.submission {
            guard try await computing({ try submission.digest() }) == digest else { throw refusal }
        }
        return JobInsertion(job: known.job, isNew: false)
    }

    /// Plans a submission and stores its job, of which nothing is left in memory then.
    private func stored(
        _ submission: JobSubmission,
        owner: String,
        since stopwatch: Stopwatch
    ) async throws -> (JobInsertion, [Finding]) {
        let webhook = try await webhook(of: submission, owner: owner)
        return try await planning.plan(submission, owner: owner) { job in
            let planned = stopwatch.elapsed
            var job = try await pinned(job)
            job.webhook = webhook
            job.trace = trace(of: submission, planned: planned, since: stopwatch)
            return try await insert(job)
        }
    }

    /// The trace of a job that is stored now.
    func trace(of submission: JobSubmission, planned: Duration, since stopwatch: Stopwatch) -> JobTrace {
        JobTrace(
            parent: submission.traceparent ?? .random(),
            submitMilliseconds: stopwatch.elapsed.milliseconds,
            planMilliseconds: planned.milliseconds
        )
    }

    func webhook(of submission: JobSubmission, owner: String) async throws -> WebhookID? {
        guard let url = submission.webhook else { return nil }
        return try await webhooks.webhook(at: url, of: owner)
    }

    /// The job for the versions of this coordinator, once parts that are on a shelf are in the store.
    func pinned(_ job: consuming NewJob) async throws -> NewJob {
        let job = job.pinned(to: try await versions.versions().libraries)
        try await shelved?.bring(for: job)
        return job
    }

    /// - Throws: ``FarmStoreError``; `CancellationError` when the client has gone, which is no failure of the store.
    private func insert(_ job: NewJob) async throws -> JobInsertion {
        do {
            return try await store.insertJob(job)
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// Cancels a job of the principal. A job that is final stays as it is, which is no error.
    private func cancel(_ context: FarmRequestContext) async throws -> JobView {
        let job = try await context.job(in: store)
        guard try context.require([.submit]).mayChange(ownedBy: job.owner) else { throw Problem.notYours(job) }
        let outcome = try await store.cancel(job.id)
        logger.info("cancel", metadata: ["job": "\(job.id)", "outcome": "\(outcome)"])
        return try await store.job(job.id) ?? job
    }

    /// Carries out what the principal asks of a job of theirs.
    /// - Throws: ``Problem``: 409 `not_possible` where the job's state does not allow it, with the reason.
    private func control(_ control: JobControl, _ context: FarmRequestContext) async throws -> JobView {
        let job = try await context.job(in: store)
        guard try context.require([.submit]).mayChange(ownedBy: job.owner) else { throw Problem.notYours(job) }
        let outcome = try await store.control(job.id, control)
        logger.info("control", metadata: ["job": "\(job.id)", "what": "\(control)", "outcome": "\(outcome)"])
        let now = try await store.job(job.id) ?? job
        switch outcome {
        case .done: break
        case .alreadyFinal:
            throw Problem.conflict("not_possible", "Job \(job.id) is \(now.state.rawValue), and stays so.")
        case .notFailed:
            let advice = "only a job that failed is retried; submit the edit again"
            throw Problem.conflict("not_possible", "Job \(job.id) is \(now.state.rawValue); \(advice).")
        case .pruned:
            throw Problem.conflict(
                "not_possible",
                "The tasks of job \(job.id) are no longer kept; submit the edit again, and what is kept of it is taken."
            )
        }
        return hold.noting(now)
    }

    /// The number of tasks that a listing holds in memory at a time.
    private static let taskPage = 500

    /// The tasks of a job as a JSON array, which is read from the store in pages while it is sent. When reading fails on the
    /// way, the connection breaks off before the array ends.
    private func tasks(of job: JobID) async throws -> Response {
        let first = try await store.tasks(of: job, from: 0, limit: Self.taskPage)
        let body = ResponseBody { [store] writer in
            var page = first
            var text = ByteBuffer(string: "[")
            while true {
                for (number, task) in page.enumerated() {
                    if number > 0 { text.writeString(",") }
                    text.writeBytes(try WireJSON.encode(task))
                }
                guard page.count == Self.taskPage, let last = page.last else { break }
                page = try await store.tasks(of: job, from: last.position + 1, limit: Self.taskPage)
                if !page.isEmpty { text.writeString(",") }
                try await writer.write(text)
                text = ByteBuffer()
            }
            text.writeString("]")
            try await writer.write(text)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
    }

    /// One of the JSON documents of a job, as it is stored. When reading fails on the way, the connection breaks off
    /// before the length that was announced.
    private func document(_ document: JobDocument, _ context: FarmRequestContext) async throws -> Response {
        let job = try await context.job(in: store)
        guard job.isPruned != true else {
            let advice = "submit the edit again, and what is kept of it is taken"
            throw Problem(
                status: 410,
                code: "not_kept",
                title: "Not kept",
                detail: "The plan and the tasks of job \(job.id) are no longer kept; \(advice)."
            )
        }
        let stored = try await StoredDocument(document, of: job.id, in: store)
        let body = ResponseBody(contentLength: stored.byteCount) { writer in
            var stored = stored
            while let slice = try await stored.next() { try await writer.write(ByteBuffer(bytes: slice)) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
    }
}

extension Request {
    /// Reads `?positions=1,2`; nil when it is not there.
    /// - Throws: status 400 for anything but 1 to 500 numbers.
    fileprivate func positions() throws(Problem) -> [Int]? {
        guard let text = uri.queryParameters["positions"] else { return nil }
        let numbers = text.split(separator: ",").map { Int32(String($0)) }
        guard (1...500).contains(numbers.count), numbers.allSatisfy({ $0 ?? -1 >= 0 }) else {
            throw .parameter("positions", text, "1 to 500 positions of tasks, from 0, with commas between them")
        }
        return numbers.compactMap { $0.map(Int.init) }
    }
}
