import Coordinator
import Foundation
import TestSupport
import Testing

@Suite struct TLSTests {
    @Test func aCertificateMakesItHTTPS() async throws {
        let folder = try TemporaryFolder()
        let (certificate, key) = (folder.path("certificate.pem"), folder.path("key.pem"))
        let made = try await Shell.run(
            "openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                + [
                    "-subj", "/CN=farm.test", "-addext", "subjectAltName=DNS:farm.test", "-keyout", key, "-out",
                    certificate,
                ]
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        try await withCoordinator { configuration, _ in
            configuration.tls = .init(certificate: certificate, privateKey: key)
        } _: { farm in
            let arguments = [
                "-sS", "-i", "--cacert", certificate, "--resolve", "farm.test:\(farm.port):127.0.0.1",
                "-H", "Content-Type: application/json", "-d", "{\"token\":\"\(farm.secret("viewer"))\"}",
                "https://farm.test:\(farm.port)/v1/session",
            ]
            let outcome = try await Shell.run("curl", arguments)
            let answer = try HTTPAnswer(outcome.output)
            #expect(answer.status == 201, "\(outcome.errors)")
            #expect(answer.headers["set-cookie"]?.contains("Secure") == true)
        }
    }

    @Test func aMissingCertificateIsAnErrorAtStart() async throws {
        await #expect(throws: (any Error).self) {
            try await RunningCoordinator.start { configuration, folder in
                configuration.tls = .init(certificate: folder.path("none.pem"), privateKey: folder.path("none.pem"))
            }
        }
    }
}
