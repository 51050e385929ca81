import Foundation
import TLS
import TestSupport
import Testing

/// Certificates and keys that a server cannot use: one sentence each, which names the file.
@Suite struct CredentialsTests {
    private func refusal(_ certificate: String, _ key: String) -> String? {
        do {
            _ = try ServerContext(certificateFile: certificate, keyFile: key)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aCertificateAndItsKeyAreTaken() async throws {
        let credentials = try await TestCredentials()
        #expect(refusal(credentials.certificate, credentials.key) == nil)
    }

    @Test func whatIsNoCertificateIsNamed() async throws {
        let credentials = try await TestCredentials()
        let (certificate, key) = (credentials.certificate, credentials.key)
        let missing = credentials.folder.path("missing.pem")
        #expect(refusal(missing, key) == "The certificate \(missing) cannot be read: No such file or directory.")
        #expect(
            refusal(certificate, missing) == "The private key \(missing) cannot be read: No such file or directory."
        )
        #expect(refusal(key, key) == "The file \(key) holds no certificate in PEM.")
        #expect(refusal(certificate, certificate) == "The file \(certificate) holds no private key in PEM.")
        let cut = credentials.folder.path("cut.pem")
        let secret = try String(contentsOfFile: key, encoding: .utf8)
        let lines = secret.split(separator: "\n")
        try Data((lines.prefix(3) + lines.suffix(1)).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: cut))
        #expect(refusal(certificate, cut)?.hasPrefix("The private key in \(cut) is damaged, or of a kind ") == true)
        let damaged = credentials.folder.path("damaged.pem")
        let text = try String(contentsOfFile: certificate, encoding: .utf8)
        try Data(text.replacingOccurrences(of: "\nMII", with: "\nAAA").utf8).write(to: URL(fileURLWithPath: damaged))
        #expect(refusal(damaged, key)?.hasPrefix("The certificate in \(damaged) cannot be used: ") == true)
    }

    @Test func theKeyBelongsToTheCertificate() async throws {
        let (one, other) = (try await TestCredentials(), try await TestCredentials())
        let expected = "The private key in \(other.key) does not belong to the certificate in \(one.certificate)."
        #expect(refusal(one.certificate, other.key) == expected)
    }

    @Test func anEncryptedKeyAsksNobody() async throws {
        let credentials = try await TestCredentials()
        let encrypted = credentials.folder.path("encrypted.pem")
        let made = try await Shell.run(
            "openssl",
            ["pkcs8", "-topk8", "-in", credentials.key, "-out", encrypted, "-passout", "pass:secret"]
        )
        #expect(made.exitCode == 0, "\(made.errors)")
        let expected = "The private key in \(encrypted) is encrypted; store it without a password."
        #expect(refusal(credentials.certificate, encrypted) == expected)
    }

    @Test func aWeakKeyIsRefused() async throws {
        let weak = try await TestCredentials(algorithm: ["rsa:1024"])
        let expected = "The certificate in \(weak.certificate) cannot be used: ee key too small."
        #expect(refusal(weak.certificate, weak.key) == expected)
    }
}
