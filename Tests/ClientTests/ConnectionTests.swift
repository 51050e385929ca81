import CompositionModel
import Foundation
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Client

@Suite struct ConnectionTests {
    @Test(arguments: [
        "http://127.0.0.1:7411", "http://127.9.9.9", "http://localhost:7411/", "http://[::1]:7411",
        "https://farm.example",
    ])
    func theTokenMayGoThere(address: String) throws {
        let connection = try CoordinatorConnection(baseURL: address, token: "secret")
        #expect(!connection.baseURL.hasSuffix("/"))
    }

    @Test(arguments: [
        "http://farm.example", "http://10.0.0.1:7411", "http://127.0.0.1.evil.example", "http://127.evil.example",
        "http://127.0.0.1@evil.example", "http://localhost.evil.example", "http://[2001:db8::1]",
    ])
    func theTokenDoesNotTravelInClear(address: String) throws {
        #expect(throws: ClientError.self) { try CoordinatorConnection(baseURL: address, token: "secret") }
        _ = try CoordinatorConnection(baseURL: address, token: "secret", allowInsecureToken: true)
    }

    @Test(arguments: ["", "farm", "ftp://127.0.0.1", "http://", "127.0.0.1:7411"])
    func whatIsNoAddressIsRefused(address: String) {
        #expect(throws: ClientError.self) {
            try CoordinatorConnection(baseURL: address, token: "", allowInsecureToken: true)
        }
    }

    @Test func answersAndRefusalsAreTold() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let connection = try CoordinatorConnection(baseURL: server.url, token: "secret")
        let data = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        let digest = ContentDigest(of: data)
        #expect(try await connection.hasAsset(digest) == false)
        try data.write(to: URL(fileURLWithPath: folder.path("a")))
        try await connection.upload(asset: digest, from: folder.path("a"))
        #expect(try await connection.hasAsset(digest))
        #expect(try await connection.block(100..<200, of: digest) == data[100..<200])
        #expect(server.log.allSatisfy { $0.hasSuffix("Bearer secret") })
        // Shorter than asked for: the asset ends before.
        await #expect { try await connection.block(900..<1100, of: digest) } throws: { error in
            if case ClientError.notUnderstood = error { true } else { false }
        }
        await #expect { try await connection.record(of: digest) } throws: { error in
            guard case ClientError.problem(let problem) = error else { return false }
            return problem.status == 404 && problem.detail == "Detail of 404."
        }
    }

    /// The answer to the first may have been lost: the bytes do not move twice.
    @Test func anArtifactIsSentOnce() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let connection = try CoordinatorConnection(baseURL: server.url, token: "secret")
        let data = Data("segment".utf8)
        try data.write(to: URL(fileURLWithPath: folder.path("a")))
        for _ in 0..<2 { try await connection.upload(artifact: ContentDigest(of: data), from: folder.path("a")) }
        // The POST asks whether the bytes go into a bucket.
        #expect(server.log.map { $0.prefix(4) } == ["HEAD", "POST", "PUT ", "HEAD"])
        #expect(server.file("/v1/artifacts/\(ContentDigest(of: data).hex)") == data)
    }

    @Test func aRefusedMovieSaysWhyAndGivesNoBytes() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let connection = try CoordinatorConnection(baseURL: server.url, token: "secret")
        let got = Mutex(0)
        let error = await #expect(throws: ClientError.self) {
            try await connection.output(of: JobID(uuid: UUID())) { bytes in got.withLock { $0 += bytes.count } }
        }
        #expect(error?.description == "Detail of 404.")
        #expect(got.withLock(\.self) == 0)
    }

    /// An answer to HEAD cannot say what a token lacks; the same question as GET says it in the coordinator's words.
    @Test func aMissingScopeHasOneWording() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let connection = try CoordinatorConnection(baseURL: server.url, token: "secret")
        let digest = ContentDigest(of: Data("a".utf8))
        try server.script(["403 forbidden", "403 forbidden"], at: "/v1/assets/\(digest.hex)")
        let error = await #expect(throws: ClientError.self) { try await connection.hasAsset(digest) }
        #expect(error?.description == "Detail of 403.")
        #expect(server.log.map { $0.prefix(4) } == ["HEAD", "GET "])
    }

    @Test func anUnknownTokenIsSpokenOfAsAnOption() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let connection = try CoordinatorConnection(baseURL: server.url, token: "secret")
        let digest = ContentDigest(of: Data("a".utf8))
        try server.script(["401 unauthorized"], at: "/v1/assets/\(digest.hex)")
        let error = await #expect(throws: ClientError.self) { try await connection.hasAsset(digest) }
        #expect(error?.description.contains("--token-file or CUTFARM_TOKEN") == true)
    }

    @Test func noTLSThereSaysWhatToWrite() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer(folder: folder.path("served"))
        let address = server.url.replacing("http://", with: "https://")
        let connection = try CoordinatorConnection(baseURL: address, token: "secret")
        let error = await #expect(throws: ClientError.self) { try await connection.jobs() }
        #expect(error?.description.hasSuffix("write \(server.url) instead.") == true, "\(error?.description ?? "")")
    }

    @Test func nobodyThereMayPass() async throws {
        let connection = try CoordinatorConnection(baseURL: "http://127.0.0.1:1", token: "")
        let error = await #expect(throws: ClientError.self) { try await connection.jobs() }
        #expect(error?.isTransient == true)
        #expect(error?.description.contains("http://127.0.0.1:1") == true)
    }

    @Test(arguments: [(400, false), (404, false), (409, false), (429, true), (500, true), (503, true)])
    func onlySomeRefusalsMayPass(status: Int, isTransient: Bool) {
        let problem = Problem(status: status, code: "c", title: "t", detail: "d")
        #expect(ClientError.problem(problem).isTransient == isTransient)
    }
}
