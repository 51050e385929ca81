import Testing

@testable import PostgreSQL

@Suite struct PoolStateTests {
    private typealias State = PoolState<Int, String>

    @Test func opensUpToItsSizeThenLetsWait() {
        var state = State(size: 2)
        for _ in 0..<2 { #expect(state.checkout().isOpen) }
        guard case .wait = state.checkout() else { return #expect(Bool(false), "a third connection was lent") }
        state.wait("first", ticket: 1)
        state.wait("second", ticket: 2)
        #expect(state.giveBack(7)?.waiter == "first")
        #expect(state.giveBack(8)?.waiter == "second")
        #expect(state.giveBack(7) == nil)
        #expect(state.idle == [7])
        #expect(state.inUse == 1)
    }

    @Test func thePlaceOfABrokenOneGoesToTheNext() {
        var state = State(size: 1)
        _ = state.checkout()
        state.wait("first", ticket: 1)
        let next = state.giveBack(nil)
        #expect(next?.waiter == "first")
        guard case .open? = next?.grant else { return #expect(Bool(false), "the waiter may not open") }
    }

    @Test func whoGivesUpIsNotServed() {
        var state = State(size: 1)
        _ = state.checkout()
        state.wait("first", ticket: 1)
        #expect(state.giveUp(ticket: 1) == "first")
        #expect(state.giveUp(ticket: 1) == nil)
        #expect(state.giveBack(7) == nil)
    }

    @Test func aClosedPoolKeepsNothing() {
        var state = State(size: 2)
        _ = state.checkout()
        _ = state.checkout()
        _ = state.giveBack(1)
        #expect(state.close() == [1])
        _ = state.giveBack(2)
        #expect(state.idle.isEmpty)
    }
}

extension PoolState.Checkout {
    fileprivate var isOpen: Bool {
        if case .granted(.open) = self { true } else { false }
    }
}
