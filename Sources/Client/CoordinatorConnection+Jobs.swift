package import CompositionModel
import Curl
package import Foundation
package import WireProtocol

extension CoordinatorConnection {
    /// Submits an edit as a job. The same idempotency key gives the same job again.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 422 with the findings of an
    ///   edit that is not valid, 409 with the assets that are missing.
    package func submit(_ submission: JobSubmission) async throws(ClientError) -> JobView {
        try await post("/v1/jobs", Self.traced(submission), timeout: .seconds(300), returning: JobView.self)
    }

    /// Submits several edits at once. The same idempotency keys give the same jobs again.
    /// - Returns: one answer for each submission, in order. When planning took over a minute the list is shorter, with at
    ///   least one: submit the rest as another batch.
    /// - Throws: ``ClientError`` when nothing of the batch could be accepted; it may be sent again.
    package func submit(_ batch: JobBatch) async throws(ClientError) -> [JobBatchAnswer] {
        let traced = JobBatch(jobs: batch.jobs.map(Self.traced))
        return try await post("/v1/jobs:batch", traced, timeout: .seconds(300), returning: [JobBatchAnswer].self)
    }

    /// A submission in a trace: its own, that of the environment (`TRACEPARENT`, OpenTelemetry's environment carrier), which
    /// is the caller's, or a new one.
    private static func traced(_ submission: JobSubmission) -> JobSubmission {
        guard submission.traceparent == nil else { return submission }
        var submission = submission
        submission.traceparent = outerTrace ?? .random()
        return submission
    }

    private static let outerTrace = ProcessInfo.processInfo.environment["TRACEPARENT"].flatMap { TraceParent(text: $0) }

