import CompositionModel
import Foundation
import ObjectStorage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Which worker is given what clients sent to the bucket.
@Suite struct ProbeDispatcherTests {
    private let clock = TestClock()

    private func dispatcher(_ store: PostgresFarmStore) -> ProbeDispatcher {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        return ProbeDispatcher(ledger: store, clock: clock, now: { now }, logger: quietStoreLogger)
    }

    /// An upload of 100 bytes of which all parts are there.
    private func waiting(_ name: String, _ store: PostgresFarmStore) async throws -> BucketUpload {
        let upload = BucketUpload(
            owner: "anna",
            digest: ContentDigest(of: Data(name.utf8)),
            byteCount: 100,
            upload: MultipartUpload(key: name, id: name)
        )
        _ = try await store.begin(upload, atMost: 10, 1000)
        try await store.noteArrival(of: upload)
        return upload
    }

    /// A worker without room does not keep others from it, and what workers may take is known to all coordinators.
    @Test func whoHasRoomIsGivenWhatWaits() async throws {
        let store = try await StoreDatabase.store()
        let dispatcher = dispatcher(store)
        let running = Task { try await dispatcher.run() }
        let small = Task { await dispatcher.poll("small", byteLimit: 50, for: .seconds(3600)) }
        let wanted = Probers(factsVersion: AssetFacts.currentVersion, byteLimit: 50)
        func turn() { clock.advance(by: .milliseconds(250)) }
        try await waitUntil {
            turn()
            return try await store.hasProber(wanted, within: 60_000)
        }
        let upload = try await waiting("a", store)
        let large = Task { await dispatcher.poll("large", byteLimit: 200, for: .seconds(3600)) }
        try await waitUntil {
            turn()
            return try await store.bucketUpload(upload.digest, of: "anna")?.state == .probing
        }
        let claim = try #require(await large.value)
        #expect(claim.upload.upload == upload.upload)
        #expect(try await store.renewProbe(claim.id, for: 60_000) != nil)
        let more = Probers(factsVersion: AssetFacts.currentVersion, byteLimit: 200)
        #expect(try await store.hasProber(more, within: 60_000))
        // At the end nobody waits any more.
        running.cancel()
        #expect(await small.value == nil)
        #expect(await dispatcher.poll("late", byteLimit: 200, for: .seconds(3600)) == nil)
    }

    @Test func aPollEndsWithItsTimeAndWithItsTask() async throws {
        let store = try await StoreDatabase.store()
        let dispatcher = dispatcher(store)
        let first = Task { await dispatcher.poll("one", byteLimit: 200, for: .seconds(10)) }
        try await clock.waitForSleep(of: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await first.value == nil)
        let second = Task { await dispatcher.poll("one", byteLimit: 200, for: .seconds(20)) }
        try await clock.waitForSleep(of: .seconds(20))
        second.cancel()
        #expect(await second.value == nil)
        // What waits is given to none of them.
        let upload = try await waiting("a", store)
        let running = Task { try await dispatcher.run() }
        try await clock.waitForSleep(of: .milliseconds(250))
        clock.advance(by: .milliseconds(250))
        try await clock.waitForSleep(of: .milliseconds(250))
        #expect(try await store.bucketUpload(upload.digest, of: "anna")?.state == .waiting)
        running.cancel()
    }
}
