import CompositionModel
import Farm
import Foundation
import Hummingbird
import Timing
import WireProtocol

/// What people look at of jobs beside their state: counts of a list, the edit as a timeline, and the throughput.
struct JobInsightRoutes: RouteGroup {
    let store: any FarmStore
    let drawing: TrackDrawing

    func add(to table: RouteTable) {
        table.on(.get, "/v1/jobs:summary", .view) { request, _ in
            let filter = try JobFilter(request)
            return try await .json(store.summary(owner: filter.owner, search: filter.search))
        }
        table.on(.get, "/v1/jobs/{id}/tracks", .view) { request, context in
            let (owner, job) = (try context.require([.view]).owner, try context.identifier() as JobID)
            if let drawn = await drawing.drawn(job) { return Self.answer(drawn) }
            return try await request.answeringUnlessTheClientLeaves { _ in
                Self.answer(try await drawing.tracks(of: job, for: owner))
            }
        }
        table.on(.get, "/v1/jobs/{id}/history", .view) { _, context in
            try .json(try await history(of: context.job(in: store).id))
        }
    }

    private static func answer(_ json: Data) -> Response {
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: json))
        return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
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
