import Client
import CompositionModel
import Foundation
import Sandbox
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Worker

/// Sources as a worker fetches them, from a server that knows one asset.
@Suite struct SourceCacheTests {
    let folder: TemporaryFolder
    let server: LoopbackServer
    let connection: CoordinatorConnection
    let shelf: SourceCache
    let data = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 5) })
    let index = Data("an index".utf8)
    let record: AssetRecord

    init() async throws {
        folder = try TemporaryFolder()
        server = try await LoopbackServer(folder: folder.path("served"))
        connection = try CoordinatorConnection(baseURL: server.url, token: "secret")
        shelf = try SourceCache(connection: connection, cacheRoot: folder.path("cache"), cacheLimit: 1 << 30)
        record = AssetRecord(
            digest: ContentDigest(of: data),
            byteCount: 1_500_000,
            blocks: [ContentDigest(of: data[..<(1 << 20)]), ContentDigest(of: data[(1 << 20)...])],
            facts: nil,
            frameIndexes: [0: ContentDigest(of: index)]
        )
        // The bytes lie where the record's folder would: each test serves one of the two at a time.
        try server.serve(try WireJSON.encode(record), at: "/v1/assets/\(record.digest.hex)/record")
        try server.serve(index, at: "/v1/artifacts/\(ContentDigest(of: index).hex)")
    }

    func serveBytes(_ data: Data) throws {
        try? FileManager.default.removeItem(atPath: server.folder + "/v1/assets/\(record.digest.hex)")
        try server.serve(data, at: "/v1/assets/\(record.digest.hex)")
    }

    @Test func blocksAreFetchedOnce() async throws {
        let source = try #require(try await shelf.sources(of: [record.digest]).first)
        #expect(FileManager.default.contents(atPath: try #require(source.indexes[0])) == index)
        #expect(source.file.isComplete == false)
        try serveBytes(data)
        let traffic = TrafficCounter()
        for block in [1, 0, 1] as [Int64] {
            #expect(await source.provide(block, from: connection, counting: traffic) == nil)
        }
        #expect(traffic.bytes == 1_500_000)
        #expect(FileManager.default.contents(atPath: source.asset.path) == data)
        #expect(server.log.filter { $0.contains("bytes=") }.count == 2)
    }

    /// By hand, or by whoever cleans a disk.
    @Test func aCacheThatIsRemovedIsMadeAgain() async throws {
        _ = try await shelf.sources(of: [record.digest])
        try FileManager.default.removeItem(atPath: folder.path("cache"))
        let source = try #require(try await shelf.sources(of: [record.digest]).first)
        #expect(FileManager.default.contents(atPath: try #require(source.indexes[0])) == index)
        try serveBytes(data)
        #expect(await source.provide(0, from: connection, counting: TrafficCounter()) == nil)
        #expect(FileManager.default.contents(atPath: source.asset.path)?.prefix(1 << 20) == data.prefix(1 << 20))
    }

    /// What has rotted on the coordinator's disk is forgotten there, and comes back only with another submission.
    @Test func aSourceThatIsGoneIsTold() async throws {
        let source = try #require(try await shelf.sources(of: [record.digest]).first)
        let failure = await source.provide(0, from: connection, counting: TrafficCounter())
        #expect(failure?.code == "asset_gone" && failure?.isPermanent == true && failure?.asset == record.digest)
        #expect(failure?.message.contains("submit the same edit again") == true)
        let other = ContentDigest(of: Data("other".utf8))
        let error = await #expect(throws: RenderFailed.self) { try await shelf.sources(of: [other]) }
        #expect(error?.failure.code == "asset_gone" && error?.failure.asset == other)
    }

    @Test func wrongBytesAreNotTaken() async throws {
        let source = try #require(try await shelf.sources(of: [record.digest]).first)
        try serveBytes(Data(repeating: 9, count: 1_500_000))
        let failure = await source.provide(0, from: connection, counting: TrafficCounter())
        #expect(failure?.code == "asset_corrupt")
        #expect(failure?.isPermanent == false)
        #expect(!source.asset.holds(0))
    }

    @Test func aBlockThatIsNoneIsRefusedWithoutAsking() async throws {
        let source = try #require(try await shelf.sources(of: [record.digest]).first)
        for block in [-1, 2, Int64.max] {
            #expect(await source.provide(block, from: connection, counting: TrafficCounter())?.code == "unexpected")
        }
        #expect(server.log.allSatisfy { !$0.contains("bytes=") })
    }

    @Test func aWrongIndexIsRefused() async throws {
        try server.serve(Data("another".utf8), at: "/v1/artifacts/\(ContentDigest(of: index).hex)")
        await #expect(throws: (any Error).self) { try await shelf.sources(of: [record.digest]) }
    }
}
