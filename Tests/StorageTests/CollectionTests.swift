import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct CollectionTests {
    let folder: TemporaryFolder
    let store: ArtifactStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ArtifactStore(root: folder.path("store"))
    }

    @Test func onlyWhatIsOldEnoughIsCollected() throws {
        let digest = try store.put(Data("a part".utf8))
        let shelf = String(digest.hex.prefix(2))
        #expect(store.shelves() == [shelf])
        #expect(store.settled(in: shelf, for: 0) == [digest])
        #expect(store.settled(in: shelf, for: 60).isEmpty)
        let hold = try #require(try store.holdForCollecting())
        #expect(try store.collect([digest], unchangedFor: 60, hold) == 0)
        #expect(try store.collect([digest], unchangedFor: 0, hold) == 1)
        #expect(store.byteCount(of: digest) == nil)
    }

    /// Whoever is about to make the database refer to bytes keeps them, and whoever collects lets nobody begin to.
    @Test func holdsAndCollectingExcludeEachOther() throws {
        var first = try store.hold()
        var second = try store.hold()
        #expect(first != nil && second != nil)
        #expect(try store.holdForCollecting() == nil)
        first = nil
        #expect(try store.holdForCollecting() == nil)
        second = nil
        let collecting = try store.holdForCollecting()
        #expect(collecting != nil)
        #expect(try store.hold() == nil)
        withExtendedLifetime((first, second, collecting)) {}
    }

    private func publish(_ data: Data) throws -> Publication {
        let file = try store.receive()
        try data.withUnsafeBytes { try file.write($0) }
        _ = try file.commit()
        return try #require(file.publication)
    }

    @Test func whatSomebodyElseSentAsWellIsNotTakenBack() throws {
        let data = Data("twice".utf8)
        let first = try publish(data)
        let second = try publish(data)
        let hold = try #require(try store.holdForCollecting())
        #expect(try !store.takeBack(first, hold), "the second relies on it")
        #expect(try !store.takeBack(second, hold), "it was there before")
        #expect(store.byteCount(of: first.digest) == 5)
        let alone = try publish(Data("once".utf8))
        #expect(try store.takeBack(alone, hold))
        #expect(store.byteCount(of: alone.digest) == nil)
    }
}
