import CompositionModel
import Coordinator
import Foundation
import NIOCore
import TestSupport
import Testing
import WireProtocol

/// Clients that misbehave.
@Suite struct ConnectionTests {
    private let strict: @Sendable (inout CoordinatorConfiguration, TemporaryFolder) -> Void = { configuration, _ in
        configuration.limits.bodyWindow = .seconds(2)
        configuration.limits.stalledAnswer = .seconds(1)
        configuration.limits.idle = .seconds(3)
        configuration.limits.linger = .milliseconds(300)
    }

    /// On a thread of its own: raw sockets block.
    private func raw<Value: Sendable>(
        _ farm: RunningCoordinator,
        _ talk: @escaping @Sendable (RawConnection) throws -> Value
    ) async throws -> Value {
        let port = farm.port
        return try await onThread { try talk(RawConnection(port: port)) }
    }

    @Test(arguments: ["", "Host: a\r\nHost: b\r\n", "Host: \r\n"])
    func exactlyOneHost(_ hosts: String) async throws {
        try await withCoordinator { farm in
            let answer = try await raw(farm) { connection in
                connection.send("GET /healthz HTTP/1.1\r\n\(hosts)\r\n")
                return connection.receive()
            }
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("bad_host"))
        }
    }

    @Test func aBodyThatTricklesIsCutOff() async throws {
        try await withCoordinator(strict) { farm in
            let head = """
                PUT /v1/artifacts/\(AccessTests.sha) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(farm.secret("worker"))\r
                Content-Length: 1000000\r\n\r\n
                """
            let survived = try await raw(farm) { connection in
                connection.send(head)
                // Far less than the limit asks for; all of it would take hours.
                var count = 0
                while connection.send("x"), count < 1_000_000 {
                    usleep(50_000)
                    count += 1
                }
                return count == 1_000_000
            }
            #expect(!survived)
            let incoming = farm.folder.path("artifacts/incoming")
            try await waitUntil { try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty }
        }
    }

    /// A connection that ends before the announced bytes have come: the client is told so, and nothing stays.
    @Test func aBodyThatBreaksOffIsNotTaken() async throws {
        try await withCoordinator { farm in
            let data = Data("whole".utf8)
            let path = "/v1/artifacts/\(ContentDigest(of: data).hex)"
            let head = "PUT \(path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(farm.secret("worker"))\r\n"
            // The bytes are those of the digest: only their announced number tells that more were meant.
            let answer = try await raw(farm) { connection in
                connection.send(head + "Content-Length: 9\r\n\r\nwhole")
                connection.finishSending()
                return connection.receive()
            }
            #expect(!answer.contains("201"), "\(answer)")
            #expect(try await farm.call("HEAD", path, as: "worker").status == 404)
            let incoming = farm.folder.path("artifacts/incoming")
            try await waitUntil { try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty }
        }
    }

    @Test func anAnswerThatNobodyReadsIsCutOff() async throws {
        try await withCoordinator { configuration, _ in
            configuration.limits.stalledAnswer = .seconds(1)
        } _: { farm in
            let data = Data(count: 64 << 20)
            let path = "/v1/artifacts/\(ContentDigest(of: data).hex)"
            _ = try await farm.upload(data, to: path)
            let request = "GET \(path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(farm.secret("worker"))\r\n\r\n"
            let got = try await raw(farm) { connection in
                connection.shrinkReceiveBuffer()
                connection.send(request)
                // Once the other side has closed, what is sent is answered with a reset; the end of the connection
                // itself would be told only behind the bytes that nobody reads.
                while connection.send("x") { usleep(50_000) }
                return connection.drain()
            }
            #expect(got < 64 << 20)
        }
    }

    @Test func aSilentConnectionIsClosed() async throws {
        try await withCoordinator(strict) { farm in
            let got = try await raw(farm) { connection in
                connection.send("GET /healthz HT")
                return connection.drain()
            }
            #expect(got == 0)
        }
    }

    /// A large body that is refused by its head: the answer comes, and the rest is not waited for.
    @Test func aRefusedBodyIsNotTaken() async throws {
        try await withCoordinator { farm in
            // The last call ends with the connection.
            let answer = try await raw(farm) { connection in
                connection.send(
                    "PUT /v1/artifacts/\(AccessTests.sha) HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\nabc"
                )
                let answer = connection.receive(until: "\"unauthorized\"")
                _ = connection.drain()
                return answer
            }
            #expect(answer.hasPrefix("HTTP/1.1 401") && answer.lowercased().contains("connection: close"))
        }
    }

    /// A client that only looks for an answer once all is sent, over a slow line: it gets to send all and finds the
    /// answer.
    @Test func whoSendsOnAfterARefusalReadsIt() async throws {
        try await withCoordinator { configuration, _ in
            configuration.limits.linger = .milliseconds(200)
        } _: { farm in
            let (chunk, count) = (String(repeating: "x", count: 64 << 10), 20)
            let (sent, answer) = try await raw(farm) { connection in
                let length = "Content-Length: \(chunk.utf8.count * count)"
                connection.send("PUT /v1/artifacts/\(AccessTests.sha) HTTP/1.1\r\nHost: h\r\n\(length)\r\n\r\n")
                let sent = (0..<count).prefix { _ in
                    usleep(50_000)
                    return connection.send(chunk)
                }
                return (sent.count, connection.receive(until: "\"unauthorized\""))
            }
            #expect(sent == count)
            #expect(answer.hasPrefix("HTTP/1.1 401"))
        }
    }

    /// What is thrown away of a refused body has an end.
    @Test func aRefusedBodyIsNotReadForEver() async throws {
        try await withCoordinator { configuration, _ in
            configuration.limits.linger = .milliseconds(50)
            configuration.limits.droppedBytes = 1 << 20
        } _: { farm in
            let chunk = String(repeating: "x", count: 64 << 10)
            try await raw(farm) { connection in
                let length = "Content-Length: 99999999999"
                connection.send("PUT /v1/artifacts/\(AccessTests.sha) HTTP/1.1\r\nHost: h\r\n\(length)\r\n\r\n")
                while connection.send(chunk) {}
            }
        }
    }

    @Test func aClientThatAsksFirstIsInvitedAtOnce() async throws {
        try await withCoordinator { farm in
            let data = Data("invited".utf8)
            let path = "/v1/artifacts/\(ContentDigest(of: data).hex)"
            let head = "PUT \(path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(farm.secret("worker"))\r\n"
            let (invitation, answer) = try await raw(farm) { connection in
                connection.send(head + "Content-Length: 7\r\nExpect: 100-continue\r\n\r\n")
                let invitation = connection.receive(until: "\r\n\r\n")
                connection.send("invited")
                return (invitation, connection.receive())
            }
            #expect(invitation == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            // Who may not send is told before he sends.
            let refused = try await raw(farm) { connection in
                connection.send("PUT \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\n")
                return connection.receive()
            }
            #expect(refused.hasPrefix("HTTP/1.1 401"))
        }
    }

    /// Polls, streams and silent connections end with the coordinator, and not by its limit.
    @Test func shutdownEndsWhateverIsOpen() async throws {
        let clock = TestClock()
        let farm = try await RunningCoordinator.start { configuration, _ in
            configuration.clock = clock
            configuration.shutdownLimit = .seconds(86_400)
        }
        let poll = try WireJSON.encode(FarmPieces.poll(try await farm.registerWorker(), wait: 19_000))
        let (opened, hasOpened) = AsyncStream.makeStream(of: Void.self)
        let credentials = "Host: h\r\nAuthorization: Bearer \(farm.secret("admin"))\r\n"
        async let polled = raw(farm) { connection in
            let head = "POST /v1/leases:poll HTTP/1.1\r\n\(credentials)Content-Type: application/json\r\n"
            connection.send(head + "Content-Length: \(poll.count)\r\n\r\n" + String(decoding: poll, as: UTF8.self))
            return connection.receive(until: "grants")
        }
        async let streamed = raw(farm) { connection in
            connection.send("GET /v1/events HTTP/1.1\r\n\(credentials)\r\n")
            let begun = connection.receive(until: "retry")
            hasOpened.yield()
            _ = connection.drain()
            return begun
        }
        async let idle = raw(farm) { connection in
            connection.send("GET /healthz HTTP/1.1\r\n\(credentials)\r\n")
            let answer = connection.receive(until: "}")
            hasOpened.yield()
            _ = connection.drain()
            return answer
        }
        for await _ in opened.prefix(2) {}
        try await clock.waitForSleep(of: .seconds(19))
        try await farm.stop()
        #expect(try await polled.contains("{\"grants\":[]}"))
        #expect(try await streamed.contains("retry"))
        #expect(try await idle.hasPrefix("HTTP/1.1 200"))
    }
}
