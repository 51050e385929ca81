import CompositionModel
import Farm
import Foundation
import Hummingbird
import Timing
import WireProtocol

/// What people look at of jobs beside their state: counts of a list, the edit as a timeline, and the throughput.
struct JobInsightRoutes: RouteGroup {
    let store: any FarmStore

    /// The largest composition of which the tracks are drawn, in bytes: decoding takes about forty times as much memory.
    private static let largestComposition = 4 << 20

    func add(to table: RouteTable) {
        table.on(.get, "/v1/jobs:summary", .view) { request, _ in
            let filter = try JobFilter(request)
            return try await .json(store.summary(owner: filter.owner, search: filter.search))
        }
        table.on(.get, "/v1/jobs/{id}/tracks", .view) { _, context in
            try .json(try await tracks(of: context.job(in: store)))
        }
        table.on(.get, "/v1/jobs/{id}/history", .view) { _, context in
            try .json(try await history(of: context.job(in: store).id))
        }
    }

    private func tracks(of job: JobView) async throws -> JobTracks {
        @Sendable func none(_ reason: String) -> JobTracks {
            JobTracks(frameRate: job.frameRate, frameCount: job.frameCount, tracks: [], omitted: reason)
        }
        guard job.isPruned != true else { return none("The edit is no longer kept.") }
        var document = try await StoredDocument(.composition, of: job.id, in: store)
        guard document.byteCount <= Self.largestComposition else {
            return none("The edit is too large to be drawn: \(document.byteCount >> 20) MiB.")
        }
        var text = Data()
        while let slice = try await document.next() { text += slice }
        return try await computing { [text] in
            guard let composition = try? JSONDecoder().decode(Composition.self, from: text) else {
                return none("The edit was stored by another version, and cannot be drawn.")
            }
            return EditTracks(composition, of: job).tracks
        }
    }

    /// Reads the tasks in pages, so that no more than a page is in memory.
    private func history(of job: JobID) async throws -> JobHistory {
        var history = ThroughputHistory(now: try await store.now().date)
        var first = 0
        while true {
            let page = try await store.tasks(of: job, from: first, limit: 500)
            for task in page { history.add(task) }
            guard page.count == 500, let last = page.last else { break }
            first = last.position + 1
        }
        return history.history
    }
}
