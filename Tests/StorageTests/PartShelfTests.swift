import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct PartShelfTests {
    let folder: TemporaryFolder
    let first: ArtifactStore
    let second: ArtifactStore
    let shelf: PartShelf

    init() throws {
        folder = try TemporaryFolder()
        first = try ArtifactStore(root: folder.path("first"))
        second = try ArtifactStore(root: folder.path("second"))
        shelf = try PartShelf(root: folder.path("shelf"))
    }

    private func put(_ name: String, _ text: String) throws -> ContentDigest {
        let digest = try first.put(Data(text.utf8))
        try shelf.put(digest, of: first, as: name, about: Data("about \(name)".utf8))
        return digest
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("shelf/bytes")).sorted()
    }

    /// The bytes are the borrower's, also when the shelf has removed them, and the lender's store is gone.
    @Test func whatIsLentStaysWithTheBorrower() throws {
        let digest = try put("a", "bytes of a")
        #expect(try shelf.lend("b", to: second) == nil)
        #expect(try shelf.lend("a", to: second) == Data("about a".utf8))
        try FileManager.default.removeItem(atPath: folder.path("first"))
        try shelf.prune(to: 0)
        #expect(try files().isEmpty && shelf.list().isEmpty)
        try second.verify(second.open(digest))
        #expect(try shelf.lend("a", to: second) == nil)
    }

    @Test func theFirstOfANameStays() throws {
        let digest = try put("a", "one")
        _ = try put("a", "two")
        #expect(shelf.list().map(\.digest) == [digest])
    }

    /// Lending alone is no use: the job may not take the part. Equal bytes under two names are counted once, and stay while
    /// one of the names does.
    @Test func theLeastRecentlyUsedGoFirst() throws {
        let digests = try ["a", "b", "c"].map { try put($0, "ten bytes\($0)") }
        _ = try put("again", "ten bytesc")
        for (number, name) in ["c", "a", "again", "b"].enumerated() {
            let time = Date(timeIntervalSinceNow: Double(number) - 1000)
            let path = folder.path("shelf/entries/\(name).json")
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        }
        #expect(try shelf.lend("c", to: second) != nil)
        #expect(shelf.list().map(\.name) == ["b", "again", "a", "c"] && shelf.list().allSatisfy { $0.uses == 0 })
        try shelf.noteUses(["a": 2, "unknown": 1])
        #expect(shelf.list().map(\.name) == ["a", "b", "again", "c"] && shelf.list()[0].uses == 2)
        #expect(try shelf.prune(to: 30).isEmpty, "three times ten bytes")
        #expect(try shelf.prune(to: 29).map(\.name) == ["again", "c"])
        #expect(try files() == [digests[0].hex, digests[1].hex].sorted())
        #expect(try shelf.prune(to: .max, unusedSince: Date(timeIntervalSinceNow: -500)).map(\.name) == ["b"])
    }

    /// Removing an entry whose bytes another one keeps would make no room.
    @Test func entriesOfEqualBytesGoTogether() throws {
        _ = try put("a", "ten bytesa")
        _ = try put("b", "ten bytesb")
        _ = try put("again", "ten bytesa")
        for (number, name) in ["again", "b", "a"].enumerated() {
            let time = Date(timeIntervalSinceNow: Double(number) - 1000)
            let path = folder.path("shelf/entries/\(name).json")
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        }
        #expect(shelf.list().map(\.name) == ["a", "b", "again"] && PartShelf.byteCount(of: shelf.list()) == 20)
        #expect(try shelf.prune(to: 10).map(\.name) == ["b"])
        #expect(try shelf.prune(to: 9).map(\.name) == ["a", "again"] && files().isEmpty)
    }

    /// The least recently used make room, but for those that somebody else has too: the disk would keep their bytes.
    @Test func bytesThatAreInUseMakeNoRoom() throws {
        for (number, name) in ["a", "b", "c", "d"].enumerated() {
            _ = try put(name, "ten bytes\(name)")
            let time = Date(timeIntervalSinceNow: Double(number) - 1000)
            let path = folder.path("shelf/entries/\(name).json")
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        }
        _ = try put("again", "ten bytesb")
        try FileManager.default.removeItem(atPath: folder.path("first"))
        #expect(try shelf.lend("a", to: second) != nil)
        #expect(try shelf.makeRoom(for: 0).isEmpty)
        #expect(try shelf.makeRoom(for: 11).map(\.name) == ["c", "d"], "b was used last, as again")
        #expect(shelf.list().map(\.name) == ["again", "b", "a"])
        #expect(try Set(shelf.makeRoom(for: 100).map(\.name)) == ["again", "b"])
        #expect(try files() == [ContentDigest(of: Data("ten bytesa".utf8)).hex])
    }

    /// Runs that put, take and prune at the same time spoil nothing for each other: what is lent is whole, and in the
    /// end the shelf has the bytes of its entries and no others. A shelf's lock is one of the file, not of the process.
    @Test func manyMayUseItAtOnce() async throws {
        let names = (0..<12).map { "part\($0)" }
        let texts = names.map { "bytes of \($0) " + String(repeating: "x", count: 1000) }
        let lent = try await withThrowingTaskGroup(of: Int.self) { group in
            for runner in 0..<4 {
                let (folder, root) = (folder.path("runner\(runner)"), folder.path("shelf"))
                group.addTask {
                    var numbers = SplitMix(seed: UInt64(runner))
                    let (own, shelf) = (try ArtifactStore(root: folder), try PartShelf(root: root))
                    var lent = 0
                    for _ in 0..<150 {
                        let place = numbers.below(12)
                        switch numbers.below(8) {
                        case 0: try shelf.prune(to: Int64(numbers.below(8000)))
                        case 1..<4:
                            let digest = try own.put(Data(texts[place].utf8))
                            try shelf.put(digest, of: own, as: names[place], about: Data(names[place].utf8))
                        default:
                            guard let about = try shelf.lend(names[place], to: own) else { continue }
                            lent += 1
                            #expect(about == Data(names[place].utf8))
                            try own.verify(own.open(ContentDigest(of: Data(texts[place].utf8))))
                        }
                    }
                    return lent
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(lent > 0)
        try shelf.prune(to: .max)
        #expect(try files() == Set(shelf.list().map(\.digest.hex)).sorted())
        #expect(shelf.list().allSatisfy { $0.byteCount > 1000 })
    }

    /// What a process left that was killed between the bytes and their entry.
    @Test func bytesWithoutAnEntryAreRemoved() throws {
        let digest = try put("a", "kept")
        try Data("half a part".utf8).write(to: URL(fileURLWithPath: folder.path("shelf/bytes/0123")))
        try shelf.prune(to: .max)
        #expect(try files() == [digest.hex])
    }

    @Test func bytesThatHaveRottedGoWithEveryEntry() throws {
        let digest = try put("a", "same")
        _ = try put("b", "same")
        let other = try put("c", "other")
        try shelf.remove([digest])
        #expect(shelf.list().map(\.name) == ["c"])
        #expect(try files() == [other.hex])
    }

    /// An entry that nobody can read, and one whose bytes are gone, are in nobody's way.
    @Test(arguments: [true, false]) func aSpoiltEntryIsReplaced(isJunk: Bool) throws {
        let digest = try put("a", "bytes")
        if isJunk {
            try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path("shelf/entries/a.json")))
        } else {
            try FileManager.default.removeItem(atPath: folder.path("shelf/bytes/\(digest.hex)"))
        }
        #expect(try shelf.lend("a", to: second) == nil)
        _ = try put("a", "bytes")
        #expect(try shelf.lend("a", to: second) != nil)
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path("shelf/entries/b.json")))
        try shelf.prune(to: .max)
        #expect(!FileManager.default.fileExists(atPath: folder.path("shelf/entries/b.json")))
    }
}
