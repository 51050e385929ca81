import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing

/// The bytes of a file elsewhere that came so far.
@Suite struct PartialSourceTests {
    let folder: TemporaryFolder
    let store: ArtifactStore
    let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
    let id = ContentDigest(of: Data("source".utf8))

    init() throws {
        folder = try TemporaryFolder()
        store = try ArtifactStore(root: folder.path("store"))
    }

    private func open(_ tag: String?) throws -> PartialSource {
        try #require(try store.partialSource(id, tag: tag))
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: store.root + "/sources")) ?? []
    }

    /// What fails between the last byte and the asset, such as a probe that is killed, costs no second transfer.
    @Test func whatIsStoredStaysUntilItIsAnAsset() throws {
        for _ in 0..<2 {
            let partial = try open("\"1\"")
            try data[Int(partial.byteCount)...].withUnsafeBytes { try partial.append($0) }
            let done = try partial.commit(expecting: ContentDigest(of: data))
            let isIntact = try store.isIntact(done.hashed.digest)
            #expect(done.hashed.byteCount == 100_000 && isIntact)
            #expect(partial.byteCount == 100_000 && names.count == 1)
        }
        store.removePartialSource(id)
        #expect(names.isEmpty && store.byteCount(of: ContentDigest(of: data)) == 100_000)
        #expect(try open("\"1\"").byteCount == 0)
    }

    @Test func bytesOfTwoStatesAreNotMixed() throws {
        try data.withUnsafeBytes { try open("\"1\"").append($0) }
        #expect(try open("\"1\"").byteCount == 100_000)
        #expect(try open("\"2\"").byteCount == 0 && names.count == 1)
        try data.withUnsafeBytes { try open(nil).append($0) }
        #expect(try open(nil).byteCount == 0, "a file without a tag begins anew")
    }

    @Test func oneAtATimeHasThem() throws {
        let first = try open("\"1\"")
        #expect(try store.partialSource(id, tag: "\"1\"") == nil)
        store.removePartialSource(id)
        #expect(names.count == 1)
        try data.withUnsafeBytes { try first.append($0) }
        #expect(throws: StorageError.self) { try first.commit(expecting: ContentDigest(of: Data())) }
        #expect(names.isEmpty, "other bytes than were asked for do not stay")
    }
}
