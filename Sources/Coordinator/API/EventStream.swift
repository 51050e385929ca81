import Farm
import Foundation
import Hummingbird
import ServiceLifecycle
import Timing
import WireProtocol

/// The server-sent events of one client. The stream ends when the client leaves, at shutdown, with the session or the
/// token that asked for it, and for one job after its last event.
struct EventStream: Sendable {
    let store: any FarmStore
    let hub: ChangeHub
    /// The job whose events are sent; nil sends those of all jobs.
    let job: JobID?
    /// The time without an event after which a comment is sent, so that a client that has gone is noticed.
    let heartbeat: Duration
    let clock: any Clock<Duration>
    /// Whether the dashboard's session or the token that asked is over.
    let hasEnded: @Sendable () async throws -> Bool
    /// The time after which the session and the token are looked at again.
    static let sessionInterval: Duration = .seconds(5)

    /// Sends events until the stream ends.
    /// - Parameter sequence: the sequence of the last event that the client knows; 0 begins with the first.
    /// - Throws: ``FarmStoreError`` when the database does not answer, and what the connection throws.
    @concurrent
    func write(for request: Request, after sequence: Int64, to writer: inout any ResponseBodyWriter) async throws {
        do {
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await send(after: sequence, to: &writer)
            }
        } catch is CancellationError {
            // The client has gone, or the coordinator goes.
        }
        try await writer.finish(nil)
    }

    @concurrent
    private func send(after sequence: Int64, to writer: inout any ResponseBodyWriter) async throws {
        var sequence = sequence
        var silence = Stopwatch(on: clock)
        var known = Stopwatch(on: clock)
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
        for await _ in hub.changes().cancelOnGracefulShutdown() {
            if known.elapsed >= EventStream.sessionInterval {
                if try await hasEnded() { return }
                known.restart()
            }
            while true {
                let events = try await store.events(after: sequence, job: job, limit: 500)
                guard let last = events.last else { break }
                // The silence counts from the decision to write: what the client does next is no part of it.
                silence.restart()
                sequence = last.sequence
                try await writer.write(ByteBuffer(string: try events.map(EventStream.text).joined()))
                if events.contains(where: isEnd) { return }
            }
            if silence.elapsed >= heartbeat {
                silence.restart()
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
            }
        }
    }

    /// Whether the event is the last one of the job, or nobody knows whether another follows: a movie may be delivered later.
    private func isEnd(_ event: JobEvent) -> Bool {
        guard job != nil, event.task == nil else { return false }
        return JobState(rawValue: event.state)?.isFinal == true || event.state == JobEvent.delivered
    }

    private static func text(_ event: JobEvent) throws -> String {
        "id: \(event.sequence)\ndata: \(String(decoding: try WireJSON.encode(event), as: UTF8.self))\n\n"
    }
}
