import WireProtocol

/// The long polls that wait for work, in the order in which they came. It is a value: the dispatcher does what follows.
struct WaitingPolls {
    /// A poll that waits.
    struct Entry {
        let ticket: Int
        let poll: LeasePoll
        /// Whether the store was asked for it since the last change.
        var wasAsked = false
        /// Whether it has waited long enough: the next answer is the last one, whatever it is.
        var isOverdue = false
    }

    private var entries: [Entry] = []
    private var lastTicket = 0

    /// The number of polls that wait.
    var count: Int { entries.count }

    /// Adds a poll.
    /// - Returns: the poll's ticket, and that of the same poll sent before, whose client must have gone.
    mutating func arrive(_ poll: LeasePoll) -> (ticket: Int, replaced: Int?) {
        let replaced = entries.first { $0.poll.poll == poll.poll }?.ticket
        if let replaced { leave(replaced) }
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, poll: poll))
        return (lastTicket, replaced)
    }

    /// Removes a poll that was answered, or whose client has gone.
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

    /// Whether the poll of this ticket was neither answered nor given up.
    func isWaiting(_ ticket: Int) -> Bool { entries.contains { $0.ticket == ticket } }

    /// Notes that a poll has waited long enough.
    /// - Returns: whether it can be answered with nothing now; otherwise it first must be asked for once.
    mutating func timeIsUp(_ ticket: Int) -> Bool {
        guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return false }
        entries[index].isOverdue = true
        return entries[index].wasAsked
    }

    /// Notes a change: every poll may have got work.
    mutating func change() {
        for index in entries.indices { entries[index].wasAsked = false }
    }

    /// Takes the polls to ask the store for now, which count as asked from here on.
    /// - Parameter limit: the most polls to take.
    mutating func take(limit: Int) -> [Entry] {
        var taken: [Entry] = []
        for index in entries.indices where !entries[index].wasAsked && taken.count < limit {
            entries[index].wasAsked = true
            taken.append(entries[index])
        }
        return taken
    }

    /// The tickets of the overdue polls among `asked`, which got nothing.
    func overdue(among asked: [Entry]) -> [Int] {
        let tickets = Set(asked.map(\.ticket))
        return entries.filter { $0.isOverdue && tickets.contains($0.ticket) }.map(\.ticket)
    }
}
