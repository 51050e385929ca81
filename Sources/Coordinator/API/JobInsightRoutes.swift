import Farm
import Foundation
import Hummingbird
import WireProtocol

/// What people look at of jobs beside their state: counts of a list, the edit as a timeline, and the throughput.
struct JobInsightRoutes: RouteGroup {
    let store: any FarmStore
    let drawing: TrackDrawing
    let histories: ThroughputHistories

    func add(to table: RouteTable) {
        table.on(.get, "/v1/jobs:summary", .view, query: ["owner", "search"]) { request, _ in
            let filter = try JobFilter(request)
            return try await .json(store.summary(owner: filter.owner, search: filter.search))
        }
        table.on(.get, "/v1/jobs/{id}/tracks", .view) { request, context in
            let (owner, job) = (try context.require([.view]).owner, try context.identifier() as JobID)
            if let drawn = await drawing.drawn(job) { return .encoded(drawn) }
            return try await request.answeringUnlessTheClientLeaves { _ in
                .encoded(try await drawing.tracks(of: job, for: owner))
            }
        }
        table.on(.get, "/v1/jobs/{id}/history", .view) { _, context in
            let job: JobID = try context.identifier()
            let history = try await histories.history(of: job)
            // Only a job of which nothing was rendered may be unknown.
            if history.samples.isEmpty { _ = try await context.job(in: store) }
            return try .json(history)
        }
    }
}
