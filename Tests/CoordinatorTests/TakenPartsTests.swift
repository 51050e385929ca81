import CompositionModel
import Farm
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// A part that an earlier job made is taken by later ones, after its bytes were read.
@Suite struct TakenPartsTests {
    private func run(
        limit: Int64 = 1 << 30,
        _ body: (RunningCoordinator) async throws -> Void
    ) async throws {
        var policy = FarmPolicy()
        // Nobody renews a lease here, however long a busy machine takes.
        policy.lease.leaseMilliseconds = 3_600_000
        try await withCoordinator(policy: policy) { configuration, _ in
            configuration.partsLimit = limit
            configuration.partsInterval = .milliseconds(20)
            configuration.tick = .milliseconds(20)
        } _: { farm in
            try await body(farm)
        }
    }

    private func data(_ key: String) -> Data { FarmPieces.part("of \(key)") }

    private func path(_ key: String, _ farm: RunningCoordinator) -> String {
        farm.folder.path("artifacts/\(ContentDigest(of: data(key)).storePath)")
    }

    /// Works with `worker` until `job` has ended.
    /// - Parameters:
    ///   - keys: the keys of the job's segments.
    ///   - others: those of other jobs that are not done.
    /// - Returns: the keys of the segments that the worker was asked for, in order.
    private func work(
        _ farm: RunningCoordinator,
        _ worker: WorkerID,
        on job: JobID,
        keys: [String],
        beside others: [JobID: [String]] = [:]
    ) async throws -> [String] {
        var asked: [String] = []
        while try farm.store.job(job)?.state.isFinal == false {
            for grant in try await farm.grants(FarmPieces.poll(worker, wait: 100)) {
                let task = try #require(try farm.store.tasks(of: grant.job).first { $0.id == grant.task })
                let key = (others[grant.job] ?? keys)[task.position]
                asked.append(key)
                let bytes = data(key)
                let address = "/v1/artifacts/\(ContentDigest(of: bytes).hex)"
                if try await farm.call("HEAD", address, as: "worker").status != 200 {
                    _ = try await farm.upload(bytes, to: address)
                }
                let done = FarmPieces.completion(worker, bytes)
                #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", done).status == 200)
            }
        }
        #expect(try farm.store.job(job)?.state == .completed)
        return asked
    }

    private func job(_ farm: RunningCoordinator, _ keys: [String]) throws -> JobID {
        try farm.store.insertJob(FarmPieces.job(parts: keys.count, keys: keys)).job.id
    }

    private func movie(_ farm: RunningCoordinator, _ job: JobID) async throws -> Data {
        try await farm.call("GET", "/v1/jobs/\(job)/output", as: "viewer").body
    }

    @Test func aLaterJobRendersWhatChanged() async throws {
        try await run { farm in
            let worker = try await farm.registerWorker()
            let first = try job(farm, ["a", "b", "c"])
            #expect(try await work(farm, worker, on: first, keys: ["a", "b", "c"]).sorted() == ["a", "b", "c"])
            let second = try job(farm, ["a", "x", "c"])
            #expect(try await work(farm, worker, on: second, keys: ["a", "x", "c"]) == ["x"])
            let view = try #require(try farm.store.job(second))
            #expect(view.tasks.taken == 2 && view.permille == 1000)
            let tasks = try farm.store.tasks(of: second)
            #expect(tasks.map(\.isTaken) == [true, nil, true, nil])
            #expect(tasks[0].attempts.isEmpty && tasks[0].artifact == ContentDigest(of: data("a")))
            #expect(try await movie(farm, second) == Data("of aof xof c".utf8))
            // And back again: nothing is rendered.
            let third = try job(farm, ["a", "b", "c"])
            #expect(try await work(farm, worker, on: third, keys: ["a", "b", "c"]).isEmpty)
            #expect(try await movie(farm, third) == movie(farm, first))
            let list = try await farm.call("GET", "/v1/parts", as: "viewer").decode(PartList.self)
            #expect(list.totals.count == 4 && list.totals.uses == 5 && list.parts.count == 4)
            #expect(list.parts.allSatisfy { $0.worker == "bench" })
        }
    }

    /// Each part is on the disk only once, and damaged in the way that ``RejectedPartsTests/Harm`` knows.
    @Test(arguments: RejectedPartsTests.Harm.allCases)
    func aPartThatHasRottedIsNeverTaken(harm: RejectedPartsTests.Harm) async throws {
        try await run { farm in
            let worker = try await farm.registerWorker()
            let keys = ["a", "b"]
            let first = try job(farm, keys)
            _ = try await work(farm, worker, on: first, keys: keys)
            let whole = try await movie(farm, first)
            try harm.strike(path("a", farm))
            let second = try job(farm, keys)
            #expect(try await work(farm, worker, on: second, keys: keys) == ["a"])
            #expect(try farm.store.job(second)?.tasks.taken == 1)
            #expect(try await movie(farm, second) == whole)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("a", farm))) == data("a"))
        }
    }

