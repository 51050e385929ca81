import Testing

@testable import Coordinator

/// Who comes next.
@Suite struct FairTurnsTests {
    private func queue(_ words: String) -> FairTurns<String> {
        var turns = FairTurns<String>()
        for word in words.split(separator: " ") {
            let ticket = turns.nextTicket()
            turns.add(String(word), of: String(word.prefix(1)), ticket: ticket)
        }
        return turns
    }

    private func order(_ turns: FairTurns<String>) -> String {
        var (turns, taken) = (turns, [String]())
        while let next = turns.next(where: { _ in true }) { taken.append(next.element) }
        return taken.joined(separator: " ")
    }

    @Test(arguments: [
        ("", ""), ("a1 a2 a3", "a1 a2 a3"), ("a1 a2 a3 b1", "a1 b1 a2 a3"), ("a1 a2 b1 c1 b2 c2", "a1 b1 c1 a2 b2 c2"),
    ])
    func ownersTakeTurns(arrivals: String, expected: String) { #expect(order(queue(arrivals)) == expected) }

    @Test func whoComesLaterIsNotPassedOver() {
        var turns = queue("a1 a2 a3 a4")
        #expect(turns.next { _ in true }?.element == "a1")
        let ticket = turns.nextTicket()
        turns.add("b1", of: "b", ticket: ticket)
        #expect(order(turns) == "a2 b1 a3 a4")
    }

    @Test func whoMayNotHaveATurnKeepsHisPlace() {
        var turns = queue("a1 b1 a2")
        #expect(turns.next { $0 != "a" }?.element == "b1")
        #expect(turns.next { $0 != "a" } == nil)
        #expect(order(turns) == "a1 a2")
    }

    @Test func whoIsFirstIsSeenBeforeTheTurn() {
        let turns = queue("a1 b1 a2")
        #expect(turns.first { _, _ in true }?.element == "a1")
        #expect(turns.first { owner, element in owner != "a" && element == "b1" }?.owner == "b")
        #expect(turns.first { _, element in element == "a2" } == nil)
        #expect(order(turns) == "a1 b1 a2")
    }

    @Test func whoLeavesIsForgotten() {
        var turns = queue("a1 b1 a2")
        #expect(turns.remove(1) == "a1" && turns.remove(1) == nil)
        #expect(turns.remove(2) == "b1")
        #expect(order(turns) == "a2")
    }
}