    /// The farm's jobs, newest first.
    /// - Parameters:
    ///   - limit: the most jobs to list, from 1 to 500.
    ///   - states: the states of the jobs; empty lists those in every state.
    ///   - owner: the owner of the jobs; nil lists those of every owner.
    ///   - search: what their titles contain, whatever the case of its letters; nil lists those of every title.
    ///   - beginning: how their identifiers begin; nil lists those of every identifier.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func jobs(
        limit: Int = 100,
        states: [JobState] = [],
        isPaused: Bool? = nil,
        owner: String? = nil,
        search: String? = nil,
        beginning: String? = nil
    ) async throws(ClientError) -> [JobView] {
        var query = ["limit=\(limit)"]
        if !states.isEmpty { query.append("state=" + states.map(\.rawValue).joined(separator: ",")) }
        if let isPaused { query.append("paused=\(isPaused)") }
        for (name, value) in [("owner", owner), ("search", search), ("id", beginning)] {
            guard let value else { continue }
            query.append(name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
        }
        return try await get([JobView].self, "/v1/jobs?" + query.joined(separator: "&"))
    }

    /// What the farm did in a period.
    /// - Parameters:
    ///   - until: the end of the period; nil is now.
    ///   - owner: the owner of the jobs; nil is everybody.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func report(since: Date, until: Date?, owner: String?) async throws(ClientError) -> FarmReport {
        var query = ["since=" + since.formatted(.iso8601)]
        if let until { query.append("until=" + until.formatted(.iso8601)) }
        if let owner {
            query.append("owner=" + (owner.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
        }
        return try await get(FarmReport.self, "/v1/report?" + query.joined(separator: "&"))
    }

    /// Whether the coordinator, its database and its disk are ready for work. No token is needed.
    /// - Throws: ``ClientError`` when they are not, with the reason, or the coordinator cannot be reached.
    package func requireReady() async throws(ClientError) {
        _ = try await send(request(.get, "/readyz"))
    }

    /// One job, as it is now.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an unknown job.
    package func job(_ id: JobID) async throws(ClientError) -> JobView {
        try await get(JobView.self, "/v1/jobs/\(id)")
    }

    /// Waits until a job is final: the stream of its events ends then. The request holds one HTTP
    /// connection of its own until then.
    /// - Throws: ``ClientError`` when the coordinator refuses or goes away: status 404 for an unknown job.
    package func waitForEnd(of id: JobID) async throws(ClientError) {
        _ = try await receive(request(.get, "/v1/jobs/\(id)/events")) { _ in }
    }

    /// The tasks of a job with their attempts, in the order of their positions.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an unknown job.
    package func tasks(of id: JobID) async throws(ClientError) -> [TaskView] {
        try await get([TaskView].self, "/v1/jobs/\(id)/tasks")
    }

    /// The settings of the output that a job makes.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an unknown job.
    package func outputSettings(of id: JobID) async throws(ClientError) -> OutputSettings {
        try await get(PlannedJob.self, "/v1/jobs/\(id)/plan").output
    }

    /// The plan of a job, as the JSON of a `RenderPlan`.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an unknown job.
    package func plan(of id: JobID) async throws(ClientError) -> Data {
        Data(try await send(request(.get, "/v1/jobs/\(id)/plan")).body)
    }

    /// The part of a `RenderPlan` that a client needs.
    private struct PlannedJob: Decodable {
        let output: OutputSettings
    }

    /// Cancels a job. A job in a final state stays as it is, which is no error.
    /// - Returns: the job after that.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 403 for somebody else's job.
    package func cancel(_ id: JobID) async throws(ClientError) -> JobView {
        try await post("/v1/jobs/\(id)/cancel", [String: String](), returning: JobView.self)
    }

    /// Lets nothing new of a job begin; what runs is finished.
    /// - Returns: the job after that.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 403 for somebody else's job, 409
    ///   for one that has ended.
    package func pause(_ id: JobID) async throws(ClientError) -> JobView {
        try await post("/v1/jobs/\(id)/pause", [String: String](), returning: JobView.self)
    }

    /// Lets a paused job go on.
    /// - Throws: ``ClientError`` as ``pause(_:)``.
    package func resume(_ id: JobID) async throws(ClientError) -> JobView {
        try await post("/v1/jobs/\(id)/resume", [String: String](), returning: JobView.self)
    }

    /// Lets a job that failed go on with what was accepted.
    /// - Throws: ``ClientError`` as ``pause(_:)``; 409 for a job that was completed or cancelled, 429 when its owner has too
    ///   much waiting.
    package func retry(_ id: JobID) async throws(ClientError) -> JobView {
        try await post("/v1/jobs/\(id)/retry", [String: String](), returning: JobView.self)
    }

    /// Gives a job another priority.
    /// - Throws: ``ClientError`` as ``pause(_:)``.
    package func prioritize(_ id: JobID, _ order: PriorityOrder) async throws(ClientError) -> JobView {
        try await post("/v1/jobs/\(id)/priority", order, returning: JobView.self)
    }

    /// The workers that were heard of lately.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func workers() async throws(ClientError) -> [WorkerView] {
        try await get([WorkerView].self, "/v1/workers")
    }

    /// Lets a worker finish the tasks it has and take no other.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for a worker that has
    ///   left.
    package func drain(_ worker: WorkerID) async throws(ClientError) {
        try await post("/v1/workers/\(worker)/drain", [String: String]())
    }

    /// Lets a drained worker take work again.
    /// - Throws: ``ClientError`` as ``drain(_:)``.
    package func undrain(_ worker: WorkerID) async throws(ClientError) {
        try await post("/v1/workers/\(worker)/undrain", [String: String]())
    }

    /// The last lines about an attempt.
    /// - Parameter after: the `next` of an answer before, whose lines are left out; 0 leaves out none.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an attempt that is
    ///   unknown or no longer kept.
    package func log(of attempt: AttemptID, after: Int = 0) async throws(ClientError) -> AttemptLog {
        try await get(AttemptLog.self, "/v1/attempts/\(attempt)/log?after=\(after)")
    }

    /// The artifact of a completed task of stills: the bytes of a `StillPack`, or of the image of a sheet.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 409 for a task that is not
    ///   completed.
    package func stills(of job: JobID, task: TaskID) async throws(ClientError) -> [UInt8] {
        [UInt8](try await send(request(.get, "/v1/jobs/\(job)/stills/\(task)")).body)
    }

    /// The artifact of a completed measuring task: a `LoudnessPiece` or a `WaveformPiece`.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 409 for a task that is not
    ///   completed.
    package func measured(of job: JobID, task: TaskID) async throws(ClientError) -> [UInt8] {
        [UInt8](try await send(request(.get, "/v1/jobs/\(job)/measured/\(task)")).body)
    }

    /// Gives the finished movie's bytes to `sink`, in order, on a thread that may block.
    /// - Parameters:
    ///   - offset: the first byte that is wanted.
    ///   - digest: the movie of which the bytes before `offset` are; when the job has another one by now, all of that
    ///     comes. Nil does not ask.
    ///   - onStart: called before the first byte with its offset: the one that was asked for, or 0. What it throws ends
    ///     the transfer, as does what `sink` throws.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached, or the sink throws: status 409 for a
    ///   job that is not completed, 416 for an offset at the end of the movie or behind it.
    package func output(
        of id: JobID,
        from offset: Int64 = 0,
        of digest: ContentDigest? = nil,
        onStart: @escaping @Sendable (_ offset: Int64) throws -> Void = { _ in },
        into sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws(ClientError) {
        var headers: [(name: String, value: String)] = []
        if offset > 0 {
            headers.append((name: "Range", value: "bytes=\(offset)-"))
            if let digest { headers.append((name: "If-Range", value: "\"\(digest)\"")) }
        }
        var request = request(.get, "/v1/jobs/\(id)/output", headers: headers)
        request.onSuccess = { status, headers in
            guard status == 206 else { return try onStart(0) }
            guard headers["content-range"]?.hasPrefix("bytes \(offset)-") == true else { throw OtherRange() }
            try onStart(offset)
        }
        _ = try await receive(request, isFollowing: true, into: sink)
    }

    /// The coordinator sent another part of the movie than was asked for.
    private struct OtherRange: Error, CustomStringConvertible {
        let description = "another part of the movie came than was asked for"
    }
}
