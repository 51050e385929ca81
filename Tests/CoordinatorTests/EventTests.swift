import Farm
import Foundation
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct EventTests {
    private func events(_ text: String) throws -> [JobEvent] {
        try text.components(separatedBy: "\n").filter { $0.hasPrefix("data: ") }.map {
            try WireJSON.decode(JobEvent.self, from: Data($0.dropFirst(6).utf8))
        }
    }

    /// Listens to the events of all jobs until the stream ends.
    /// - Parameter header: the field that says who listens.
    private func listen(to farm: RunningCoordinator, as header: String, _ heard: HeardText) -> Task<Void, any Error> {
        let port = farm.port
        return Task {
            try await onThread {
                let connection = try RawConnection(port: port)
                connection.send("GET /v1/events HTTP/1.1\r\nHost: h\r\n\(header)\r\n\r\n")
                while heard.add(connection.receive()) {}
            }
        }
    }

    @Test func aJobsStreamTellsAllAndEnds() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            let (leased, hasLeased) = AsyncStream.makeStream(of: Void.self)
            let (port, token) = (farm.port, farm.secret("viewer"))
            async let stream = onThread {
                let connection = try RawConnection(port: port)
                let head = "Host: h\r\nAuthorization: Bearer \(token)\r\n\r\n"
                connection.send("GET /v1/jobs/\(job)/events HTTP/1.1\r\n" + head)
                let first = connection.receive(until: "\"leased\"")
                hasLeased.yield()
                return first + connection.receive(until: "\r\n0\r\n")
            }
            _ = try await farm.grants(FarmPieces.poll(worker, wait: 0))
            for await _ in leased { break }
            _ = try farm.store.cancel(job)
            let answer = try await stream
            #expect(answer.lowercased().contains("content-type: text/event-stream\r\n"))
            let all = try events(answer)
            #expect(all.first?.state == "queued" && all.last?.state == "cancelled" && all.last?.task == nil)
            #expect(all.map(\.sequence) == all.map(\.sequence).sorted() && Set(all.map(\.sequence)).count == all.count)
            #expect(answer.contains("id: \(all[0].sequence)\n"))
            // Resumed anywhere there is no gap and no repetition.
            for index in all.indices.dropLast() {
                let rest = try await farm.call(
                    "GET",
                    "/v1/jobs/\(job)/events",
                    as: "viewer",
                    headers: ["Last-Event-ID: \(all[index].sequence)"]
                )
                #expect(try events(rest.text) == Array(all[(index + 1)...]))
            }
            let over = try await farm.call(
                "GET",
                "/v1/jobs/\(job)/events?after=\(all.last?.sequence ?? 0)",
                as: "viewer"
            )
            #expect(over.status == 204)
            let wrong = try await farm.call("GET", "/v1/jobs/\(job)/events?after=x", as: "viewer")
            #expect(wrong.status == 400)
        }
    }

    /// Without a place to go on from, the farm's stream begins now; fifteen seconds of silence bring a comment.
    @Test func theFarmsStreamBeginsNow() async throws {
        let (clock, model) = (TestClock(), InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
        let store = StalledStore(model)
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
            configuration.store = store
        } _: { farm in
            for _ in 0..<5 { _ = try model.insertJob(FarmPieces.job()) }
            let heard = HeardText()
            let listening = listen(to: farm, as: "Authorization: Bearer \(farm.secret("viewer"))", heard)
            try await waitUntil { heard.text.contains("retry: 2000") }
            let job = try model.insertJob(FarmPieces.job()).job.id
            try await waitUntil { heard.text.contains("\(job)") }
            let first = try #require(heard.text.components(separatedBy: "data: ").dropFirst().first)
            #expect(first.contains("\(job)"))
            // The stream looks again every second.
            func turn(_ seconds: Int) async throws {
                for _ in 0..<seconds {
                    let looks = store.looks
                    try await clock.waitForSleep(of: .seconds(1))
                    clock.advance(by: .seconds(1))
                    try await waitUntil { store.looks > looks }
                }
            }
            for comments in 1...2 {
                try await turn(15)
                try await waitUntil { heard.count(of: ": still here\n\n") >= comments }
                // Fourteen seconds are too short. What comes in order behind an event came after all comments.
                try await turn(14)
                let next = try model.insertJob(FarmPieces.job()).job.id
                try await waitUntil { heard.text.contains("\(next)") }
                #expect(heard.count(of: ": still here\n\n") == comments)
            }
            try await farm.stop()
            try await listening.value
        }
    }

    /// Whoever signs out hears nothing any more, also through streams that are open.
    @Test func aStreamEndsWithItsSession() async throws {
        let (clock, model) = (TestClock(), InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
        let store = StalledStore(model)
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
            configuration.store = store
        } _: { farm in
            let body = #"{"token":"\#(farm.secret("admin"))"}"#
            let signedIn = try await farm.call("POST", "/v1/session", as: nil, body: body)
            let cookie = try #require(signedIn.headers["set-cookie"]?.split(separator: ";").first).description
            let csrf = try signedIn.decode(SignedIn.self).csrf
            let heard = HeardText()
            let listening = listen(to: farm, as: "Cookie: \(cookie)", heard)
            try await waitUntil { heard.text.contains("retry: 2000") }
            let headers = ["Cookie: \(cookie)", "X-CSRF-Token: \(csrf)"]
            #expect(try await farm.call("DELETE", "/v1/session", as: nil, headers: headers).status == 204)
            for _ in 0..<5 {
                try await clock.waitForSleep(of: .seconds(1))
                clock.advance(by: .seconds(1))
            }
            try await listening.value
            #expect(heard.text.hasSuffix("\r\n0\r\n\r\n"), "the stream ends as it should")
        }
    }

    /// The stream from its beginning holds what came before it was asked for.
    @Test func theFarmsStreamGoesOnFromAnEvent() async throws {
        try await withCoordinator { farm in
            let (port, token) = (farm.port, farm.secret("viewer"))
            for _ in 0..<5 { _ = try farm.store.insertJob(FarmPieces.job()) }
            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            let all = try await onThread {
                let connection = try RawConnection(port: port)
                let head = "Host: h\r\nAuthorization: Bearer \(token)\r\n\r\n"
                connection.send("GET /v1/events?after=0 HTTP/1.1\r\n" + head)
                return connection.receive(until: "\(job)")
            }
            #expect(all.components(separatedBy: "data: ").count >= 7)
        }
    }

    @Test func whoLeavesFreesTheStream() async throws {
        try await withCoordinator { configuration, _ in
            // Were a stream still held, the shutdown would not end.
            configuration.shutdownLimit = .seconds(86_400)
        } _: { farm in
            let (port, token) = (farm.port, farm.secret("viewer"))
            for _ in 0..<5 {
                let begun = try await onThread {
                    let connection = try RawConnection(port: port)
                    connection.send("GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\r\n")
                    return connection.receive(until: "retry: 2000")
                }
                #expect(begun.contains("retry: 2000"))
            }
            try await farm.stop()
        }
    }
}

/// What a page is told when it signs in.
private struct SignedIn: Decodable {
    var csrf: String
}

/// What a connection has said so far.
private final class HeardText: Sendable {
    private let kept = Mutex("")

    var text: String { kept.withLock(\.self) }

    /// - Returns: false for nothing, the end of a connection.
    func add(_ text: String) -> Bool {
        kept.withLock { $0 += text }
        return !text.isEmpty
    }

    func count(of words: String) -> Int { self.text.components(separatedBy: words).count - 1 }
}
