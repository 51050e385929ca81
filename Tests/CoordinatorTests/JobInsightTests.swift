import CompositionModel
import Farm
import Foundation
import Synchronization
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import Coordinator

/// What people look at of jobs: counts, pace, the reason why nothing moves, chosen tasks, and the throughput.
@Suite struct JobInsightTests {
    private func job(_ farm: RunningCoordinator, _ id: JobID) async throws -> JobView {
        try await farm.call("GET", "/v1/jobs/\(id)", as: "viewer").decode(JobView.self)
    }

    @Test func jobsAreCounted() async throws {
        try await withCoordinator { farm in
            let first = try farm.store.insertJob(FarmPieces.job(title: "Harbour.json")).job.id
            let second = try farm.store.insertJob(FarmPieces.job(owner: "other", title: "harbour 2.json")).job.id
            _ = try farm.store.insertJob(FarmPieces.job(title: "market.json"))
            _ = try farm.store.cancel(first)
            _ = try farm.store.control(second, .pause)
            func summary(_ query: String) async throws -> JobSummary {
                try await farm.call("GET", "/v1/jobs:summary?" + query, as: "viewer").decode(JobSummary.self)
            }
            #expect(try await summary("") == JobSummary(queued: 1, cancelled: 1, paused: 1))
            #expect(try await summary("search=HARB&owner=other") == JobSummary(paused: 1))
            let paused = try await farm.call("GET", "/v1/jobs?paused=true", as: "viewer").decode([JobView].self)
            #expect(paused.map(\.id) == [second])
            #expect(try await farm.call("GET", "/v1/jobs?paused=maybe", as: "viewer").status == 400)
        }
    }

