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
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["two"])
        #expect(try await store.unknownObjects(["one", "two", "three"]) == ["three"])
        try await store.noteRemoved(["two"])
        #expect(try await store.unwantedObjects(after: nil, limit: 10).isEmpty)
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
        #expect(try await store.unwantedObjects(after: nil, limit: 10).isEmpty)
        #expect(try await store.unknownObjects(["one", "two"]) == ["one"])
    }

    /// An object that is about to be removed holds nothing any more, whoever says that it is there.
    @Test func anUnwantedObjectIsNotNoted() async throws {
        let store = try await StoreDatabase.store()
        let (first, second) = (object("a", "one"), object("a", "two"))
        for object in [first, second] { try await store.note(object, keptFor: -1) }
        #expect(try await store.forgetUnreferenced([first.digest]) == 1)
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["one", "two"])
        #expect(try await store.unwantedObjects(after: "one", limit: 10) == ["two"])
        #expect(try await store.note(second, keptFor: Self.hour) == nil)
        #expect(try await store.objects(of: [first.digest], keptFor: 0).isEmpty)
    }

    @Test func aFarmsArtifactsStayWhereTheyAre() async throws {
        let store = try await StoreDatabase.store()
        #expect(try await store.artifactPlace() == nil)
        #expect(try await store.setArtifactPlace("s3://one/") == "s3://one/")
        #expect(try await store.setArtifactPlace("folder") == "s3://one/")
        #expect(try await store.artifactPlace() == "s3://one/")
    }

    /// Many who look at the same moment are all told that the bytes are here.
    @Test func lookingAtOnce() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        let held = (0..<3).map { object("held \($0)", "key \($0)") }
        for round in 0..<20 as Range<Int64> {
            for store in stores { store.setClock(time(round * Self.hour)) }
            for object in held { try await stores[0].note(object, keptFor: 1) }
            let found = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    let digests = (number % 2 == 0 ? held : held.reversed()).map(\.digest)
                    group.addTask { try await stores[number % 2].objects(of: digests, keptFor: Self.hour).count }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found == Array(repeating: 3, count: 8), "round \(round)")
        }
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
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["one"])
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
