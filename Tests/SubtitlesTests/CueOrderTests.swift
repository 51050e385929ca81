import Testing

@testable import Subtitles

/// Which events are shown when, and from where their places are found.
@Suite struct CueOrderTests {
    private func event(_ start: Int64, _ end: Int64, isPlaced: Bool = false) -> CueOrder.Event {
        CueOrder.Event(start: start, end: end, isPlaced: isPlaced, moves: false)
    }

    @Test func anEventIsShownFromItsStartUpToItsEnd() {
        let order = CueOrder([event(1000, 2000), event(2000, 3000), event(500, 5000), event(4000, 4000)])
        #expect(order.shown(at: 499) == [])
        #expect(order.shown(at: 500) == [2])
        #expect(order.shown(at: 1999) == [2, 0])
        #expect(order.shown(at: 2000) == [2, 1])
        #expect(order.shown(at: 4000) == [2])
        #expect(order.shown(at: 5000) == [])
    }

    @Test func placesAreFoundFromTheChainsBeginning() {
        let order = CueOrder([event(0, 1000), event(900, 2000), event(1500, 3000), event(5000, 6000)])
        #expect(order.steps(to: 500) == [])
        #expect(order.steps(to: 950) == [0, 900])
        #expect(order.steps(to: 2500) == [0, 900, 1500])
        #expect(order.steps(to: 5500) == [])
        #expect(order.steps(to: 4000) == [])
    }

    @Test func whatHasAPlaceOfItsOwnIsInNobodysWay() {
        let order = CueOrder([event(0, 9000, isPlaced: true), event(1000, 2000), event(3000, 4000)])
        #expect(order.steps(to: 1500) == [])
        #expect(order.steps(to: 3500) == [])
        #expect(order.shown(at: 3500) == [0, 2])
    }

    @Test func aLongChainBeginsNearTheFrame() {
        let order = CueOrder((0..<500).map { event($0 * 10, $0 * 10 + 25) })
        let steps = order.steps(to: 4905)
        #expect(steps.count == CueOrder.mostSteps)
        #expect(steps.last == 4900)
    }
}
