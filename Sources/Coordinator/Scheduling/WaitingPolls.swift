import WireProtocol

/// The long polls that wait for work, in the order they came. A value: what is done about them is the dispatcher's.
struct WaitingPolls {
    struct Entry {
        let ticket: Int
        let poll: LeasePoll
        /// The store was asked for it since the last change.
        var wasAsked = false
        /// It has waited long enough: the next answer is the last one, whatever it is.
        var isOverdue = false
    }

    private var entries: [Entry] = []
    private var lastTicket = 0

    var count: Int { entries.count }

    /// - Returns: the poll's ticket; and that of the same poll sent before, whose client must have gone.
    mutating func arrive(_ poll: LeasePoll) -> (ticket: Int, replaced: Int?) {
        let replaced = entries.first { $0.poll.poll == poll.poll }?.ticket
        if let replaced { leave(replaced) }
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, poll: poll))
        return (lastTicket, replaced)
    }

    /// It was answered, or its client has gone.
    /// - Returns: whether it was still waiting.
    @discardableResult
    mutating func leave(_ ticket: Int) -> Bool {
        guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return false }
        entries.remove(at: index)
        return true
    }

    /// The ticket under which the entry waits: its own, or that of the same poll sent again; nil when its client has
    /// gone.
    func ticket(for entry: Entry) -> Int? {
        if isWaiting(entry.ticket) { return entry.ticket }
        return entries.first { $0.poll.poll == entry.poll.poll }?.ticket
    }

    func isWaiting(_ ticket: Int) -> Bool { entries.contains { $0.ticket == ticket } }

    /// The poll's time is up.
    /// - Returns: whether it can be answered with nothing now; else it first must be asked for once.
    mutating func timeIsUp(_ ticket: Int) -> Bool {
        guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return false }
        entries[index].isOverdue = true
        return entries[index].wasAsked
    }

    /// Something changed: every poll may have got work.
    mutating func change() {
        for index in entries.indices { entries[index].wasAsked = false }
    }

    /// Those to ask the store for now, at most `limit`; they count as asked from here on.
    mutating func take(limit: Int) -> [Entry] {
        var taken: [Entry] = []
        for index in entries.indices where !entries[index].wasAsked && taken.count < limit {
            entries[index].wasAsked = true
            taken.append(entries[index])
        }
        return taken
    }

    /// The overdue ones among `asked`, which got nothing.
    func overdue(among asked: [Entry]) -> [Int] {
        let tickets = Set(asked.map(\.ticket))
        return entries.filter { $0.isOverdue && tickets.contains($0.ticket) }.map(\.ticket)
    }
}
