import TestSupport
import Testing

@testable import CLI

/// What gathers while its taker is busy, taken in batches.
@Suite struct GatheringTests {
    private func gathering(_ values: [Int], weight: Int = 1) -> Gathering<Int> {
        let gathering = Gathering<Int>(mostElements: 3, mostWeight: 10)
        for value in values { gathering.add(value, weight: weight) }
        return gathering
    }

    @Test func batchesHaveAsManyAsTheyMay() async {
        let gathering = gathering(Array(1...7))
        #expect(await gathering.next() == [1, 2, 3])
        #expect(await gathering.next() == [4, 5, 6])
        gathering.finish()
        #expect(await gathering.next() == [7])
        #expect(await gathering.next().isEmpty)
    }

    @Test func heavyElementsGoInSmallerBatches() async {
        let gathering = gathering([1, 2], weight: 6)
        gathering.add(3, weight: 100)
        #expect(await gathering.next() == [1])
        #expect(await gathering.next() == [2])
        #expect(await gathering.next() == [3])
    }

    /// A batch waits for others until it is let go; what comes later waits again.
    @Test func whatIsThereIsLetGo() {
        let gathering = gathering([1, 2])
        #expect(gathering.takeIfReady() == nil)
        gathering.release()
        #expect(gathering.takeIfReady() == [1, 2])
        gathering.add(3, weight: 1)
        gathering.add(4, weight: 1)
        #expect(gathering.takeIfReady() == nil)
        gathering.add(5, weight: 1)
        #expect(gathering.takeIfReady() == [3, 4, 5])
    }

    /// Work that begins while nothing is there lets nothing go that comes later.
    @Test func nothingIsLetGoAhead() {
        let gathering = gathering([])
        gathering.release()
        gathering.add(1, weight: 1)
        #expect(gathering.takeIfReady() == nil)
    }

    @Test(arguments: [1, 2, 3]) func whoWaitsIsWoken(way: Int) async throws {
        let gathering = gathering([])
        let next = Task { await gathering.next() }
        try await waitUntil { gathering.isAwaited }
        if way == 1 {
            gathering.finish()
            #expect(await next.value.isEmpty)
        } else {
            for value in 1...(way == 2 ? 3 : 1) { gathering.add(value, weight: 1) }
            if way == 3 { gathering.release() }
            #expect(await next.value == Array(1...(way == 2 ? 3 : 1)))
        }
    }
}
