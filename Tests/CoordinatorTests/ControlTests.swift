import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Jobs are paused, resumed, retried and given another place.
@Suite struct ControlTests {
    private func call(
        _ farm: RunningCoordinator,
        _ job: JobID,
        _ what: String,
        as token: String = "editor"
    ) async throws -> HTTPAnswer {
        try await farm.call("POST", "/v1/jobs/\(job)/\(what)", as: token, body: "{}")
    }

    @Test func aPausedJobBeginsNothingAndKeepsWhatRuns() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let running = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let paused = try await call(farm, job, "pause").decode(JobView.self)
            #expect(paused.isPaused == true && paused.state == .rendering)
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0)).isEmpty)
            let part = FarmPieces.part("one")
            _ = try await farm.upload(part, to: "/v1/artifacts/\(ContentDigest(of: part).hex)")
            let done = FarmPieces.completion(worker, part)
            #expect(try await farm.post("/v1/attempts/\(running.attempt)/complete", done).status == 200)
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0)).isEmpty)
            #expect(try await call(farm, job, "resume").decode(JobView.self).isPaused == nil)
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 2000)).count == 1)
        }
    }

    @Test func aRetriedJobKeepsWhatWasAccepted() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 2))
            let parts = [FarmPieces.part("one"), FarmPieces.part("two")]
            for part in parts { _ = try await farm.upload(part, to: "/v1/artifacts/\(ContentDigest(of: part).hex)") }
            let first = FarmPieces.completion(worker, parts[0])
            #expect(try await farm.post("/v1/attempts/\(grants[0].attempt)/complete", first).status == 200)
            #expect(try await call(farm, job, "retry").status == 200, "it runs: nothing is to be done")
            let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
            let report = TaskFailure(worker: worker, failure: failure)
            #expect(try await farm.post("/v1/attempts/\(grants[1].attempt)/fail", report).status == 204)
            #expect(try farm.store.job(job)?.state == .failed)
            let retried = try await call(farm, job, "retry").decode(JobView.self)
            #expect(retried.state == .rendering && retried.failure == nil && retried.finished == nil)
            // One permanent failure ended it before; it counts no more.
            let again = try await farm.grants(FarmPieces.poll(worker, wait: 2000, capacity: 9))
            #expect(again.map(\.task) == [grants[1].task])
            let second = FarmPieces.completion(worker, parts[1])
            #expect(try await farm.post("/v1/attempts/\(again[0].attempt)/complete", second).status == 200)
            try await waitUntil { try farm.store.job(job)?.state.isFinal == true }
            let output = try await farm.call("GET", "/v1/jobs/\(job)/output", as: "viewer")
            #expect(output.body == Data("onetwo".utf8), "\(output.text)")
            for what in ["retry", "pause", "resume"] {
                let refused = try await call(farm, job, what)
                #expect(refused.status == 409 && refused.code == "not_possible", "\(what): \(refused.text)")
            }
        }
    }

    @Test func onlyTheOwnerAndAdminsMay() async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            for what in ["pause", "resume", "retry"] {
                #expect(try await call(farm, job, what, as: "other").status == 403)
                #expect(try await call(farm, job, what, as: "viewer").status == 403)
                #expect(try await call(farm, job, what, as: "admin").status == 200)
            }
            #expect(try await call(farm, JobID(uuid: UUID()), "pause").status == 404)
        }
    }

    @Test func aJobGoesBeforeOthersOfItsOwner() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job())
            let later = try farm.store.insertJob(FarmPieces.job()).job.id
            let answer = try await farm.post("/v1/jobs/\(later)/priority", PriorityOrder(priority: 3), as: "editor")
            #expect(try answer.decode(JobView.self).priority == 3)
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0)).map(\.job) == [later])
            let bad = try await farm.post("/v1/jobs/\(later)/priority", PriorityOrder(priority: 1 << 32), as: "editor")
            #expect(bad.status == 422, "\(bad.text)")
        }
    }

    /// A worker that died does not take work again for being undrained, and nobody is told that it does.
    @Test func aSilentWorkerIsNotUndrained() async throws {
        let time = Later()
        let clock = FarmClock { FarmTime(milliseconds: 1_800_000_000_000 + Int64(time.seconds * 1000)) }
        try await withCoordinator(clock: clock) { farm in
            let worker = try await farm.registerWorker()
            try farm.store.drain(worker)
            time.seconds = 13
            let path = "/v1/workers/\(worker)/undrain"
            let refused = try await farm.call("POST", path)
            #expect(refused.status == 409 && refused.code == "not_possible", "\(refused.text)")
            #expect(refused.text.contains("does not answer and takes no work"))
            #expect(try farm.store.workers().first { $0.id == worker }?.isDraining == true)
            _ = try await farm.store.renew(worker, [])
            #expect(try await farm.call("POST", path).status == 204)
            #expect(try farm.store.workers().first { $0.id == worker }?.isDraining == false)
        }
    }
}