    /// Segments of one key, in one job and in two that run at once, are rendered once, however many a worker could take.
    @Test func whatTwoNeedAtOnceIsMadeOnce() async throws {
        try await run { farm in
            let worker = try await farm.registerWorker()
            let (keys, others) = (["a", "b", "a"], ["b", "c"])
            let jobs = [try job(farm, keys), try job(farm, others)]
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 16))
            #expect(grants.count == 3, "a, b and c")
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 50, capacity: 16)).isEmpty)
            // What one worker gives back is made by the next.
            _ = try farm.store.release(worker, LeaseRelease(attempts: grants.map(\.attempt), leaving: false))
            var asked = try await work(farm, worker, on: jobs[0], keys: keys, beside: [jobs[1]: others])
            asked += try await work(farm, worker, on: jobs[1], keys: others)
            #expect(asked.sorted() == ["a", "b", "c"])
            #expect(try await movie(farm, jobs[0]) == Data("of aof bof a".utf8))
        }
    }

    /// The least recently used go, and never what an unfinished job counts on.
    @Test func partsKeepToTheirLimit() async throws {
        let size = Int64(data("a").count)
        try await run(limit: 2 * size) { farm in
            let worker = try await farm.registerWorker()
            for key in ["a", "b", "c"] {
                _ = try await work(farm, worker, on: try job(farm, [key]), keys: [key])
            }
            let store = try ArtifactStore(root: farm.folder.path("artifacts"))
            try await waitUntil { store.byteCount(of: ContentDigest(of: data("a"))) == nil }
            #expect(try farm.store.parts(limit: 9).map(\.artifact) == ["c", "b"].map { ContentDigest(of: data($0)) })
            // More than the limit, all of one job that is not done.
            let keys = ["d", "e", "f", "g"]
            let long = try farm.store.insertJob(FarmPieces.job(parts: 5, keys: keys + ["last"])).job.id
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 4))
            for (key, grant) in zip(keys, grants) {
                _ = try await farm.upload(data(key), to: "/v1/artifacts/\(ContentDigest(of: data(key)).hex)")
                let done = FarmPieces.completion(worker, data(key))
                #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", done).status == 200)
            }
            try await waitUntil { try farm.store.parts(limit: 9).count == 4 }
            #expect(keys.allSatisfy { store.byteCount(of: ContentDigest(of: data($0))) != nil })
            _ = try farm.store.cancel(long)
            try await waitUntil { try farm.store.parts(limit: 9).count == 2 }
        }
    }

    /// Before the disk is so full that jobs are held up.
    @Test func partsMakeRoom() async throws {
        let room = Room()
        try await withCoordinator { configuration, _ in
            configuration.partsInterval = .milliseconds(20)
            configuration.tick = .milliseconds(20)
            configuration.space = { _ in DiskSpace(free: room.free, capacity: 1 << 40) }
        } _: { farm in
            let worker = try await farm.registerWorker()
            _ = try await work(farm, worker, on: try job(farm, ["a"]), keys: ["a"])
            #expect(try farm.store.parts(limit: 9).count == 1)
            room.free = (512 << 20) - 1
            #expect(try await farm.call("GET", "/readyz", as: nil).status == 200)
            try await waitUntil { try farm.store.parts(limit: 9).isEmpty }
        }
    }

    /// Also where all but a movie has room.
    @Test func partsMakeRoomForAMovie() async throws {
        let room = Room()
        try await withCoordinator { configuration, folder in
            configuration.partsInterval = .seconds(3600)
            configuration.tick = .milliseconds(20)
            let old = folder.path("artifacts/\(ContentDigest(of: data("a")).storePath)")
            configuration.space = { _ in
                let isThere = FileManager.default.fileExists(atPath: old)
                return DiskSpace(free: isThere ? room.free : 1 << 39, capacity: 1 << 40)
            }
        } _: { farm in
            let worker = try await farm.registerWorker()
            _ = try await work(farm, worker, on: try job(farm, ["a"]), keys: ["a"])
            // Ten bytes above the low-water mark.
            room.free = (256 << 20) + 10
            let next = try job(farm, ["b"])
            #expect(try await work(farm, worker, on: next, keys: ["b"]) == ["b"])
            #expect(try farm.store.job(next)?.state == .completed)
            #expect(try farm.store.parts(limit: 9).map(\.artifact) == [ContentDigest(of: data("b"))])
        }
    }

    @Test func partsAreRemovedAndWithdrawnByCommand() async throws {
        try await run { farm in
            let worker = try await farm.registerWorker()
            let keys = ["a", "b"]
            _ = try await work(farm, worker, on: try job(farm, keys), keys: keys)
            for body in ["{}", "{\"keepBytes\": -1}", "{\"keepBytes\": 1, \"worker\": \"x\"}"] {
                #expect(try await farm.call("POST", "/v1/parts:prune", body: body).status == 422, "\(body)")
            }
            for token in ["viewer", "editor", "worker"] {
                let answer = try await farm.post("/v1/parts:prune", PartPruning(keepBytes: 0), as: token)
                #expect(answer.status == 403, "\(token)")
                #expect(try await farm.post("/v1/parts:withdraw", PartWithdrawal(worker: "x"), as: token).status == 403)
            }
            // One job counts on "a": only the other part may be removed.
            let open = try farm.store.insertJob(FarmPieces.job(parts: 2, keys: ["a", "new"])).job.id
            try await waitUntil { try farm.store.job(open)?.tasks.taken == 1 }
            let removed = try await farm.post("/v1/parts:prune", PartPruning(keepBytes: 0), as: "admin")
                .decode(PartRemoval.self)
            #expect(removed.parts.map(\.artifact) == [ContentDigest(of: data("b"))])
            let withdrawn = try await farm.post("/v1/parts:withdraw", PartWithdrawal(worker: "bench"), as: "admin")
                .decode(PartRemoval.self)
            #expect(withdrawn.parts.count == 1 && withdrawn.tasks.count == 1)
            #expect(try farm.store.parts(limit: 9).isEmpty)
            #expect(try await work(farm, worker, on: open, keys: ["a", "new"]).sorted() == ["a", "new"])
        }
    }

    /// A farm that keeps no parts makes each task's own.
    @Test func withoutALimitNothingIsTaken() async throws {
        var policy = FarmPolicy()
        policy.keepsParts = false
        let store = InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(), clock: .system)
        let worker = try store.registerWorker(FarmPieces.registration).worker
        _ = try store.insertJob(FarmPieces.job(parts: 3, keys: ["a", "a", "a"]))
        let outcome = try store.acquireLeases([FarmPieces.poll(worker, wait: 0, capacity: 2)])
        guard case .granted(let grants) = outcome[0] else { throw CancellationError() }
        #expect(grants.count == 2)
        #expect(try await store.complete(grants[0].attempt, FarmPieces.completion(worker, data("a"))) == .accepted)
        #expect(try store.parts(limit: 9).isEmpty && store.offers(limit: 9).isEmpty)
    }

    /// Whoever pauses a job whose worker is gone for good holds up nobody who needs the same part.
    @Test func aPausedMakerWhoseWorkerIsGoneHoldsUpNobody() throws {
        let start = FarmTime(milliseconds: 1_700_000_000_000)
        let store = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .standing(at: start))
        func ask(_ worker: WorkerID) throws -> [LeaseGrant] {
            let outcome = try store.acquireLeases([FarmPieces.poll(worker, wait: 0, capacity: 9)])[0]
            guard case .granted(let grants) = outcome else { throw CancellationError() }
            return grants
        }
        let gone = try store.registerWorker(FarmPieces.registration).worker
        let other = try store.registerWorker(FarmPieces.registration).worker
        let paused = try store.insertJob(FarmPieces.job(parts: 1, keys: ["a"])).job.id
        _ = try store.sweep()
        #expect(try ask(gone).count == 1)
        let waiting = try store.insertJob(FarmPieces.job(owner: "other", parts: 1, keys: ["a"])).job.id
        #expect(try ask(other).isEmpty)
        _ = try store.control(paused, .pause)
        #expect(try ask(other).isEmpty, "the maker may still bring it")
        for second in 1...8 {
            store.setClock(start.adding(milliseconds: Int64(second) * 1000))
            _ = try store.sweep()
        }
        #expect(try ask(other).map(\.job) == [waiting])
    }

    /// What a worker made is withdrawn also where it is no part: the farm keeps none.
    @Test func whatAWorkerMadeIsWithdrawnWithoutParts() async throws {
        var policy = FarmPolicy()
        policy.keepsParts = false
        let store = InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(), clock: .system)
        try await withCoordinator { configuration, _ in
            configuration.store = store
            configuration.partsLimit = 0
        } _: { farm in
            let worker = try await farm.registerWorker()
            let open = try store.insertJob(FarmPieces.job(parts: 2, keys: ["a", "b"])).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let key = try #require(try store.tasks(of: open).first { $0.id == grant.task }).position == 0 ? "a" : "b"
            _ = try await farm.upload(data(key), to: "/v1/artifacts/\(ContentDigest(of: data(key)).hex)")
            let done = FarmPieces.completion(worker, data(key))
            #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", done).status == 200)
            #expect(try store.job(open)?.tasks.completed == 1)
            let withdrawn = try await farm.post("/v1/parts:withdraw", PartWithdrawal(worker: "bench"), as: "admin")
                .decode(PartRemoval.self)
            #expect(withdrawn.tasks == [grant.task])
            #expect(try store.job(open)?.tasks.completed == 0)
        }
    }

    /// What cannot be opened is in nobody's way: neither what was put there nor who makes the part anew.
    @Test(arguments: ["link", "folder"]) func whatCannotBeOpenedIsRenderedAgain(what: String) async throws {
        try await run { farm in
            let worker = try await farm.registerWorker()
            _ = try await work(farm, worker, on: try job(farm, ["a"]), keys: ["a"])
            let (path, elsewhere) = (path("a", farm), farm.folder.path("elsewhere"))
            try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
            if what == "link" {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
            } else {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            #expect(try await work(farm, worker, on: try job(farm, ["a"]), keys: ["a"]) == ["a"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data("a"))
            #expect(try farm.store.parts(limit: 9).count == 1)
        }
    }
}
