import Foundation
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct WaitingPollsTests {
    let worker = WorkerID(uuid: UUID())

    func poll() -> LeasePoll { FarmPieces.poll(worker, wait: 1000) }

    @Test func everybodyIsAskedForOnceForEachChange() {
        var waiting = WaitingPolls()
        let tickets = (0..<5).map { _ in waiting.arrive(poll()).ticket }
        #expect(waiting.take(limit: 3).map(\.ticket) == Array(tickets[0..<3]))
        #expect(waiting.take(limit: 3).map(\.ticket) == Array(tickets[3..<5]))
        #expect(waiting.take(limit: 3).isEmpty)
        let late = waiting.arrive(poll()).ticket
        #expect(waiting.take(limit: 3).map(\.ticket) == [late])
        waiting.leave(tickets[1])
        waiting.change()
        #expect(waiting.take(limit: 9).map(\.ticket) == [tickets[0], tickets[2], tickets[3], tickets[4], late])
    }

    @Test func theSamePollAgainTakesTheFirstOnesPlace() {
        var waiting = WaitingPolls()
        let poll = poll()
        let first = waiting.arrive(poll)
        let second = waiting.arrive(poll)
        #expect(first.replaced == nil)
        #expect(second.replaced == first.ticket)
        #expect(!waiting.isWaiting(first.ticket) && waiting.isWaiting(second.ticket) && waiting.count == 1)
    }

    @Test func nobodyIsSentAwayUnasked() {
        var waiting = WaitingPolls()
        let ticket = waiting.arrive(poll()).ticket
        let isFree = waiting.timeIsUp(ticket)
        #expect(!isFree)
        let asked = waiting.take(limit: 1)
        #expect(waiting.overdue(among: asked) == [ticket])
        waiting.leave(ticket)
        let isAnswered = waiting.timeIsUp(ticket)
        #expect(!isAnswered)
        #expect(waiting.overdue(among: asked).isEmpty)
        let next = waiting.arrive(poll()).ticket
        _ = waiting.take(limit: 1)
        let isFreeNow = waiting.timeIsUp(next)
        #expect(isFreeNow)
    }
}
