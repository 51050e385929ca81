import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

/// A server that somebody else runs: a role with a password that is no superuser.
@Suite struct PasswordRoleTests {
    @Test func aPlainRoleWithAPasswordMigratesAndWorks() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        let administrator = try await server.start()
        try await administrator.scalar("CREATE ROLE film LOGIN PASSWORD 'open sesame'")
        try await administrator.scalar("CREATE DATABASE film OWNER film")
        try requirePassword(folder.layout)
        try await administrator.scalar("SELECT pg_reload_conf()::text AS value")
        let target = try ConnectionTarget("postgresql://film:open%20sesame@/film?host=\(folder.layout.socket)")
        try await untilPasswordIsAsked(folder.layout.socket)
        let pool = ConnectionPool(target: target, size: 2, logger: quiet)
        try await Migrator([Migration(number: 1, name: "part", sql: "CREATE TABLE part (n int)")]).run(on: pool)
        try await pool.run { _ = try $0.query("INSERT INTO part VALUES (1)") }
        let isSuper = try await target.scalar(
            "SELECT rolsuper::text AS value FROM pg_roles WHERE rolname = current_user"
        )
        #expect(isSuper == "false")
        await server.stop()
    }

    @Test func aWrongPasswordIsRefusedWithoutBeingTold() async throws {
        let folder = try StateFolder()
        let server = folder.server()
        let administrator = try await server.start()
        try await administrator.scalar("CREATE ROLE film LOGIN PASSWORD 'open sesame'")
        try requirePassword(folder.layout)
        try await administrator.scalar("SELECT pg_reload_conf()::text AS value")
        try await untilPasswordIsAsked(folder.layout.socket)
        let target = try ConnectionTarget("host=\(folder.layout.socket) user=film password=hunter2 dbname=cutfarm")
        let error = await #expect(throws: DatabaseError.self) { try await Connection.open(target, logger: quiet) }
        let text = try #require(error.map { "\($0)" })
        #expect(text.contains("password authentication failed"))
        #expect(!text.contains("hunter2"))
        await server.stop()
    }

    private func requirePassword(_ layout: ServerLayout) throws {
        let path = layout.data + "/pg_hba.conf"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(("local all film scram-sha-256\n" + text).utf8).write(to: URL(fileURLWithPath: path), options: [])
    }

    /// The postmaster reads its file again a moment after it was told to.
    private func untilPasswordIsAsked(_ socket: String) async throws {
        let open = try ConnectionTarget("host=\(socket) user=film dbname=cutfarm")
        try await waitUntil {
            do {
                _ = try await Connection.open(open, logger: quiet)
                return false
            } catch let error as DatabaseError where error.code == "28P01" {
                return true
            }
        }
    }
}
