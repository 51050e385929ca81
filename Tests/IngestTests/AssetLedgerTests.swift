import CompositionModel
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

@Suite struct AssetLedgerTests {
    let folder: TemporaryFolder
    let ledger: AssetLedger
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        ledger = AssetLedger(stateFolder: folder.path("state"))
        path = folder.path("clip")
        try write("first")
    }

    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

    var entries: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("state/ledger"))) ?? []
    }

    /// A second after the change, however long this test takes.
    @Test func aFreshFileIsHashedEveryTime() async throws {
        let changed = try #require(FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
        let ledger = AssetLedger(stateFolder: folder.path("state"), now: { changed + 1 })
        #expect(try await ledger.digest(of: path) == ContentDigest(of: Data("first".utf8)))
        #expect(entries.isEmpty)
        try write("other")
        #expect(try await ledger.digest(of: path) == ContentDigest(of: Data("other".utf8)))
    }

    /// What the ledger says is believed, so the file was not hashed: shown by a ledger that says something else.
    @Test func anUnchangedFileIsNotHashedAgain() async throws {
        // The next change has another time, however soon it comes.
        let old = Date(timeIntervalSinceNow: -60)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
        let ledger = AssetLedger(stateFolder: folder.path("state"), now: { Date(timeIntervalSinceNow: 4) })
        #expect(try await ledger.digest(of: path) == ContentDigest(of: Data("first".utf8)))
        let entry = try #require(entries.first)
        let planted = ContentDigest(of: Data("planted".utf8))
        try Data(planted.description.utf8).write(to: URL(fileURLWithPath: folder.path("state/ledger/" + entry)))
        #expect(try await ledger.digest(of: path) == planted)
        try write("third")
        #expect(try await ledger.digest(of: path) == ContentDigest(of: Data("third".utf8)))
        try Data("rot".utf8).write(to: URL(fileURLWithPath: folder.path("state/ledger/" + entry)))
        #expect(try await ledger.digest(of: path) == ContentDigest(of: Data("third".utf8)))
    }

    @Test func aMissingFileIsSaid() async {
        let error = await #expect(throws: FileDigest.Unreadable.self) {
            try await ledger.digest(of: folder.path("missing"))
        }
        #expect(error?.description.contains("No such file") == true)
    }
}
