import Farm
import Foundation
import Hummingbird
import Logging
import Storage
import WireProtocol

/// The streams of events, of one job and of all.
struct EventRoutes: RouteGroup {
    let store: any FarmStore
    let tokens: KnownTokens
    let hub: ChangeHub
    /// The silence after which a stream sends a comment.
    let heartbeat: Duration
    let clock: any Clock<Duration>
    /// The time of day.
    let now: @Sendable () -> Date

    func add(to table: RouteTable) {
        table.on(.get, "/v1/events", .view, query: ["after"]) { request, context in
            let resumed = try request.lastEventID()
            let after = if let resumed { resumed } else { try await store.lastEvent() }
            return events(request, context, of: nil, after: after)
        }
        table.on(.get, "/v1/jobs/{id}/events", .view, query: ["after"]) { request, context in
            let job = try await context.job(in: store)
            let after = try request.lastEventID() ?? 0
            // A browser connects again when a stream ends; 204 tells it not to (HTML, “Server-sent events”, §9.2.3).
            if job.state.isFinal, try await store.events(after: after, job: job.id, limit: 1).isEmpty {
                return .noContent
            }
            return events(request, context, of: job.id, after: after)
        }
    }

    /// An answer that streams the events behind `sequence`.
    private func events(
        _ request: Request,
        _ context: FarmRequestContext,
        of job: JobID?,
        after sequence: Int64
    ) -> Response {
        let session = context.isCookieSession ? context.session : nil
        let stream = EventStream(store: store, hub: hub, job: job, heartbeat: heartbeat, clock: clock) {
            if let principal = context.principal, try await !tokens.isValid(principal) { return true }
            guard let session else { return false }
            guard Int64(now().timeIntervalSince1970) < session.expires else { return true }
            return try await store.hasEnded(session.name)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close"],
            body: ResponseBody { writer in
                try await stream.write(for: request, after: sequence, to: &writer)
            }
        )
    }
}

extension Request {
    /// The sequence behind which a stream goes on: from the header that browsers send, or from `?after=`; nil when
    /// neither is there.
    /// - Throws: status 400 for anything but a number.
    fileprivate func lastEventID() throws(Problem) -> Int64? {
        guard let text = headers[.lastEventID] ?? uri.queryParameters["after"].map(String.init) else { return nil }
        guard let sequence = Int64(text), sequence >= 0 else {
            throw .parameter("after", text, "the id of an event, a whole number from 0 on; so must Last-Event-ID")
        }
        return sequence
    }
}
