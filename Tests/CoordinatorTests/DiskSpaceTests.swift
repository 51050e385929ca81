import CompositionModel
import Coordinator
import Farm
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

/// A disk that is nearly full: the farm pauses while there still is some room, and goes on by itself.
@Suite struct DiskSpaceTests {
    private let room = Room()
    private static let reserve: Int64 = 256 << 20

    private func run(_ body: (RunningCoordinator) async throws -> Void) async throws {
        try await withCoordinator { configuration, _ in
            configuration.space = { [room] _ in DiskSpace(free: room.free, capacity: 1 << 40) }
        } _: { farm in
            try await body(farm)
        }
    }

    @Test func theMarkIsSmallOnSmallDisks() {
        #expect(DiskSpace(free: 0, capacity: 1 << 40).reserve == 256 << 20)
        #expect(DiskSpace(free: 0, capacity: 64 << 20).reserve == 1 << 20)
        #expect(DiskSpace.of("/")?.capacity ?? 0 > 0 && DiskSpace.of("/no-such-folder") == nil)
    }

    /// It is told before the disk is full, and an asset that would fill it is refused before it is taken.
    @Test func aDiskThatIsNearlyFullIsToldAndSpared() async throws {
        try await run { farm in
            let data = Data(count: 1000)
            let path = "/v1/assets/\(ContentDigest(of: data).hex)"
            for free in [5, Self.reserve - 1, Self.reserve, Self.reserve + 999] {
                room.free = free
                let refused = try await farm.upload(data, to: path, as: "editor")
                #expect(refused.status == 507 && refused.code == "no_space", "\(free): \(refused.text)")
                let readiness = try await farm.call("GET", "/readyz", as: nil)
                #expect(readiness.status == (free < Self.reserve ? 503 : 200), "\(free): \(readiness.text)")
                #expect(free >= Self.reserve || readiness.code == "no_space")
                #expect(try await farm.call("GET", "/healthz", as: nil).status == 200)
            }
            room.free = Self.reserve + 1000
            #expect(try await farm.upload(data, to: path, as: "editor").status == 201)
        }
    }

    /// The reserve is for what is under way.
    @Test func aPartMayUseTheReserve() async throws {
        try await run { farm in
            let data = Data("a part".utf8)
            let path = "/v1/artifacts/\(ContentDigest(of: data).hex)"
            room.free = 5
            let refused = try await farm.upload(data, to: path)
            #expect(refused.status == 507)
            room.free = 6
            let taken = try await farm.upload(data, to: path)
            #expect(taken.status == 201)
        }
    }

    /// The length is not announced.
    @Test func aBodyInChunksIsStoppedOnItsWay() async throws {
        try await run { farm in
            let data = Data(count: 3 << 20)
            let file = farm.folder.path("chunks")
            try data.write(to: URL(fileURLWithPath: file))
            room.free = Self.reserve + (1 << 19)
            let answer = try await farm.call(
                "PUT",
                "/v1/assets/\(ContentDigest(of: data).hex)",
                as: "editor",
                headers: ["Transfer-Encoding: chunked"],
                extra: ["-T", file]
            )
            #expect(answer.status == 507 && answer.code == "no_space", "\(answer.text)")
            let incoming = farm.folder.path("artifacts/incoming")
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
        }
    }

    /// Nothing begins, whoever asks sees why, and what a worker holds already it still gets. Then all goes on.
    @Test func jobsAreOnHoldUntilThereIsRoom() async throws {
        try await run { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let first = FarmPieces.poll(worker, wait: 0)
            let held = try await farm.grants(first)
            #expect(held.count == 1)
            room.free = 10 << 20
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 100)).isEmpty)
            #expect(try await farm.grants(first).map(\.attempt) == held.map(\.attempt), "its answer was lost")
            let view = try await farm.call("GET", "/v1/jobs/\(job)").decode(JobView.self)
            #expect(view.onHold?.contains("10 MiB are free and 256 MiB are needed") == true, "\(view)")
            #expect(try await farm.call("GET", "/v1/jobs").decode([JobView].self).map(\.onHold) == [view.onHold])
            // The poll waits, and is answered once there is room, without anybody's doing.
            async let next = farm.grants(FarmPieces.poll(worker, wait: 30_000))
            room.free = 1 << 40
            #expect(try await next.count == 1)
            #expect(try await farm.call("GET", "/v1/jobs/\(job)").decode(JobView.self).onHold == nil)
        }
    }

    /// A movie for which there is no room is not begun; the job waits, however often it was tried.
    @Test func aMovieWaitsForRoom() async throws {
        try await withCoordinator { configuration, _ in
            configuration.space = { [room] _ in DiskSpace(free: room.free, capacity: 1 << 40) }
        } _: { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 1000)).first)
            let part = FarmPieces.part("a part")
            let path = "/v1/artifacts/\(ContentDigest(of: part).hex)"
            #expect(try await farm.upload(part, to: path).status == 201)
            room.free = Self.reserve + 10
            let completion = FarmPieces.completion(worker, part)
            #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", completion).status == 200)
            let tries = { try farm.store.tasks(of: job).flatMap(\.attempts).filter { $0.failure?.code == "no_space" } }
            try await waitUntil { try tries().count >= 2 }
            #expect(try tries().allSatisfy { $0.failure?.message.contains("nearly full") == true })
            room.free = 1 << 40
            try await waitUntil { try farm.store.job(job)?.state.isFinal == true }
            #expect(try farm.store.job(job)?.state == .completed)
        }
    }

    /// Where things lie on the coordinator's host is its own affair.
    @Test func problemsNameNoPaths() async throws {
        let log = KeptLog()
        try await withCoordinator { configuration, _ in
            configuration.logger = log.logger
        } _: { farm in
            try FileManager.default.removeItem(atPath: farm.folder.path("artifacts/incoming"))
            let data = Data("a part".utf8)
            let failed = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            #expect(failed.status == 500 && failed.code == "storage_failed", "\(failed.text)")
            #expect(!failed.text.contains(farm.folder.url.path), "\(failed.text)")
            let said = log.lines.compactMap { $0.metadata["error"] }
            #expect(said.contains { $0.contains(farm.folder.url.path) }, "the log says where")
        }
    }
}