    /// The clock stands: a worker that registered is never taken for one that fell silent.
    @Test func aJobSaysWhyItWaits() async throws {
        try await withCoordinator(clock: .standing(at: FarmTime(milliseconds: 1_800_000_000_000))) { farm in
            // Identifiers of one millisecond have no order, and jobs go by identifier.
            let two = try (0..<2).map { _ in try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id }.sorted()
            let (first, second) = (two[0], two[1])
            let other = try farm.store.insertJob(FarmPieces.job(owner: "other", parts: 1)).job.id
            #expect(try await job(farm, first).waiting?.sentence == "No worker connected")
            let worker = try await farm.registerWorker()
            #expect(try await job(farm, first).waiting == nil)
            #expect(try await job(farm, second).waiting?.sentence == "Behind 1 earlier job")
            _ = try farm.store.control(second, .priority(4))
            #expect(try await job(farm, first).waiting?.sentence == "Behind 1 job of higher priority")
            _ = try farm.store.control(second, .pause)
            #expect(try await job(farm, second).waiting?.sentence == "Paused")
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 9)).count == 2)
            #expect(try await job(farm, first).waiting == nil)
            let third = try farm.store.insertJob(FarmPieces.job(owner: "third", parts: 1)).job.id
            _ = other
            try farm.store.drain(worker)
            #expect(try await job(farm, third).waiting?.sentence == "All workers are draining")
        }
    }

    /// The only worker is killed in the middle: its tasks stay leased to it, and nobody is at work.
    @Test func aJobWhoseWorkersFellSilentWaits() async throws {
        let start = FarmTime(milliseconds: 1_800_000_000_000)
        try await withCoordinator(clock: .standing(at: start)) { farm in
            let id = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let worker = try await farm.registerWorker()
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 2)).count == 2)
            _ = try farm.store.sweep()
            #expect(try await job(farm, id).waiting == nil)
            for second in 1...60 {
                farm.store.setClock(start.adding(milliseconds: 1000 * Int64(second)))
                _ = try farm.store.sweep()
            }
            let left = try await job(farm, id)
            #expect(left.tasks.leased == 2 && left.waiting?.sentence == "No worker connected", "\(left)")
            #expect(left.waiting?.detail?.hasPrefix("One worker was here and fell silent.") == true)
            #expect(left.speed == nil && left.secondsLeft == nil)
            #expect(try farm.store.tally().workers == [.silent: 1])
        }
    }

    @Test func chosenTasksAreListed() async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job(parts: 5)).job.id
            func tasks(_ positions: String) async throws -> HTTPAnswer {
                try await farm.call("GET", "/v1/jobs/\(job)/tasks?positions=\(positions)", as: "viewer")
            }
            #expect(try await tasks("4,1,77").decode([TaskView].self).map(\.position) == [1, 4])
            for wrong in ["", "x", "1,,y", "99999999999"] { #expect(try await tasks(wrong).status == 400, "\(wrong)") }
        }
    }

    @Test func whatWorkersDoIsListed() async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job(title: "long.json", parts: 2)).job.id
            let worker = try await farm.registerWorker()
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            _ = try await farm.store.renew(worker, [AttemptProgress(attempt: grant.attempt, permille: 620)])
            let workers = try await farm.call("GET", "/v1/workers", as: "viewer").decode([WorkerView].self)
            let doing = try #require(workers.first { $0.id == worker }?.doing?.first)
            #expect(doing.job == job && doing.title == "long.json" && doing.permille == 620)
            #expect(doing.task == grant.task && doing.outputSeconds == 1)
        }
    }

    @Test func whatAWorkerSaysOfItsMachineIsListedUntilItSaysMore() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            func machine(after beat: Heartbeat) async throws -> MachineReading? {
                #expect(try await farm.post("/v1/workers/\(worker)/heartbeat", beat).status == 200)
                let workers = try await farm.call("GET", "/v1/workers", as: "viewer").decode([WorkerView].self)
                return try #require(workers.first { $0.id == worker }).machine
            }
            // As an earlier version says it.
            #expect(try await machine(after: Heartbeat(attempts: [])) == nil)
            var reading = MachineReading(host: "a", workerBytes: 70 << 20, renderBytes: 1 << 30, totalBytes: 4 << 30)
            #expect(try await machine(after: Heartbeat(attempts: [], machine: reading)) == reading)
            #expect(try await machine(after: Heartbeat(attempts: [])) == reading)
            reading.renderBytes = 0
            #expect(try await machine(after: Heartbeat(attempts: [], machine: reading)) == reading)
        }
    }

    @Test func theSegmentThatAWorkerFinishedLastIsListed() async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let worker = try await farm.registerWorker()
            func last() throws -> WorkerSegment? { try farm.store.workers().first { $0.id == worker }?.last }
            #expect(try last() == nil)
            for _ in 0..<2 {
                let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
                let data = FarmPieces.part("\(grant.task)")
                _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
                let completion = FarmPieces.completion(worker, data)
                #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", completion).status == 200)
                let task = try #require(try farm.store.tasks(of: job).first { $0.id == grant.task })
                #expect(try last() == WorkerSegment(job: job, position: task.position, frames: #require(task.frames)))
            }
        }
    }

    /// 30 frames from 0 to 3 s, and 30 from 1 to 2 s: 10 frames a second, and 30 more in the second between.
    @Test func framesCountWhenTheyWereRendered() throws {
        let start = FarmTime(milliseconds: 1_000_000)
        let spans = [(0, 3000), (1000, 2000)].map { first, last in
            RenderedSpan(
                started: start.adding(milliseconds: first),
                ended: start.adding(milliseconds: last),
                frameThousandths: 30_000
            )
        }
        let samples = ThroughputHistory(spans).history.samples
        #expect(samples.map(\.frames) == [0, 10, 40, 10])
        #expect(samples.map(\.at) == (0...3).map { start.date.addingTimeInterval(Double($0)) })
        #expect(ThroughputHistory([]).history.samples.isEmpty)
    }

    /// Whoever looks while the database adds up gets the same answer; a job's answer is kept for twenty times as long as it
    /// took.
    @Test func aHistoryIsAddedUpOnceForAll() async throws {
        let store = StalledStore()
        let clock = TestClock()
        let job = try store.model.insertJob(FarmPieces.job()).job.id
        let histories = ThroughputHistories(store: store, clock: clock)
        store.beforeSpans.withLock { $0 = { clock.advance(by: .milliseconds(100)) } }
        for _ in 0..<3 { _ = try await histories.history(of: job) }
        clock.advance(by: .milliseconds(1900))
        _ = try await histories.history(of: job)
        #expect(store.lists == ["spans"])
        clock.advance(by: .milliseconds(200))
        _ = try await histories.history(of: job)
        #expect(store.lists == ["spans", "spans"])
    }

    @Test func anUnknownJobHasNoHistory() async throws {
        try await withCoordinator { farm in
            let path = "/v1/jobs/\(JobID(uuid: UUID()))/history"
            #expect(try await farm.call("GET", path, as: "viewer").code == "unknown_job")
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            let answer = try await farm.call("GET", "/v1/jobs/\(job)/history", as: "viewer")
            #expect(try answer.decode(JobHistory.self).samples.isEmpty)
        }
    }

    /// Each wrong parameter of a list is answered with its name, what was sent and what is allowed.
    @Test func wrongParametersAreNamed() async throws {
        try await withCoordinator { farm in
            let id = JobID(uuid: UUID())
            _ = try farm.store.insertJob(FarmPieces.job())
            let job = try #require(try farm.store.jobs(JobFilter()).first?.id)
            for (path, sent, allowed) in [
                ("jobs?limit=0", "“limit” is “0”", "1 to 500"), ("jobs?state=lost", "“state” is “lost”", "rendering"),
                ("jobs?before=x", "“before” is “x”", "identifier"), ("jobs?id=zz", "“id” is “zz”", "job_"),
                ("jobs?paused=maybe", "“paused” is “maybe”", "true or false"),
                ("jobs:summary?search=a%00", "“search” is “a", "without the character NUL"),
                ("jobs/\(job)/tasks?positions=1,x", "“positions” is “1,x”", "1 to 500"),
                ("jobs/\(job)/tasks?positions=-1", "“positions” is “-1”", "1 to 500"),
                ("parts?limit=-1", "“limit” is “-1”", "0 to 1000"), ("events?after=x", "“after” is “x”", "from 0 on"),
                ("attempts/\(AttemptID(uuid: id.uuid))/log?after=-2", "“after” is “-2”", "from 0 on"),
            ] {
                let answer = try await farm.call("GET", "/v1/\(path)", as: "viewer")
                let detail = (try? answer.decode(Problem.self))?.detail ?? ""
                #expect(answer.status == 400 && detail.contains(sent) && detail.contains(allowed), "\(path): \(detail)")
            }
        }
    }
}
