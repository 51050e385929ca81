import Dispatch
import Foundation
import Testing
import Threads

@Suite struct DedicatedThreadTests {
    /// More than the pool has threads wait for each other: on the pool they would wait for ever.
    @Test func whatBlocksDoesNotHoldThePool() async throws {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let (arrived, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await DedicatedThread.run {
                        arrived.signal()
                        leave.wait()
                    }
                }
            }
            await DedicatedThread.run {
                for _ in 0..<count { arrived.wait() }
                for _ in 0..<count { leave.signal() }
            }
        }
    }

    @Test func errorsComeBack() async {
        struct Full: Error {}
        await #expect(throws: Full.self) { try await DedicatedThread.run { throw Full() } }
    }
}
