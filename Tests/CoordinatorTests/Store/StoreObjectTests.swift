import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Testing
import WireProtocol

@testable import Coordinator

/// Which object of a bucket holds which bytes, and when it goes.
@Suite struct StoreObjectTests {
    private static let hour: Int64 = 3_600_000

    private func time(_ milliseconds: Int64) -> FarmTime { FarmTime(milliseconds: milliseconds) }

    private func object(_ text: String, _ key: String) -> StoredObject {
        StoredObject(digest: ContentDigest(of: Data(text.utf8)), key: key, byteCount: Int64(text.utf8.count))
    }

    @Test func theFirstObjectOfTheBytesHoldsThem() async throws {
        let store = try await StoreDatabase.store()
        let (first, second) = (object("a", "one"), object("a", "two"))
        #expect(try await store.note(first, keptFor: Self.hour) == first)
        #expect(try await store.note(second, keptFor: Self.hour) == first)
        #expect(try await store.note(first, keptFor: Self.hour) == first)
        #expect(
            try await store.objects(of: [first.digest, object("b", "").digest], keptFor: Self.hour) == [
                first.digest: first
            ]
        )
        #expect(try await store.unwantedObjects(limit: 10) == ["two"])
        #expect(try await store.unknownObjects(["one", "two", "three"]) == ["three"])
        try await store.noteRemoved(["two"])
        #expect(try await store.unwantedObjects(limit: 10).isEmpty)
        #expect(try await store.unknownObjects(["one", "two"]) == ["two"])
    }

    @Test func whatIsLostMakesPlaceForAnother() async throws {
        let store = try await StoreDatabase.store()
        let (first, second) = (object("a", "one"), object("a", "two"))
        try await store.note(first, keptFor: Self.hour)
        // Somebody who read another object of these bytes has nothing to say of this one.
        try await store.forget(second)
        #expect(try await store.objects(of: [first.digest], keptFor: 0)[first.digest] == first)
        try await store.forget(first)
        #expect(try await store.objects(of: [first.digest], keptFor: 0).isEmpty)
        #expect(try await store.note(second, keptFor: Self.hour) == second)
        #expect(try await store.unwantedObjects(limit: 10) == ["one"])
    }

    /// An object stays for the time that was promised when it was stored, and for half of it from each look; and as long as
    /// something refers to it.
    @Test func anObjectStaysWhileSomebodyMayReferToIt() async throws {
        let store = try await StoreDatabase.store()
        let (kept, named) = (object("kept", "one"), object("named", "two"))
        store.setClock(time(0))
        for object in [kept, named] { try await store.note(object, keptFor: Self.hour) }
        let record = AssetRecord(digest: named.digest, byteCount: 5, blocks: [], facts: nil, frameIndexes: [:])
        try await store.putAsset(StoredAsset(record: record, path: nil))
        let digests = [kept, named].map(\.digest).sorted { $0.hex < $1.hex }
        func settled() async throws -> [ContentDigest] { try await store.settledObjects(after: nil, limit: 10) }
        store.setClock(time(Self.hour))
        #expect(try await settled().isEmpty)
        #expect(try await store.forgetUnreferenced(digests) == 0)
        // A look one moment before the end.
        #expect(try await store.objects(of: [kept.digest], keptFor: Self.hour).count == 1)
        store.setClock(time(Self.hour + Self.hour / 2))
        #expect(try await store.forgetUnreferenced(digests) == 0)
        store.setClock(time(2 * Self.hour + 1))
        #expect(try await settled() == digests)
        #expect(try await store.settledObjects(after: digests[0], limit: 10) == [digests[1]])
        #expect(try await store.forgetUnreferenced(digests) == 1)
        #expect(try await store.objects(of: digests, keptFor: Self.hour) == [named.digest: named])
        #expect(try await store.unwantedObjects(limit: 10) == ["one"])
    }

    /// Whoever was told that the bytes are here has them, whatever a collector does at the same time.
    @Test func lookingAndForgettingAtOnce() async throws {
        let target = try await StoreDatabase.make()
        let (asking, collecting) = (try await StoreDatabase.open(target), try await StoreDatabase.open(target))
        for round in 0..<40 as Range<Int64> {
            let object = object("round \(round)", "key \(round)")
            for store in [asking, collecting] { store.setClock(time(round * 10 * Self.hour)) }
            try await asking.note(object, keptFor: Self.hour)
            for store in [asking, collecting] { store.setClock(time(round * 10 * Self.hour + 2 * Self.hour)) }
            async let found = asking.objects(of: [object.digest], keptFor: Self.hour)
            async let forgotten = collecting.forgetUnreferenced([object.digest])
            let (isFound, isForgotten) = (try await !found.isEmpty, try await forgotten == 1)
            #expect(isFound != isForgotten, "round \(round): found \(isFound), forgotten \(isForgotten)")
        }
    }
}
