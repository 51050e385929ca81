import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import CLI

/// What is remembered of a watched folder, and who may write it.
@Suite struct WatchLedgerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ bytes: Int64 = 5, changed: Int64 = 0) -> FoundFile {
        FoundFile(name: name, byteCount: bytes, modifiedNanoseconds: changed)
    }

    private func place(_ watched: String = "/incoming", _ settings: String...) -> LedgerPlace {
        LedgerPlace(stateFolder: folder.url.path, folder: watched, settings: settings)
    }

    /// What was submitted is known after a restart, and as long as the file is the same.
    @Test func theLedgerIsKept() throws {
        var first = WatchLedger(at: place())
        try first.note(WatchLedger.Entry(file: file("a"), jobs: [], isDone: true))
        var second = WatchLedger(at: place())
        #expect(second.knows(file("a")) && !second.knows(file("a", 6)) && !second.knows(file("a", changed: 1)))
        #expect(!WatchLedger(at: place("/other")).knows(file("a")))
        try second.forget(allBut: ["b"])
        #expect(!WatchLedger(at: place()).knows(file("a")))
    }

    /// One folder is watched for proxies and for masters, or for two farms.
    @Test func anotherPresetHasAnotherLedger() throws {
        var proxies = WatchLedger(at: place("/incoming", "http://farm:7411", "h264"))
        try proxies.note(WatchLedger.Entry(file: file("a"), isDone: true))
        #expect(WatchLedger(at: place("/incoming", "http://farm:7411", "h264")).knows(file("a")))
        #expect(!WatchLedger(at: place("/incoming", "http://farm:7411", "lossless")).knows(file("a")))
        #expect(!WatchLedger(at: place("/incoming", "http://farm:7411h", "264")).knows(file("a")))
    }

    @Test func aLinkToTheFolderIsTheSameFolder() throws {
        let (real, link) = (folder.path("real"), folder.path("link"))
        try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        #expect(place(real).path == place(link).path)
    }

    /// Writes the ledger of an earlier version, which follows a job of the file `a`. - Returns: its path.
    private func writeEarlier() throws -> String {
        let name = String(ContentDigest(of: Data("/incoming".utf8)).hex.prefix(32)) + ".json"
        let path = folder.path("watched/" + name)
        try FileManager.default.createDirectory(atPath: folder.path("watched"), withIntermediateDirectories: true)
        let file = #"{"name":"a","byteCount":5,"modifiedNanoseconds":0}"#
        let text = #"{"a":{"file":\#(file),"jobs":["\#(JobID(uuid: UUID()))"],"isDone":false}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// An update submits nothing again, and one command alone goes on with the jobs that were followed before.
    @Test func theFirstThatStartsTakesTheLedgerOfAnEarlierVersion() throws {
        let earlier = try writeEarlier()
        var first = WatchLedger(at: place("/incoming", "h264"))
        #expect(first.knows(file("a")) && first.followed.map(\.file.name) == ["a"])
        #expect(!FileManager.default.fileExists(atPath: earlier))
        let other = WatchLedger(at: place("/incoming", "lossless"))
        #expect(!other.knows(file("a")) && other.followed.isEmpty)
        try first.note(WatchLedger.Entry(file: file("b"), isDone: true))
        let next = WatchLedger(at: place("/incoming", "h264"))
        #expect(next.knows(file("a")) && next.knows(file("b")))
    }

    /// A ledger that is there is not replaced by that of an earlier version.
    @Test func aLedgerThatIsThereStays() throws {
        var ledger = WatchLedger(at: place("/incoming", "h264"))
        try ledger.note(WatchLedger.Entry(file: file("b"), isDone: true))
        let earlier = try writeEarlier()
        let next = WatchLedger(at: place("/incoming", "h264"))
        #expect(next.knows(file("b")) && !next.knows(file("a")))
        #expect(FileManager.default.fileExists(atPath: earlier))
    }

    /// While another command takes the ledger of an earlier version, this one begins anew.
    @Test func theLedgerOfAnEarlierVersionThatIsBeingTakenIsLeft() throws {
        let earlier = try writeEarlier()
        let lock = try LockFile(trying: LOCK_EX, at: earlier + ".lock")
        #expect(lock != nil && WatchLedger(at: place("/incoming", "h264")).entries.isEmpty)
        #expect(FileManager.default.fileExists(atPath: earlier))
        withExtendedLifetime(lock) {}
    }

    @Test func onlyOneProcessWatches() throws {
        let first = try place("/incoming", "h264").lock()
        let failure = #expect(throws: CommandFailure.self) { try place("/incoming", "h264").lock() }
        #expect(failure?.status == .conflict && failure?.lines.count == 1)
        #expect(failure?.lines.first?.hasPrefix("Another cutfarm watch-folder") == true)
        _ = try place("/incoming", "lossless").lock()
        withExtendedLifetime(first) {}
    }

    /// The version of a file whose jobs were cancelled is unknown when it comes back.
    @Test func aVersionThatWasReplacedIsNotKnown() throws {
        var ledger = WatchLedger(at: place())
        var entry = WatchLedger.Entry(file: file("a"), jobs: [.init(uuid: UUID())])
        try ledger.note(entry)
        #expect(ledger.knows(file("a")) && ledger.followed.count == 1)
        entry.isWithdrawn = true
        try ledger.note(entry)
        #expect(!ledger.knows(file("a")) && ledger.followed.isEmpty)
    }

    /// Which jobs were withdrawn is known when their file is forgotten and the command starts again. The ledger keeps
    /// the latest, each of them once.
    @Test func withdrawnJobsOutliveTheirFile() throws {
        let jobs = (0..<WatchLedger.mostWithdrawn).map { _ in JobID(uuid: UUID()) }
        var ledger = WatchLedger(at: place())
        try ledger.note(WatchLedger.Entry(file: file("a"), jobs: [jobs[0]], isDone: true))
        try ledger.withdraw(jobs)
        try ledger.withdraw([jobs[0]])
        try ledger.forget(allBut: [])
        var next = WatchLedger(at: place())
        #expect(next.entries.isEmpty && next.isWithdrawn(jobs[0]) && next.isWithdrawn(jobs[9999]))
        let last = JobID(uuid: UUID())
        try next.withdraw([last])
        #expect([jobs[0], jobs[1], last].map(WatchLedger(at: place()).isWithdrawn) == [false, true, true])
    }
}
