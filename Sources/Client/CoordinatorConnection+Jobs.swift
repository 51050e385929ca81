import Curl
import Foundation
public import CompositionModel
public import WireProtocol

extension CoordinatorConnection {
    public func submit(_ submission: JobSubmission) async throws(ClientError) -> JobView {
        try await post("/v1/jobs", submission, timeout: .seconds(300), returning: JobView.self)
    }

    /// Newest first.
    public func jobs(limit: Int = 100) async throws(ClientError) -> [JobView] {
        try await get([JobView].self, "/v1/jobs?limit=\(limit)")
    }

    public func job(_ id: JobID) async throws(ClientError) -> JobView {
        try await get(JobView.self, "/v1/jobs/\(id)")
    }

    public func tasks(of id: JobID) async throws(ClientError) -> [TaskView] {
        try await get([TaskView].self, "/v1/jobs/\(id)/tasks")
    }

    /// How the job's file is made, and what the edit calls it.
    public func outputSettings(of id: JobID) async throws(ClientError) -> OutputSettings {
        try await get(PlannedJob.self, "/v1/jobs/\(id)/plan").output
    }

    /// The part of a ``RenderPlan`` that a client needs.
    private struct PlannedJob: Decodable {
        let output: OutputSettings
    }

    public func cancel(_ id: JobID) async throws(ClientError) -> JobView {
        try await post("/v1/jobs/\(id)/cancel", [String: String](), returning: JobView.self)
    }

    public func workers() async throws(ClientError) -> [WorkerView] {
        try await get([WorkerView].self, "/v1/workers")
    }

    public func drain(_ worker: WorkerID) async throws(ClientError) {
        try await post("/v1/workers/\(worker)/drain", [String: String]())
    }

    /// What a completed task of stills made: a ``StillPack``, or the image of a sheet.
    public func stills(of job: JobID, task: TaskID) async throws(ClientError) -> [UInt8] {
        [UInt8](try await send(request(.get, "/v1/jobs/\(job)/stills/\(task)")).body)
    }

    /// What a completed measuring task found: a `LoudnessPiece` or a `WaveformPiece`.
    public func measured(of job: JobID, task: TaskID) async throws(ClientError) -> [UInt8] {
        [UInt8](try await send(request(.get, "/v1/jobs/\(job)/measured/\(task)")).body)
    }

    /// Gives the finished movie's bytes to `sink`, in order.
    public func output(
        of id: JobID,
        into sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws(ClientError) {
        _ = try await receive(request(.get, "/v1/jobs/\(id)/output"), into: sink)
    }
}
