import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

/// A server of somebody else's on the network: TLS with a checked certificate, as the URL says.
@Suite struct TransportSecurityTests {
    @Test func theURLDecidesAboutTLS() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        let administrator = try await server.start()
        try await administrator.scalar("CREATE ROLE film LOGIN PASSWORD 'open sesame'")
        await server.stop()
        let port = try await startWithTLS(folder.layout)
        defer { stop(folder.layout) }
        let address = "postgresql://film:open%20sesame@localhost:\(port)/cutfarm"
        let certificate = folder.layout.data + "/server.crt"

        let checked = try ConnectionTarget(address + "?sslmode=verify-full&sslrootcert=\(certificate)")
        let sql = "SELECT ssl::text AS value FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        #expect(try await checked.scalar(sql) == "true")
        try await largeAnswer(checked)

        for refused in ["?sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt", "?sslmode=disable"] {
            let error = await #expect(throws: DatabaseError.self) {
                try await Connection.open(ConnectionTarget(address + refused), logger: quiet)
            }
            #expect(error.map { "\($0)".contains("sesame") } == false)
        }
    }

    /// More than one TLS record: what is buffered inside the library is not waited for on the socket.
    private func largeAnswer(_ target: ConnectionTarget) async throws {
        let connection = try await Connection.open(target, logger: quiet, answerLimit: .seconds(20))
        try await connection.run { connection in
            let sets = try connection.batch((0..<20).map { _ in Statement("SELECT repeat('x', 300000) AS text") })
            #expect(try sets.allSatisfy { try $0[0].get("text", as: String.self).utf8.count == 300_000 })
        }
    }

    private func startWithTLS(_ layout: ServerLayout) async throws -> Int {
        let files = (key: layout.data + "/server.key", certificate: layout.data + "/server.crt")
        let account = try ServerAccount.current()
        let make = [
            "openssl", "req", "-new", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", files.key, "-out", files.certificate,
        ]
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        #expect(try ChildProcess.start(account.command(make), output: null).wait() == 0)
        let rule = "hostssl all film 127.0.0.1/32 scram-sha-256\nhostssl all film ::1/128 scram-sha-256\n"
        try Data(rule.utf8).write(to: URL(fileURLWithPath: layout.data + "/pg_hba.conf"), options: [])
        let port = try freePort()
        let options = "-c listen_addresses=localhost -c port=\(port) -c ssl=on -k \(layout.socket)"
        #expect(try control(layout, ["-o", options, "-l", layout.root + "/tls.log", "-w", "start"]) == 0)
        return port
    }

    private func stop(_ layout: ServerLayout) { _ = try? control(layout, ["-m", "fast", "stop"]) }

    private func control(_ layout: ServerLayout, _ words: [String]) throws -> Int32 {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        let program = try ServerBinaries.find(version: nil).folder + "/pg_ctl"
        return try ChildProcess.start(
            ServerAccount.current().command([program, "-D", layout.data] + words),
            output: null
        )
        .wait()
    }

    private func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(descriptor, plain, length) == 0 && getsockname(descriptor, plain, &length) == 0
            }
        }
        #expect(isBound)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
