import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Jobs are found by state, owner, words of the title and the beginning of their identifier.
@Suite struct JobListTests {
    private func titles(_ farm: RunningCoordinator, _ query: String) async throws -> [String] {
        try await farm.call("GET", "/v1/jobs?" + query, as: "viewer").decode([JobView].self).map(\.title).sorted()
    }

    @Test func jobsAreFiltered() async throws {
        try await withCoordinator { farm in
            let first = try farm.store.insertJob(FarmPieces.job(title: "Harbour v1.json")).job.id
            let second = try farm.store.insertJob(FarmPieces.job(owner: "other", title: "harbour_v2.json")).job.id
            _ = try farm.store.insertJob(FarmPieces.job(title: "market 100%.json"))
            _ = try farm.store.cancel(first)
            #expect(try await titles(farm, "search=HARBOUR") == ["Harbour v1.json", "harbour_v2.json"])
            #expect(try await titles(farm, "search=harbour&state=cancelled") == ["Harbour v1.json"])
            #expect(try await titles(farm, "search=harbour&owner=other") == ["harbour_v2.json"])
            #expect(try await titles(farm, "search=100%25") == ["market 100%.json"])
            #expect(try await titles(farm, "search=_v") == ["harbour_v2.json"])
            #expect(try await titles(farm, "id=\(second)") == ["harbour_v2.json"])
            #expect(try await titles(farm, "id=job_\(second.uuid.uuidString.prefix(2))&limit=9").count == 3)
            #expect(try await farm.call("GET", "/v1/jobs?id=xyz", as: "viewer").status == 400)
        }
    }

    /// More tasks than are read at a time come in one array, in order, each once.
    @Test(arguments: [499, 500, 1001]) func tasksComeInPages(count: Int) async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job(parts: count - 1)).job.id
            let tasks = try await farm.call("GET", "/v1/jobs/\(job)/tasks", as: "viewer").decode([TaskView].self)
            #expect(tasks.map(\.position) == Array(0..<count))
            #expect(try tasks == farm.store.tasks(of: job))
        }
    }
}
