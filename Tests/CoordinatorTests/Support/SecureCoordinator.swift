import Coordinator
import Foundation
import NIOCore
import TestSupport

/// A running coordinator that speaks HTTPS, and its clients.
struct SecureCoordinator: Sendable {
    let plain: RunningCoordinator
    let credentials: TestCredentials
    let log: KeptLog

    /// - Parameter token: of whom, by scope; nil sends none.
    func curl(_ path: String, _ arguments: [String], as token: String? = nil) async throws -> Shell.Outcome {
        let peer = ["--cacert", credentials.certificate, "--resolve", "farm.test:\(plain.port):127.0.0.1"]
        let authorization = token.map { ["-H", "Authorization: Bearer \(plain.secret($0))"] } ?? []
        let common = ["-sS", "-H", "Expect:"]
        return try await Shell.run(
            "curl",
            common + peer + authorization + arguments + ["https://farm.test:\(plain.port)\(path)"]
        )
    }

    /// What one of the clients of tls_clients.py was answered.
    func misbehave(_ client: String, _ request: String) async throws -> String {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Oracles/tls_clients.py").path
        let outcome = try await Shell.run(
            "python3",
            ["-W", "ignore", script, client, "\(plain.port)", credentials.certificate, request]
        )
        guard outcome.exitCode == 0 else { throw CurlFailed(description: "\(client): \(outcome.errors)") }
        return outcome.text
    }
}

/// Starts a coordinator with a certificate for `farm.test`, runs `body`, stops it also when that throws.
/// - Parameter handshake: the real time that a handshake may take; by default more than any test waits.
func withSecureCoordinator(
    handshake: TimeAmount = .hours(24),
    _ body: (SecureCoordinator) async throws -> Void
) async throws {
    let (credentials, log) = (try await TestCredentials(), KeptLog())
    try await withCoordinator { configuration, _ in
        configuration.tls = .init(certificate: credentials.certificate, privateKey: credentials.key)
        configuration.limits.handshake = handshake
        configuration.logger = log.logger
    } _: { farm in
        try await body(SecureCoordinator(plain: farm, credentials: credentials, log: log))
    }
}
