import CompositionModel
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct PartialUploadTests {
    let folder: TemporaryFolder
    let store: ArtifactStore
    let data = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
    let limits = OwnerUploads.Limits(count: 8, byteCount: 1 << 30)
    var digest: ContentDigest { ContentDigest(of: data) }
    var uploads: OwnerUploads { store.uploads(of: "me") }

    init() throws {
        folder = try TemporaryFolder()
        store = try ArtifactStore(root: folder.path("store"))
    }

    private func begin() throws -> PartialUpload { try uploads.begin(digest, byteCount: 2_500_000, within: limits) }

    private func append(_ range: Range<Int>, _ upload: PartialUpload, of bytes: Data? = nil) throws {
        try (bytes ?? data)[range].withUnsafeBytes { try upload.append($0) }
    }

    @Test func inOneGoItIsNotReadAgain() throws {
        let upload = try begin()
        try append(0..<1_000_000, upload)
        try append(1_000_000..<2_500_000, upload)
        #expect(!upload.readsAtCommit)
        let done = try upload.commit()
        #expect(done.hashed.digest == digest && done.hashed.blocks.count == 3 && done.publication.isNew)
        #expect(store.byteCount(of: digest) == 2_500_000)
        // Whoever loses the answer finds it complete.
        #expect(uploads.standing(of: digest)?.offset == 2_500_000)
        #expect(try uploads.remove(digest) && uploads.standing(of: digest) == nil)
        #expect(try store.isIntact(digest))
    }

    @Test func unfinishedOnesOfAllOwnersAreCounted() throws {
        #expect(store.unfinishedUploads() == (0, 0))
        try append(0..<1_000_000, try begin())
        _ = try store.uploads(of: "you").begin(digest, byteCount: 2_500_000, within: limits)
        #expect(store.unfinishedUploads() == (2, 1_000_000))
    }

    @Test func resumedItIsReadAsAWhole() throws {
        try append(0..<1_000_000, try begin())
        let standing = uploads.standing(of: digest)
        #expect(standing?.offset == 1_000_000 && standing?.byteCount == 2_500_000)
        let resumed = try #require(try uploads.resume(digest))
        #expect(resumed.readsAtCommit)
        try append(1_000_000..<2_500_000, resumed)
        #expect(try resumed.commit().hashed.blocks.count == 3)
        #expect(try #require(try uploads.resume(digest)).commit().hashed.digest == digest)
    }

    /// One sender hashes the right bytes while another lays others below them. What is stored under a digest would be
    /// taken for it by every owner.
    @Test func whoSendsOtherBytesBesideDoesNotGetThemStored() throws {
        let honest = try begin()
        try append(0..<1_000_000, honest)
        // The same upload begun anew, with other bytes up to the same place.
        let second = try begin()
        try append(0..<1_000_000, second, of: Data(count: 1_000_000))
        #expect(throws: UploadRefusal.gone) { try append(1_000_000..<2_500_000, honest) }
        #expect(store.byteCount(of: digest) == nil)
        // At one file, who falls behind does not write.
        let third = try #require(try uploads.resume(digest))
        try append(1_000_000..<1_500_000, third)
        #expect(throws: UploadRefusal.offset(1_500_000)) { try append(1_000_000..<2_500_000, second) }
        #expect(throws: UploadRefusal.offset(1_500_000)) { try third.commit() }
        try append(1_500_000..<2_500_000, third)
        #expect { try third.commit() } throws: { ($0 as? StorageError)?.code == "digest_mismatch" }
        #expect(uploads.standing(of: digest) == nil && store.byteCount(of: digest) == nil)
    }

    /// As above, but begun anew after the last byte: the sender that hashed them all does not name another's file.
    @Test func whatWasBegunAnewIsNotStored() throws {
        let honest = try begin()
        try append(0..<2_500_000, honest)
        try append(0..<1_000_000, try begin(), of: Data(count: 1_000_000))
        #expect(throws: UploadRefusal.gone) { try honest.commit() }
        #expect(store.byteCount(of: digest) == nil && uploads.standing(of: digest)?.offset == 1_000_000)
    }

    /// A sender that still has the file open when it is stored changes nothing of it.
    @Test func whatIsStoredDoesNotGrow() throws {
        let upload = try begin()
        let idle = try #require(try uploads.resume(digest))
        try append(0..<2_500_000, upload)
        _ = try upload.commit()
        #expect(throws: UploadRefusal.offset(2_500_000)) { try append(0..<1, idle) }
        #expect(try uploads.remove(digest))
        #expect(throws: UploadRefusal.gone) { try append(0..<1, idle) }
        #expect(throws: UploadRefusal.gone) { try upload.commit() }
        #expect(try store.isIntact(digest))
    }

    @Test func eachOwnerHasItsOwn() throws {
        try append(0..<10, try begin())
        let other = store.uploads(of: "me/../you")
        #expect(other.standing(of: digest) == nil)
        #expect(try other.resume(digest) == nil && !other.remove(digest))
        #expect(try uploads.remove(digest) && uploads.standing(of: digest) == nil)
    }

    @Test func aSweepTakesWhatIsOldAndNotWhatIsRead() throws {
        try append(0..<10, try begin())
        #expect(store.removeUploads(untouchedFor: 60) == 0)
        let later = try ArtifactStore(root: store.root, now: { Date(timeIntervalSinceNow: 120) })
        #expect(later.removeUploads(untouchedFor: 60, freeing: 0) == 0)
        #expect(later.removeUploads(untouchedFor: 60) == 1)
        #expect(uploads.standing(of: digest) == nil)
    }
}
