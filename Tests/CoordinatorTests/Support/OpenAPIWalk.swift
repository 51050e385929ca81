import CompositionModel
import Farm
import Foundation
import Planning
import Testing
import WireProtocol

@testable import Coordinator

/// Asks a coordinator for one answer, at least, of every route that answers JSON and needs no media.
struct OpenAPIWalk {
    struct Answer {
        /// Method, pattern of the address, and status.
        let name: String
        let body: String
    }

    let farm: RunningCoordinator

    private func ask(
        _ method: String,
        _ path: String,
        as token: String = "admin",
        body: String? = nil
    ) async throws
        -> Answer
    {
        let answer = try await farm.call(method, path, as: token, body: body)
        let operation = try #require(try OpenAPIDocument.shared.get().operation(method, at: path))
        return Answer(name: "\(operation.name) \(answer.status)", body: answer.text)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    func answers() async throws -> [Answer] {
        var all = try await work()
        for path in [
            "/healthz", "/readyz", "/v1/openapi.json", "/v1/jobs", "/v1/jobs:summary", "/v1/parts", "/v1/workers",
        ] {
            all.append(try await ask("GET", path))
        }
        let edit = #"{"schema":"edit/1","assets":{"a":"a.mp4"},"tracks":[],"outputs":[{"preset":"h264"}]}"#
        all.append(try await ask("POST", "/v1/edits:read", body: text(EditText(editText: edit, fileName: "e.json"))))
        all.append(try await ask("POST", "/v1/jobs:plan", body: "{}"))
        all.append(try await ask("GET", "/v1/jobs", as: "nobody-knows-this-token"))
        return all
    }

    /// What a worker and its job are answered.
    private func work() async throws -> [Answer] {
        var all: [Answer] = []
        let digest = ContentDigest(of: Data("asset".utf8))
        #expect(try await farm.upload(Data("asset".utf8), to: "/v1/assets/\(digest.hex)", as: "editor").status == 201)
        all.append(try await ask("GET", "/v1/assets/\(digest.hex)/record"))
        all.append(try await ask("POST", "/v1/assets:known", body: #"{"digests":["\#(digest)"]}"#))
        let job = try farm.store.insertJob(FarmPieces.job(parts: 3)).job.id
        all.append(try await ask("POST", "/v1/workers", body: text(FarmPieces.registration)))
        let worker = try JSONDecoder().decode(WorkerRegistered.self, from: Data(try #require(all.last).body.utf8))
            .worker
        let poll = try text(FarmPieces.poll(worker, wait: 0, capacity: 2))
        all.append(try await ask("POST", "/v1/leases:poll", body: poll))
        let grants = try JSONDecoder().decode(LeaseGrants.self, from: Data(try #require(all.last).body.utf8)).grants
        let (first, second) = (try #require(grants.first).attempt, try #require(grants.last).attempt)
        let machine = MachineReading(host: "a", workerBytes: 1, renderBytes: 2, totalBytes: 3)
        let beat = Heartbeat(attempts: [AttemptProgress(attempt: first, permille: 500)], machine: machine)
        all.append(try await ask("POST", "/v1/workers/\(worker)/heartbeat", body: text(beat)))
        all.append(try await ask("GET", "/v1/workers"))
        let lines = LogLines(
            worker: worker,
            lines: [LogLine(at: FarmTime(milliseconds: 1_800_000_000_000).date, text: "said")]
        )
        #expect(try await farm.post("/v1/attempts/\(first)/log", lines).status == 204)
        all.append(try await ask("GET", "/v1/attempts/\(first)/log"))
        all.append(try await ask("GET", "/v1/attempts/\(first)/readings"))
        let part = FarmPieces.part("segment")
        let completion = FarmPieces.completion(worker, part)
        all.append(try await ask("POST", "/v1/attempts/\(first)/complete", body: text(completion)))
        _ = try await farm.upload(part, to: "/v1/artifacts/\(completion.artifact.hex)")
        all.append(try await ask("POST", "/v1/attempts/\(first)/complete", body: text(completion)))
        let failure = Failure(code: "broken", message: "It broke.", isPermanent: false)
        let failed = TaskFailure(worker: worker, failure: failure)
        #expect(try await farm.post("/v1/attempts/\(second)/fail", failed).status == 204)
        for name in ["", "/tasks", "/plan", "/composition", "/history", "/tracks", "/preview"] {
            all.append(try await ask("GET", "/v1/jobs/\(job)" + name))
        }
        all.append(try await ask("POST", "/v1/jobs/\(job)/priority", body: #"{"priority":3}"#))
        for name in ["pause", "resume", "retry", "cancel"] {
            all.append(try await ask("POST", "/v1/jobs/\(job)/\(name)"))
        }
        all.append(try await ask("POST", "/v1/parts:prune", body: #"{"unusedSeconds":0}"#))
        all.append(try await ask("POST", "/v1/parts:withdraw", body: #"{"worker":"bench"}"#))
        return all
    }
}
