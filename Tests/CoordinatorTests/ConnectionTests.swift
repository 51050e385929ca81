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
                for _ in 0..<1_000_000 {
                    if !connection.send("x") { return false }
                    usleep(50_000)
                }
                return true
            }
            #expect(!survived)
            let incoming = farm.folder.path("artifacts/incoming")
            #expect(try await farm.eventually { try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty })
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
            let isClosed = try await raw(farm) { connection in
                connection.shrinkReceiveBuffer()
                connection.send(request)
                sleep(4)
                // Closed on the other side: what is sent now is answered with a reset.
                return (0..<50).contains { _ in
                    usleep(50_000)
                    return !connection.send("x")
                }
            }
            #expect(isClosed)
        }
    }

    @Test func aSilentConnectionIsClosed() async throws {
        try await withCoordinator(strict) { farm in
            let ended = try await raw(farm) { connection in
                connection.send("GET /healthz HT")
                return connection.drain() != nil
            }
            #expect(ended)
        }
    }

    /// A large body that is refused by its head: the answer comes, and the rest is not waited for.
    @Test func aRefusedBodyIsNotTaken() async throws {
        try await withCoordinator { farm in
            let answer = try await raw(farm) { connection in
                connection.send(
                    "PUT /v1/artifacts/\(AccessTests.sha) HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\nabc"
                )
                let answer = connection.receive(until: "\"unauthorized\"")
                return (answer, connection.drain())
            }
            #expect(answer.0.hasPrefix("HTTP/1.1 401") && answer.0.lowercased().contains("connection: close"))
            #expect(answer.1 != nil, "the connection ends")
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

    /// Polls, streams and silent connections end with the coordinator. What it did not end would be broken off at its
    /// limit, before the poll's own time is up: then the poll would have no answer.
    @Test func shutdownEndsWhateverIsOpen() async throws {
        let farm = try await RunningCoordinator.start { configuration, _ in configuration.shutdownLimit = .seconds(20) }
        let poll = try WireJSON.encode(FarmPieces.poll(try await farm.registerWorker(), wait: 25_000))
        let credentials = "Host: h\r\nAuthorization: Bearer \(farm.secret("admin"))\r\n"
        async let polled = raw(farm) { connection in
            let head = "POST /v1/leases:poll HTTP/1.1\r\n\(credentials)Content-Type: application/json\r\n"
            connection.send(head + "Content-Length: \(poll.count)\r\n\r\n" + String(decoding: poll, as: UTF8.self))
            return connection.receive(until: "grants")
        }
        async let streamed = raw(farm) { connection in
            connection.send("GET /v1/events HTTP/1.1\r\n\(credentials)\r\n")
            return connection.receive(until: "retry") + "\(connection.drain() ?? -1)"
        }
        async let idle = raw(farm) { connection in
            connection.send("GET /healthz HTTP/1.1\r\n\(credentials)\r\n")
            return connection.drain() != nil
        }
        try await Task.sleep(for: .seconds(1))
        try await farm.stop()
        #expect(try await polled.contains("{\"grants\":[]}"))
        #expect(try await !streamed.hasSuffix("-1"))
        #expect(try await idle)
    }
}
