/// A certificate for `farm.test` and its key, made by openssl in a folder of their own.
package final class TestCredentials: Sendable {
    package let folder: TemporaryFolder
    /// PEM files.
    package let certificate: String
    package let key: String

    /// - Parameter algorithm: what `openssl req -newkey` takes.
    /// - Throws: ``Shell/Failed`` with what openssl printed.
    package init(algorithm: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]) async throws {
        folder = try TemporaryFolder()
        (certificate, key) = (folder.path("certificate.pem"), folder.path("key.pem"))
        let name = ["-subj", "/CN=farm.test", "-addext", "subjectAltName=DNS:farm.test"]
        let files = ["-keyout", key, "-out", certificate]
        let made = try await Shell.run(
            "openssl",
            ["req", "-x509", "-nodes", "-days", "2", "-newkey"] + algorithm + name + files
        )
        guard made.exitCode == 0 else { throw Shell.Failed(description: "openssl: " + made.errors) }
    }
}
