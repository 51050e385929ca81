import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Storage

@Suite struct BlockCacheTests {
    let folder: TemporaryFolder
    let data = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    @Test(arguments: [(ENOSPC, "no_space"), (EDQUOT, "no_space"), (EIO, "cache_failed")])
    func aUsedUpQuotaIsAFullDisk(errno: Int32, code: String) {
        #expect(CachedAsset.error("written", "f", code: errno).failure.code == code)
    }

    init() throws { folder = try TemporaryFolder() }

    func record(_ data: Data) -> AssetRecord {
        let size = Int(AssetRecord.blockSize)
        let blocks = stride(from: 0, to: data.count, by: size).map {
            ContentDigest(of: data[$0..<min($0 + size, data.count)])
        }
        return AssetRecord(
            digest: ContentDigest(of: data),
            byteCount: Int64(data.count),
            blocks: blocks,
            facts: nil,
            frameIndexes: [:]
        )
    }

    func cache(limit: Int64 = 50 << 30) throws -> BlockCache {
        try BlockCache(.init(root: folder.path("blocks"), limit: limit))
    }

    func block(_ number: Int) -> Data { Data(data[number << 20..<min((number + 1) << 20, data.count)]) }

    @Test func aBlockIsThereOnceItsBytesAre() throws {
        let asset = try cache().open(record(data))
        #expect((0..<3).map { asset.holds($0) } == [false, false, false])
        try asset.store(block(1), asBlock: 1)
        try asset.store(block(2), asBlock: 2)
        #expect((0..<3).map { asset.holds($0) } == [false, true, true])
        let stored = try Data(contentsOf: URL(fileURLWithPath: asset.path))
        #expect(stored.count == data.count)
        #expect(stored.dropFirst(1 << 20) == data.dropFirst(1 << 20))
    }

    @Test func otherBytesAreRefused() throws {
        let asset = try cache().open(record(data))
        for wrong in [block(1), block(0).dropLast(), Data(count: 1 << 20)] {
            let error = #expect(throws: CachedAsset.BlockError.self) { try asset.store(wrong, asBlock: 0) }
            #expect(error?.failure.code == "asset_corrupt")
        }
        #expect(!asset.holds(0))
    }

    /// The kernel writes the part that fits and says nothing; why the rest was not written is in its next answer.
    @Test(.enabled(if: geteuid() == 0, "only root may mount a small file system"))
    func aBlockThatFitsInPartIsAFullDisk() async throws {
        let small = folder.path("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
        let mounted = try await Shell.run("mount", ["-t", "tmpfs", "-o", "size=1500k", "none", small])
        try #require(mounted.exitCode == 0, "\(mounted.errors)")
        do {
            let asset = try BlockCache(.init(root: small + "/blocks", limit: 50 << 30)).open(record(data))
            try asset.store(block(0), asBlock: 0)
            let error = #expect(throws: CachedAsset.BlockError.self) { try asset.store(block(1), asBlock: 1) }
            #expect(error?.failure.code == "no_space", "\(String(describing: error))")
            #expect(!asset.holds(1))
        }
        _ = try await Shell.run("umount", ["-l", small])
    }

    @Test func blocksThatTheAssetDoesNotHaveAreNone() throws {
        let asset = try cache().open(record(data))
        for block in [-1, 3, Int64.max, Int64.min] {
            #expect(asset.bytes(ofBlock: block) == nil)
            #expect(!asset.holds(block))
        }
        #expect(asset.bytes(ofBlock: 2) == 2 << 20..<2_500_000)
    }

    @Test func rotIsNoticedWhenTheFileIsOpenedAgain() throws {
        let cache = try cache()
        var path = ""
        do {
            let asset = try cache.open(record(data))
            for number in 0..<3 { try asset.store(block(number), asBlock: Int64(number)) }
            path = asset.path
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 1_500_000)
        try file.write(contentsOf: Data([data[1_500_000] ^ 1]))
        try file.close()
        let again = try cache.open(record(data))
        #expect((0..<3).map { again.holds($0) } == [true, false, true])
    }

    @Test func aFileOfAnotherLengthIsMended() throws {
        let cache = try cache()
        let path = try cache.open(record(data)).path
        try Data(repeating: 1, count: 5_000_000).write(to: URL(fileURLWithPath: path))
        let asset = try cache.open(record(data))
        #expect(!asset.holds(0))
        try asset.store(block(0), asBlock: 0)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == data.count)
    }

    /// Two workers of a host: what one fetched the other has, without a word between them.
    @Test func twoCachesShareAFolder() throws {
        let (first, second) = (try cache(), try cache())
        let asset = try first.open(record(data))
        let same = try second.open(record(data))
        #expect(!same.holds(0))
        try asset.store(block(0), asBlock: 0)
        #expect(same.holds(0))
    }

    @Test func makingRoomTakesTheOldestAndSparesWhatIsInUse() throws {
        let (first, second) = (try cache(limit: 0), try cache(limit: 50 << 30))
        let others = (0..<3).map { number in Data(repeating: UInt8(number + 1), count: 1 << 20) }
        let used = try second.open(record(others[0]))
        try used.store(others[0], asBlock: 0)
        let unused = try filled(second, others[1])
        let opened = try first.open(record(others[2]))
        #expect(FileManager.default.fileExists(atPath: used.path))
        #expect(!FileManager.default.fileExists(atPath: unused))
        #expect(FileManager.default.fileExists(atPath: opened.path))
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let cache = try cache()
        let others = (0..<2).map { number in Data(repeating: UInt8(number + 1), count: 1 << 20) }
        let paths = [try filled(cache, others[0]), try filled(cache, others[1])]
        for (path, age) in zip(paths, [100.0, 7200]) {
            let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -age)]
            try FileManager.default.setAttributes(old, ofItemAtPath: path)
        }
        // Room for one and a half.
        let small = try self.cache(limit: 3 << 19)
        _ = try small.open(record(data))
        #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [true, false])
    }

    /// - Returns: the path of a complete file that nobody has open.
    private func filled(_ cache: BlockCache, _ data: Data) throws -> String {
        let asset = try cache.open(record(data))
        try asset.store(data, asBlock: 0)
        return asset.path
    }
}
