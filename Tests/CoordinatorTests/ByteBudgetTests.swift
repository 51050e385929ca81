import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// Bytes that are held in memory at a time.
@Suite struct ByteBudgetTests {
    private static let unit = ByteBudget.smallByteCount + 1

    /// A task that holds bytes until it is told to end.
    private final class Holder: Sendable {
        private let state = Mutex((isHolding: false, isReleased: false))
        var isHolding: Bool { state.withLock(\.isHolding) }

        func release() { state.withLock { $0.isReleased = true } }

        func hold(_ units: Int, of owner: String, in budget: ByteBudget) -> Task<Void, any Error> {
            Task {
                try await budget.holding(units * ByteBudgetTests.unit, of: owner) {
                    state.withLock { $0.isHolding = true }
                    try await waitUntil { state.withLock(\.isReleased) }
                }
            }
        }
    }

    private let clock = TestClock()
    private let budget: ByteBudget

    init() { budget = ByteBudget(total: 8 * Self.unit, share: 4 * Self.unit, patience: .seconds(30), clock: clock) }

    /// Who has waited for long enough is told so, and leaves no room taken. A connection that is silent for 75 s is closed
    /// without an answer.
    @Test func nobodyWaitsForEver() async throws {
        let (holder, other) = (Holder(), Holder())
        let holding = holder.hold(4, of: "a", in: budget)
        try await waitUntil { holder.isHolding }
        let waiting = other.hold(1, of: "a", in: budget)
        try await clock.waitForSleep(of: .seconds(30))
        try await waitUntil { await budget.waitingCount == 1 }
        clock.advance(by: .seconds(30))
        let refused = await #expect(throws: ByteBudget.NoRoom.self) { try await waiting.value }
        #expect(refused?.byteCount == Self.unit)
        #expect(await budget.waitingCount == 0)
        holder.release()
        try await holding.value
        try await budget.holding(4 * Self.unit, of: "a") {}
    }

    /// One has a share and waits for more of it; the other has room at once.
    @Test func oneOwnerHasAShare() async throws {
        let holders = (0..<3).map { _ in Holder() }
        let tasks = [
            holders[0].hold(3, of: "a", in: budget), holders[1].hold(4, of: "b", in: budget),
        ]
        try await waitUntil { holders[0].isHolding && holders[1].isHolding }
        let waiting = holders[2].hold(2, of: "a", in: budget)
        // Small bodies and those that fit go on meanwhile.
        try await budget.holding(ByteBudget.smallByteCount, of: "a") {}
        try await budget.holding(Self.unit, of: "c") {}
        #expect(!holders[2].isHolding)
        holders[0].release()
        try await waitUntil { holders[2].isHolding }
        for holder in holders { holder.release() }
        for task in tasks + [waiting] { try await task.value }
    }

    /// A large one is not kept waiting by small ones that come after it.
    @Test func whoIsFirstGetsTheRoom() async throws {
        let holders = (0..<4).map { _ in Holder() }
        var tasks = [holders[0].hold(4, of: "a", in: budget), holders[1].hold(2, of: "b", in: budget)]
        try await waitUntil { holders[0].isHolding && holders[1].isHolding }
        tasks.append(holders[2].hold(3, of: "c", in: budget))
        try await waitUntil { await budget.waitingCount == 1 }
        tasks.append(holders[3].hold(1, of: "d", in: budget))
        try await waitUntil { await budget.waitingCount == 2 }
        holders[1].release()
        try await waitUntil { holders[2].isHolding && holders[3].isHolding }
        for holder in holders { holder.release() }
        for task in tasks { try await task.value }
    }

    @Test func whoLeavesMakesRoomForTheNext() async throws {
        let holders = (0..<4).map { _ in Holder() }
        let first = holders[0].hold(4, of: "a", in: budget)
        try await waitUntil { holders[0].isHolding }
        let second = holders[1].hold(2, of: "b", in: budget)
        try await waitUntil { holders[1].isHolding }
        let large = holders[2].hold(4, of: "c", in: budget)
        try await waitUntil { await budget.waitingCount == 1 }
        let small = holders[3].hold(2, of: "d", in: budget)
        try await waitUntil { await budget.waitingCount == 2 }
        large.cancel()
        try await waitUntil { holders[3].isHolding }
        await #expect(throws: CancellationError.self) { try await large.value }
        for holder in holders { holder.release() }
        for task in [first, second, small] { try await task.value }
        // Whoever failed holds nothing.
        await #expect(throws: CocoaError.self) {
            try await budget.holding(4 * Self.unit, of: "a") { throw CocoaError(.featureUnsupported) }
        }
        try await budget.holding(4 * Self.unit, of: "a") {}
    }
}
