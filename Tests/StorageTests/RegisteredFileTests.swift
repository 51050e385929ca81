import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing

/// Files that are used where they lie.
@Suite struct RegisteredFileTests {
    let folder: TemporaryFolder
    let store: ArtifactStore
    let path: String
    let data = Data((0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })

    init() throws {
        folder = try TemporaryFolder()
        store = try ArtifactStore(root: folder.path("store"))
        path = folder.path("clip.mov")
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// The store three seconds later: a file that has just changed is not believed.
    func later() throws -> ArtifactStore {
        try ArtifactStore(root: folder.path("store"), now: { Date(timeIntervalSinceNow: 3) })
    }

    func backdate() throws {
        let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -3600)]
        try FileManager.default.setAttributes(old, ofItemAtPath: path)
    }

    func change(_ byte: UInt8, at offset: UInt64) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data([byte]))
        try handle.close()
    }

    @Test func itIsReadWhereItLies() throws {
        let hashed = try store.register(path: path)
        #expect(hashed.digest == ContentDigest(of: data))
        #expect(hashed.blocks == [ContentDigest(of: data[..<(1 << 20)]), ContentDigest(of: data[(1 << 20)...])])
        let file = try store.open(hashed.digest)
        #expect(file.path == path)
        #expect(file.byteCount == 1_200_000)
        #expect(store.byteCount(of: hashed.digest) == 1_200_000)
        let hold = try #require(try store.holdForCollecting())
        #expect(try store.collect([hashed.digest], unchangedFor: 0, hold) == 1)
        #expect(store.byteCount(of: hashed.digest) == nil)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func anUnchangedFileIsHashedOnce() throws {
        // The next change has another time, however soon it comes.
        try backdate()
        let store = try later()
        let first = try store.register(path: path)
        #expect(first.blocks.count == 2)
        #expect(try store.register(path: path).blocks.count == 2, "not remembered yet")
        try store.remember(first.digest)
        let second = try store.register(path: path)
        #expect(second.digest == first.digest)
        #expect(second.blocks.isEmpty)
        #expect(try store.register(path: path, hashing: true) == first)
        try change(0xff, at: 5)
        #expect(try store.register(path: path).digest != first.digest)
    }

    /// Bytes that changed without a trace: the file stays, and is not believed the next time.
    @Test func aDisownedFileIsHashedAgain() throws {
        let store = try later()
        let first = try store.register(path: path)
        try store.remember(first.digest)
        #expect(try store.register(path: path).blocks.isEmpty)
        try store.disown(store.open(first.digest))
        #expect(store.byteCount(of: first.digest) == nil)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try store.register(path: path) == first)
    }

    /// What was hashed is remembered as long as the file is registered, and not for ever.
    @Test func collectedRegistrationsAreForgotten() throws {
        let other = folder.path("other.mov")
        try Data("other".utf8).write(to: URL(fileURLWithPath: other))
        let (gone, kept) = (try store.register(path: path).digest, try store.register(path: other).digest)
        for digest in [gone, kept] { try store.remember(digest) }
        func identities() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: store.root + "/identities").count
        }
        #expect(store.forgetIdentities() == 0)
        #expect(try identities() == 2)
        let hold = try #require(try store.holdForCollecting())
        #expect(try store.collect([gone], unchangedFor: 0, hold) == 1)
        #expect(store.forgetIdentities() == 1)
        #expect(try identities() == 1)
        #expect(store.byteCount(of: kept) == 5)
    }

    /// Two writes within one tick of a file system's clock look alike. The store's clock stands a second after the
    /// change.
    @Test func aFileThatHasJustChangedIsNotBelieved() throws {
        let changed = try #require(FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
        let store = try ArtifactStore(root: folder.path("store"), now: { changed + 1 })
        let first = try store.register(path: path)
        try store.remember(first.digest)
        #expect(try store.register(path: path).blocks.count == 2)
    }

    @Test(arguments: ["in place", "replaced", "removed", "longer"])
    func aChangedFileIsNeverServed(_ how: String) throws {
        try backdate()
        let digest = try store.register(path: path).digest
        let open = try store.open(digest)
        switch how {
        case "in place": try change(0xff, at: 100)
        case "replaced": try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        case "removed": try FileManager.default.removeItem(atPath: path)
        default: try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 1_200_001)
        }
        #expect(throws: StorageError.changed(path: path)) { try store.open(digest) }
        #expect(store.byteCount(of: digest) == nil)
        // Who has it open keeps the bytes of a file that was replaced or removed, and is told of one that changed.
        if how == "in place" || how == "longer" {
            var buffer = Data(count: 10)
            #expect(throws: StorageError.changed(path: path)) {
                try buffer.withUnsafeMutableBytes { try open.read(into: $0, at: 0) }
            }
        }
    }

    /// Returns once a change gets another time than those before it: the clock of a file system moves in ticks.
    private func untilTheNextTick() async throws {
        func changeTime(_ path: String) -> timespec {
            var status = stat()
            stat(path, &status)
            return status.st_ctim
        }
        let (last, probe) = (changeTime(path), folder.path("probe"))
        try await waitUntil {
            try Data().write(to: URL(fileURLWithPath: probe))
            let now = changeTime(probe)
            return (now.tv_sec, now.tv_nsec) > (last.tv_sec, last.tv_nsec)
        }
    }

    /// Other bytes of the same length, and the time of the last modification set back.
    @Test func aForgedTimeIsFound() async throws {
        try backdate()
        let digest = try store.register(path: path).digest
        try await untilTheNextTick()
        let before = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        try change(0xff, at: 100)
        try FileManager.default.setAttributes([.modificationDate: try #require(before)], ofItemAtPath: path)
        #expect(throws: StorageError.changed(path: path)) { try store.open(digest) }
    }

    /// Found, judged, and then replaced by a link to something else before it is read.
    @Test func whatWasFoundIsWhatIsRead() throws {
        let (folder, other) = (self.folder.path("media"), self.folder.path("other"))
        for (place, text) in [(folder, "mine"), (other, "theirs")] {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: place + "/clip"))
        }
        let file = try LocatedFile(folder + "/../media/clip")
        #expect(file.path == folder + "/clip")
        #expect(rename(folder, folder + ".old") == 0 && symlink(other, folder) == 0)
        #expect(try store.register(file).digest == ContentDigest(of: Data("mine".utf8)))
        #expect(try LocatedFile(folder + "/clip").path == other + "/clip")
    }

    @Test func onlyRegularFilesAreTaken() throws {
        symlink(path, folder.path("link"))
        mkfifo(folder.path("pipe"), 0o600)
        for name in ["link", "pipe", "nothing", ""] {
            #expect { try store.register(path: folder.path(name)) } throws: {
                ($0 as? StorageError)?.code == "asset_unreadable"
            }
        }
    }

    @Test func takenInBytesCountBeforeARegisteredFile() throws {
        let digest = try store.register(path: path).digest
        _ = try store.put(data)
        try change(1, at: 0)
        #expect(try store.open(digest).isIntact())
    }
}
