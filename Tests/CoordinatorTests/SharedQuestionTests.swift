import Synchronization
import TestSupport
import Testing

@testable import Coordinator

/// Many who ask the same share answers, and none gets one that began before.
@Suite struct SharedQuestionTests {
    private final class Source: Sendable {
        private let state = Mutex((asked: 0, gates: [CheckedContinuation<Void, Never>]()))

        var asked: Int { state.withLock(\.asked) }

        /// Numbers the answers; each is held back until it is let go.
        @Sendable func answer() async -> Int {
            await withCheckedContinuation { gate in
                state.withLock { state in
                    state.asked += 1
                    state.gates.append(gate)
                }
            }
            return asked
        }

        func letGo() {
            let gates = state.withLock { state in
                defer { state.gates = [] }
                return state.gates
            }
            for gate in gates { gate.resume() }
        }
    }

    @Test func thoseWhoAskMeanwhileShareTheNext() async throws {
        let source = Source()
        let question = SharedQuestion { await source.answer() }
        let first = Task { try await question.answer() }
        try await waitUntil { source.asked == 1 }
        // Those who ask one after the other wait together: the first of them is in line before the next one asks.
        let others = (0..<20).map { _ in Task { try await question.answer() } }
        try await waitUntil { await question.askers == 21 }
        #expect(source.asked == 1)
        source.letGo()
        #expect(try await first.value == 1)
        try await waitUntil { source.asked == 2 }
        source.letGo()
        for other in others { #expect(try await other.value == 2) }
        let last = Task { try await question.answer() }
        try await waitUntil { source.asked == 3 }
        source.letGo()
        #expect(try await last.value == 3, "nothing is kept")
    }

    @Test func anErrorIsThatOfOneAnswer() async throws {
        struct Failed: Error {}
        let isBroken = Mutex(true)
        let question = SharedQuestion { if isBroken.withLock(\.self) { throw Failed() } }
        await #expect(throws: Failed.self) { try await question.answer() }
        isBroken.withLock { $0 = false }
        try await question.answer()
    }
}
