import Farm
import Hummingbird
import Logging
import WireProtocol
import Storage

/// By file extension (``OutputSettings/fileExtension``).
private let mediaTypes = [
    "mp4": "video/mp4", "mkv": "video/x-matroska", "m4a": "audio/mp4", "mka": "audio/x-matroska",
    "wav": "audio/wav", "flac": "audio/flac", "opus": "audio/ogg", "mp3": "audio/mpeg",
    "png": "image/png", "jpg": "image/jpeg",
]

extension CoordinatorParts {
    /// What one task of stills made, as soon as it is accepted.
    func addStills(to table: RouteTable) {
        table.on(.get, "/v1/jobs/{id}/stills/{task}", .view) { request, context in
            let (job, id) = (try await job(context), try context.identifier(TaskID.self, "task"))
            guard let task = try await store.tasks(of: job.id).first(where: { $0.id == id }), task.kind == .stills
            else {
                throw Problem.notFound
            }
            guard let artifact = task.artifact else {
                throw Problem.conflict("not_finished", "The task is \(task.state.rawValue): it has no stills.")
            }
            let file = try await blocking { [artifacts] in try artifacts.open(artifact) }
            return .file(file, for: request, type: "application/octet-stream")
        }
    }

    /// What one measuring task found, as soon as it is accepted.
    func addMeasured(to table: RouteTable) {
        table.on(.get, "/v1/jobs/{id}/measured/{task}", .view) { request, context in
            let (job, id) = (try await job(context), try context.identifier(TaskID.self, "task"))
            guard let task = try await store.tasks(of: job.id).first(where: { $0.id == id }), task.kind == .measure
            else {
                throw Problem.notFound
            }
            guard let artifact = task.artifact else {
                throw Problem.conflict("not_finished", "The task is \(task.state.rawValue): it has measured nothing.")
            }
            let file = try await blocking { [artifacts] in try artifacts.open(artifact) }
            return .file(file, for: request, type: "application/octet-stream")
        }
    }

    /// The finished movie.
    func addOutput(to table: RouteTable) {
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, "/v1/jobs/{id}/output", .view) { request, context in
                let job = try await job(context)
                guard job.fileExtension != "measure" else {
                    throw Problem.conflict("no_output", "The job measured its sound: its tasks have what they found.")
                }
                guard let artifact = job.artifact else {
                    throw Problem.conflict("not_finished", "The job is \(job.state.rawValue): it has no output.")
                }
                let file = try await blocking { [artifacts] in try artifacts.open(artifact) }
                return .file(
                    file,
                    for: request,
                    type: mediaTypes[job.fileExtension] ?? "application/octet-stream",
                    saveAs: "\(job.title.withoutExtension).\(job.fileExtension)"
                )
            }
        }
    }
}

extension String {
    /// A title usually is the edit file's name.
    fileprivate var withoutExtension: String {
        guard let dot = lastIndex(of: "."), dot != startIndex, distance(from: dot, to: endIndex) <= 6 else {
            return self
        }
        return String(self[..<dot])
    }
}
