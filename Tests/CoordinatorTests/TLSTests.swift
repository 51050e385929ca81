import CompositionModel
import Coordinator
import Foundation
import NIOCore
import Storage
import TLS
import TestSupport
import Testing

/// HTTPS with real clients: curl, openssl, and some that misbehave (Tests/Oracles/tls_clients.py).
@Suite struct TLSTests {
    @Test func aCertificateMakesItHTTPS() async throws {
        try await withSecureCoordinator { farm in
            let body = "{\"token\":\"\(farm.plain.secret("viewer"))\"}"
            let outcome = try await farm.curl(
                "/v1/session",
                ["-i", "-H", "Content-Type: application/json", "-d", body]
            )
            let answer = try HTTPAnswer(outcome.output)
            #expect(answer.status == 201, "\(outcome.errors)")
            #expect(answer.headers["set-cookie"]?.contains("Secure") == true)
        }
    }

    @Test func aMissingCertificateIsAnErrorAtStart() async throws {
        let error = await #expect(throws: CredentialsError.self) {
            try await RunningCoordinator.start { configuration, folder in
                configuration.tls = .init(certificate: folder.path("none.pem"), privateKey: folder.path("none.pem"))
            }
        }
        #expect(error?.description.hasSuffix("none.pem cannot be read: No such file or directory.") == true)
    }

    @Test(arguments: ["1.2", "1.3"]) func largeBodiesArriveWhole(version: String) async throws {
        try await withSecureCoordinator { farm in
            let (sent, received) = (farm.plain.folder.path("sent"), farm.plain.folder.path("received"))
            _ = try await Shell.run("sh", ["-c", "head -c \(64 << 20) /dev/urandom > \(sent)"])
            let digest = try await FileDigest.of(sent).digest
            let path = "/v1/artifacts/\(digest.hex)"
            let versions = ["--tls-max", version] + (version == "1.3" ? ["--tlsv1.3"] : [])
            let up = try await farm.curl(path, versions + ["-w", "%{http_code}", "-T", sent], as: "worker")
            #expect(up.text.hasSuffix("201"), "\(up.errors)")
            let down = try await farm.curl(path, versions + ["-o", received], as: "worker")
            #expect(down.exitCode == 0, "\(down.errors)")
            #expect(try await FileDigest.of(received).digest == digest)
        }
    }

    @Test func fiftyAreServedAtATime() async throws {
        try await withSecureCoordinator { farm in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 { group.addTask { try await farm.curl("/healthz", ["-w", "%{http_code}"]).text } }
                for try await text in group { #expect(text.hasSuffix("200")) }
            }
        }
    }

    @Test(arguments: [("h2,http/1.1", "ALPN protocol: http/1.1"), ("h2", "no application protocol")])
    func http1IsNegotiated(offered: String, said: String) async throws {
        try await withSecureCoordinator { farm in
            let words = ["s_client", "-connect", "127.0.0.1:\(farm.plain.port)", "-alpn", offered]
            let outcome = try await Shell.run("sh", ["-c", "openssl \(words.joined(separator: " ")) </dev/null"])
            #expect((outcome.text + outcome.errors).contains(said))
        }
    }

    /// How each of them is answered, and what the log says of it.
    @Test(
        arguments: [
            ("trickle", "HTTP/1.1 200 OK", "[close_notify]", nil),
            ("half-close", "HTTP/1.1 200 OK", "[close_notify]", nil),
            ("corrupt", "", "[SSLError]", "The TLS connection broke: decryption failed or bad record mac."),
            ("garbage", "", "[end]", "The TLS handshake failed: wrong version number."),
            ("stall", "", "[end]", "The client did not complete the TLS handshake in time."),
            ("vanish", "", "[gone]", nil),
            ("old", "[refused]", "", "The TLS handshake failed: unsupported protocol."),
        ] as [(String, String, String, String?)]
    )
    func clientsThatMisbehave(client: String, begins: String, ends: String, logged: String?) async throws {
        try await withSecureCoordinator(handshake: client == "stall" ? .seconds(1) : .hours(24)) { farm in
            let answer = try await farm.misbehave(
                client,
                "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.hasPrefix(begins) && answer.hasSuffix(ends), "\(answer)")
            if let logged { #expect(farm.log.lines.contains { $0.message == logged }, "\(farm.log.lines)") }
            let next = try await farm.curl("/healthz", ["-w", "%{http_code}"])
            #expect(next.text.hasSuffix("200"), "the next one is served")
        }
    }

    /// A body that ends with the connection instead of `close_notify` is not taken for whole, whatever was announced.
    @Test func aTruncatedBodyIsNoBody() async throws {
        try await withSecureCoordinator { farm in
            let head = """
                PUT /v1/artifacts/\(ContentDigest(of: Data("abc".utf8)).hex) HTTP/1.1\r
                Host: h\r\nAuthorization: Bearer \(farm.plain.secret("worker"))\r\nTransfer-Encoding: chunked\r\n\r
                3\r\nabc\r\n
                """
            let answer = try await farm.misbehave("cut", head)
            #expect(!answer.contains("201"), "\(answer)")
            let incoming = farm.plain.folder.path("artifacts/incoming")
            try await waitUntil {
                try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty
            }
        }
    }
}
