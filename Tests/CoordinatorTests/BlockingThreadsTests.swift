import Foundation
import Testing

@testable import Coordinator

@Suite struct BlockingThreadsTests {
    /// As many large files as one likes are being hashed: answers go on, and so does planning.
    @Test func wholeFilesStandInNobodysWay() async throws {
        let end = DispatchSemaphore(value: 0)
        let readers = (0..<8).map { _ in Task { try await readingWhole { end.wait() } } }
        for _ in 0..<20 {
            #expect(try await blocking { 1 } == 1)
            #expect(try await computing { 2 } == 2)
        }
        for _ in readers { end.signal() }
        for reader in readers { try await reader.value }
    }
}
