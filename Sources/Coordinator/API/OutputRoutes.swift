import Farm
import Foundation
import Hummingbird
import Logging
import Storage
import WireProtocol

/// The media type by file extension (``OutputSettings/fileExtension``).
private let mediaTypes = [
    "mp4": "video/mp4", "mov": "video/quicktime", "mkv": "video/x-matroska", "m4a": "audio/mp4",
    "mka": "audio/x-matroska",
    "wav": "audio/wav", "flac": "audio/flac", "opus": "audio/ogg", "mp3": "audio/mpeg",
    "png": "image/png", "jpg": "image/jpeg",
]

/// The products of jobs: movies, stills and measurements.
struct OutputRoutes: RouteGroup {
    let store: any FarmStore
    let artifacts: ArtifactLibrary

    func add(to table: RouteTable) {
        table.on(.get, "/v1/jobs/{id}/stills/{task}", .view) { request, context in
            try await taskArtifact(.stills, or: "it has no stills.", request, context)
        }
        table.on(.get, "/v1/jobs/{id}/measured/{task}", .view) { request, context in
            try await taskArtifact(.measure, or: "it has measured nothing.", request, context)
        }
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, "/v1/jobs/{id}/output", .view) { request, context in
                try await movie(of: context.job(in: store), request)
            }
        }
    }

    /// Sends the artifact of one task once it is accepted.
    /// - Parameters:
    ///   - kind: The kind of task; a task of another kind counts as unknown.
    ///   - nothing: The end of the sentence for a task that is not completed.
    private func taskArtifact(
        _ kind: TaskKind,
        or nothing: String,
        _ request: Request,
        _ context: FarmRequestContext
    ) async throws -> Response {
        let (job, id) = (try await context.job(in: store), try context.identifier(TaskID.self, "task"))
        guard let task = try await store.tasks(of: job.id).first(where: { $0.id == id }), task.kind == kind else {
            throw Problem.notFound
        }
        guard let artifact = task.artifact else {
            throw Problem.conflict("not_finished", "The task is \(task.state.rawValue): \(nothing)")
        }
        if let removed = job.outputRemoved { throw Problem.removedOutput(of: job, at: removed) }
        if let elsewhere = try await request.redirect(to: artifact, in: artifacts) { return elsewhere }
        let file = try await artifacts.reader(artifact)
        return try await .artifact(file, for: request, type: "application/octet-stream")
    }

    /// The finished movie of a job.
    private func movie(of job: JobView, _ request: Request) async throws -> Response {
        guard job.fileExtension != "measure" else {
            throw Problem.conflict("no_output", "The job measured its sound: its tasks have what they found.")
        }
        guard let artifact = job.artifact else {
            throw Problem.conflict("not_finished", "The job is \(job.state.rawValue): it has no output.")
        }
        if let removed = job.outputRemoved { throw Problem.removedOutput(of: job, at: removed) }
        if let elsewhere = try await request.redirect(to: artifact, in: artifacts) { return elsewhere }
        let file = try await artifacts.reader(artifact)
        return try await .artifact(
            file,
            for: request,
            type: mediaTypes[job.fileExtension] ?? "application/octet-stream",
            saveAs: "\(job.title.withoutExtension).\(job.fileExtension)"
        )
    }
}

extension Problem {
    fileprivate static func removedOutput(of job: JobView, at time: Date) -> Problem {
        Problem(
            status: 410,
            code: "not_kept",
            title: "Not kept",
            detail:
                "The output of job \(job.id) was removed at \(time.formatted(.iso8601)), as outputs are kept for so long or "
                + "up to so many bytes; submit the edit again, a manifest with --again."
        )
    }
}

extension String {
    /// The title, which usually is the name of the edit's file, without the extension.
    fileprivate var withoutExtension: String {
        guard let dot = lastIndex(of: "."), dot != startIndex, distance(from: dot, to: endIndex) <= 6 else {
            return self
        }
        return String(self[..<dot])
    }
}
