import CompositionModel
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

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

    private static func key(_ name: String) -> ContentDigest { ContentDigest(of: Data(name.utf8)) }

    @Test func whatManyAskForIsMadeOnce() async throws {
        let shelf = PreviewShelf(artifacts: artifacts, limit: 1000)
        let made = Count()
        let items = try await withThrowingTaskGroup(of: PreviewItem.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await shelf.item(Self.key("a")) { path in
                        made.value.withLock { $0 += 1 }
                        try Data("picture".utf8).write(to: URL(fileURLWithPath: path))
                        return .plain
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(items).count == 1 && items.count == 20 && made.value.withLock { $0 } == 1)
        #expect(try await shelf.file(of: items[0]).byteCount == 7)
    }

    @Test func theWorkEndsWhenNobodyWaits() async throws {
        let shelf = PreviewShelf(artifacts: artifacts, limit: 1000)
        let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        let begun = Mutex(false)
        let ended = Mutex(false)
        let request = Task {
            try await shelf.item(Self.key("a")) { _ in
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
        let next = try await shelf.item(Self.key("a")) { _ in .track(codec: "avc1") }
        #expect(next.content == .track(codec: "avc1") && next.byteCount == 0)
    }

    @Test func theLongestUnusedMakesRoom() async throws {
        let shelf = PreviewShelf(artifacts: artifacts, limit: 20)
        func item(_ name: String) async throws -> PreviewItem {
            try await shelf.item(Self.key(name)) { path in
                try Data(count: 8).write(to: URL(fileURLWithPath: path))
                return .plain
            }
        }
        let (first, second) = (try await item("a"), try await item("b"))
        _ = try await item("a")
        let third = try await item("c")
        #expect(try await shelf.file(of: first).byteCount == 8)
        #expect(try await shelf.file(of: third).byteCount == 8)
        await #expect(throws: StorageError.self) { try await shelf.file(of: second) }
    }
}
