import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct ArtifactStoreTests {
    let folder: TemporaryFolder
    let store: ArtifactStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ArtifactStore(root: folder.path("store"))
    }

    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.root + "/incoming")
            + FileManager.default.contentsOfDirectory(atPath: store.root + "/scratch")
    }

    func bytes(of file: StoredFile, from offset: Int64, count: Int) throws -> Data {
        var data = Data(count: count)
        let got = try data.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
        return data.prefix(got)
    }

    @Test func whatIsPutIsFoundUnderItsDigest() throws {
        let data = Data("the reel".utf8)
        let digest = try store.put(data)
        #expect(digest == ContentDigest(of: data))
        let file = try store.open(digest)
        #expect(file.byteCount == 8)
        #expect(
            file.path
                == "\(store.root)/sha256/\(digest.hex.prefix(2))/\(digest.hex.dropFirst(2).prefix(2))/\(digest.hex)"
        )
        #expect(try bytes(of: file, from: 4, count: 100) == Data("reel".utf8))
        #expect(try bytes(of: file, from: 8, count: 1).isEmpty)
        #expect(try leftovers().isEmpty)
        // The same bytes again change nothing.
        #expect(try store.put(data) == digest)
        #expect(try file.isIntact())
    }

    @Test func blocksAreHashedWhateverThePiecesWere() throws {
        let data = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
        let incoming = try store.receive(withBlocks: true)
        var rest = data[...]
        for size in [1, 1_048_575, 7, 900_000] + [Int](repeating: 400_000, count: 4) {
            let piece = Data(rest.prefix(size))
            try piece.withUnsafeBytes { try incoming.write($0) }
            rest = rest.dropFirst(size)
        }
        let hashed = try incoming.commit(expecting: ContentDigest(of: data))
        #expect(hashed.byteCount == 2_500_000)
        let expected = stride(from: 0, to: data.count, by: 1 << 20).map {
            ContentDigest(of: data[$0..<min($0 + 1 << 20, data.count)])
        }
        #expect(hashed.blocks == expected)
    }

    @Test func anotherDigestIsRefusedAndLeavesNothing() throws {
        let incoming = try store.receive()
        try Data("flipped".utf8).withUnsafeBytes { try incoming.write($0) }
        let expected = ContentDigest(of: Data("whole".utf8))
        let found = ContentDigest(of: Data("flipped".utf8))
        #expect(throws: StorageError.wrongDigest(expected: "\(expected)", found: "\(found)")) {
            try incoming.commit(expecting: expected)
        }
        #expect(throws: StorageError.missing("\(found)")) { try store.open(found) }
        #expect(try leftovers().isEmpty)
    }

    @Test func whatIsNotCommittedGoes() throws {
        do {
            let incoming = try store.receive()
            try Data("half".utf8).withUnsafeBytes { try incoming.write($0) }
            #expect(try leftovers().count == 1)
        }
        #expect(try leftovers().isEmpty)
    }

    @Test func rotIsSeen() throws {
        let digest = try store.put(Data(repeating: 7, count: 3000))
        let file = try store.open(digest)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
        try handle.seek(toOffset: 1234)
        try handle.write(contentsOf: Data([8]))
        try handle.close()
        #expect(try !store.open(digest).isIntact())
        // Sent again it is whole again.
        _ = try store.put(Data(repeating: 7, count: 3000))
        #expect(try store.open(digest).isIntact())
    }

    /// What has rotted goes, and never what somebody has stored in its place meanwhile.
    @Test func onlyTheRottenFileIsDisowned() throws {
        let data = Data("a part".utf8)
        let digest = try store.put(data)
        let rotten = try store.open(digest)
        try Data("a p@rt".utf8).write(to: URL(fileURLWithPath: rotten.path))
        _ = try store.put(data)
        #expect(throws: StorageError.self) { try store.verify(rotten) }
        #expect(try store.open(digest).isIntact(), "whole again before")
        try Data("a p@rt".utf8).write(to: URL(fileURLWithPath: rotten.path))
        let other = try store.open(digest)
        #expect(throws: StorageError.self) { try store.gather([digest]) }
        #expect(store.byteCount(of: digest) == nil)
        try store.disown(other)
        #expect(try store.put(data) == digest)
        try store.verify(store.open(digest))
    }

    @Test func aSweepTakesOnlyWhatNobodyHolds() throws {
        let dead = store.root + "/incoming/dead"
        try Data("x".utf8).write(to: URL(fileURLWithPath: dead))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: dead)
        let deadFolder = store.root + "/scratch/dead"
        try FileManager.default.createDirectory(atPath: deadFolder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)],
            ofItemAtPath: deadFolder
        )
        try Data("y".utf8).write(to: URL(fileURLWithPath: store.root + "/incoming/young"))
        let incoming = try store.receive()
        let scratch = try store.makeScratchFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: store.root + "/incoming") where name != "young"
        {
            let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -60)]
            try FileManager.default.setAttributes(old, ofItemAtPath: store.root + "/incoming/" + name)
        }
        #expect(store.sweep() == 2)
        #expect(try leftovers().count == 3)
        _ = try incoming.commit()
        #expect(FileManager.default.fileExists(atPath: scratch.path))
    }

    @Test func adoptedFilesMove() throws {
        let scratch = try store.makeScratchFolder()
        try Data("movie".utf8).write(to: URL(fileURLWithPath: scratch.file("output.mp4")))
        let hashed = try store.adopt(path: scratch.file("output.mp4"))
        #expect(hashed.digest == ContentDigest(of: Data("movie".utf8)))
        #expect(!FileManager.default.fileExists(atPath: scratch.file("output.mp4")))
        #expect(try store.open(hashed.digest).byteCount == 5)
        // A child cannot make the coordinator take another file by its name or by a link.
        #expect(scratch.file("/etc/passwd") == scratch.path + "/passwd")
        symlink("/etc/passwd", scratch.file("index"))
        #expect(throws: StorageError.self) { try store.adopt(path: scratch.file("index")) }
    }

    @Test func gatheredFilesAreLinksAndIntact() throws {
        let digests = try ["b", "a", "b"].map { try store.put(Data($0.utf8)) }
        do {
            let (folder, paths) = try store.gather(digests)
            #expect(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) } == ["b", "a", "b"])
            #expect(paths.allSatisfy { $0.hasPrefix(folder.path + "/") })
        }
        #expect(try leftovers().isEmpty)
        #expect(try digests.allSatisfy { try store.open($0).isIntact() })
        try Data("x".utf8).write(to: URL(fileURLWithPath: store.open(digests[1]).path))
        #expect(throws: StorageError.self) { try store.gather(digests) }
        #expect(throws: StorageError.self) { try store.gather([ContentDigest(of: Data("none".utf8))]) }
        #expect(try leftovers().isEmpty)
    }

    @Test func aFullDiskIsSaidAndLeavesNothing() async throws {
        let mount = folder.path("small")
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        let mounted = try? await Shell.run("mount", ["-t", "tmpfs", "-o", "size=1m", "none", mount])
        guard mounted?.exitCode == 0 else {
            print("SKIPPED aFullDiskIsSaidAndLeavesNothing: may not mount")
            return
        }
        let full = try ArtifactStore(root: mount + "/store")
        let kept = try full.put(Data("kept".utf8))
        let incoming = try full.receive()
        #expect {
            try Data(count: 3 << 20).withUnsafeBytes { try incoming.write($0) }
        } throws: { ($0 as? StorageError)?.code == "no_space" }
        #expect(try FileManager.default.contentsOfDirectory(atPath: full.root + "/incoming").isEmpty)
        #expect(try full.open(kept).isIntact())
        _ = try await Shell.run("umount", ["-l", mount])
    }
}
