import CompositionModel
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What is made to be looked at is made once, stopped when nobody waits for it, and kept up to a number of bytes.
@Suite struct PreviewShelfTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    private let folder: TemporaryFolder
    private let artifacts: ArtifactStore

    init() throws {
        folder = try TemporaryFolder()
        artifacts = try ArtifactStore(root: folder.path("artifacts"))
    }

    private func shelf(
        limit: Int64 = 1000,
        places: Int = 2,
        owners: OwnerCounter = OwnerCounter(limit: 100),
        clock: any Clock<Duration> = TestClock()
    ) -> PreviewShelf {
        PreviewShelf(
            artifacts: artifacts,
            turns: PreviewTurns(places: places),
            owners: owners,
            clock: clock,
            limit: limit
        )
    }

    private static func key(_ name: String) -> ContentDigest { ContentDigest(of: Data(name.utf8)) }

    @Test func whatManyAskForIsMadeOnce() async throws {
        let shelf = shelf()
        let made = Count()
        let items = try await withThrowingTaskGroup(of: PreviewItem.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await shelf.item(Self.key("a"), for: "a") { path in
                        made.value.withLock { $0 += 1 }
                        try Data("picture".utf8).write(to: URL(fileURLWithPath: path))
                        return .plain
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(items).count == 1 && items.count == 20 && made.value.withLock { $0 } == 1)
        #expect(try await shelf.file(Self.key("a"), for: "a") { _ in .plain }.file?.byteCount == 7)
    }

    @Test func theWorkEndsWhenNobodyWaits() async throws {
        let shelf = shelf()
        let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        let begun = Mutex(false)
        let ended = Mutex(false)
        let request = Task {
            try await shelf.item(Self.key("a"), for: "a") { _ in
                begun.withLock { $0 = true }
                defer { ended.withLock { $0 = true } }
                for await _ in endless {}
                try Task.checkCancellation()
                return .plain
            }
        }
        try await waitUntil { begun.withLock { $0 } }
        request.cancel()
        try await waitUntil { ended.withLock { $0 } }
        await #expect(throws: CancellationError.self) { try await request.value }
        let next = try await shelf.item(Self.key("a"), for: "a") { _ in .track(codec: "avc1") }
        #expect(next.content == .track(codec: "avc1") && next.byteCount == 0)
    }

    @Test func theLongestUnusedMakesRoom() async throws {
        let shelf = shelf(limit: 20)
        let made = Mutex<[String]>([])
        func file(_ name: String) async throws -> Int64? {
            try await shelf.file(Self.key(name), for: "a") { path in
                made.withLock { $0.append(name) }
                try Data(count: 8).write(to: URL(fileURLWithPath: path))
                return .plain
            }.file?.byteCount
        }
        for name in ["a", "b", "a", "c", "a", "c", "b"] { #expect(try await file(name) == 8) }
        #expect(made.withLock(\.self) == ["a", "b", "c", "b"])
    }

    /// Somebody empties the scratch folders, or removes one file of them: it is made again.
    @Test func whatIsGoneIsMadeAgain() async throws {
        let shelf = shelf()
        let made = Count()
        func file() async throws -> StoredFile {
            let answer = try await shelf.file(Self.key("a"), for: "a") { path in
                made.value.withLock { $0 += 1 }
                try Data("picture".utf8).write(to: URL(fileURLWithPath: path))
                return .plain
            }
            return try #require(answer.file)
        }
        let first = try await file()
        try FileManager.default.removeItem(atPath: first.path)
        let second = try await file()
        #expect(second.byteCount == 7 && made.value.withLock(\.self) == 2)
        try FileManager.default.removeItem(atPath: (second.path as NSString).deletingLastPathComponent)
        #expect(try await file().byteCount == 7)
        #expect(try await file().byteCount == 7)
        #expect(made.value.withLock(\.self) == 3)
    }

    /// A part that makes no picture is not rendered again at each look.
    @Test func aFailureIsRememberedForAMinute() async throws {
        let clock = TestClock()
        let shelf = shelf(clock: clock)
        let tried = Count()
        func look(_ code: String) async throws {
            _ = try await shelf.item(Self.key(code), for: "a") { _ in
                tried.value.withLock { $0 += 1 }
                throw Problem(status: 422, code: code, title: "No preview", detail: "No picture.")
            }
        }
        for _ in 0..<3 { await #expect(throws: Problem.self) { try await look("preview_failed") } }
        #expect(tried.value.withLock(\.self) == 1)
        clock.advance(by: .seconds(61))
        await #expect(throws: Problem.self) { try await look("preview_failed") }
        #expect(tried.value.withLock(\.self) == 2)
        for _ in 0..<2 { await #expect(throws: Problem.self) { try await look("not_kept") } }
        #expect(tried.value.withLock(\.self) == 4, "whatever may pass is tried again")
    }

    /// Of what waits for its turn there is no folder yet; the next of an owner who has enough under way is refused, and
    /// one who leaves makes room.
    @Test func anOwnerHasFewUnderWay() async throws {
        let owners = OwnerCounter(limit: 2)
        let shelf = shelf(places: 1, owners: owners)
        let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        let begun = Count()
        let work: PreviewShelf.Make = { _ in
            begun.value.withLock { $0 += 1 }
            for await _ in endless {}
            try Task.checkCancellation()
            return .plain
        }
        let first = Task { try await shelf.item(Self.key("a"), for: "many", work) }
        try await waitUntil { begun.value.withLock { $0 == 1 } }
        let folders = try scratchFolders()
        let second = Task { try await shelf.item(Self.key("b"), for: "many", work) }
        try await waitUntil { owners.underWay(of: "many") == 2 }
        let refused = await #expect(throws: Problem.self) {
            try await shelf.item(Self.key("c"), for: "many") { _ in .plain }
        }
        #expect(refused?.code == "too_many_previews" && refused?.status == 429)
        #expect(try scratchFolders() == folders, "nothing is made before it is its turn")
        let other = Task { try await shelf.item(Self.key("d"), for: "one") { _ in .plain } }
        first.cancel()
        second.cancel()
        #expect(try await other.value.content == .plain)
        for gone in [first, second] { await #expect(throws: CancellationError.self) { try await gone.value } }
        #expect(try await shelf.item(Self.key("e"), for: "many") { _ in .plain }.content == .plain)
    }

    private func scratchFolders() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: artifacts.root)?.allObjects as? [String] ?? []
        return all.filter { !$0.hasSuffix("preview") }.sorted()
    }
}
