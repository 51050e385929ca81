/// Who comes next among many who wait: owners take turns, and within an owner goes first who came first. It is a value:
/// its user does what follows.
struct FairTurns<Element> {
    private struct Entry {
        let ticket: Int
        let element: Element
    }

    /// What waits, by owner; an owner of whom nothing waits is not in it.
    private var queues: [String: [Entry]] = [:]
    /// The owners of ``queues``; the one who had a turn longest ago stands first.
    private var owners: [String] = []
    private var lastTicket = 0

    /// The number of elements that wait.
    var count: Int { queues.values.reduce(0) { $0 + $1.count } }

    /// A ticket that was not given before.
    mutating func nextTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Adds an element behind those of its owner.
    /// - Parameter ticket: the ticket by which it can be removed.
    mutating func add(_ element: Element, of owner: String, ticket: Int) {
        if queues[owner] == nil { owners.append(owner) }
        queues[owner, default: []].append(Entry(ticket: ticket, element: element))
    }

    /// The next element of the first owner in turn who may have one, which is asked with that element.
    func first(where mayHaveTurn: (String, Element) -> Bool) -> (owner: String, element: Element)? {
        for owner in owners {
            if let element = queues[owner]?.first?.element, mayHaveTurn(owner, element) { return (owner, element) }
        }
        return nil
    }

    /// Takes the next element of the first owner in turn who may have one; then it is the turn of all others first.
    /// - Returns: nil when nothing waits, or nobody of those who wait may have a turn.
    mutating func next(where mayHaveTurn: (String) -> Bool) -> (owner: String, element: Element)? {
        guard let place = owners.firstIndex(where: mayHaveTurn) else { return nil }
        let owner = owners.remove(at: place)
        guard let entry = queues[owner]?.removeFirst() else { return nil }
        if queues[owner]?.isEmpty == true { queues[owner] = nil } else { owners.append(owner) }
        return (owner, entry.element)
    }

    /// Removes an element that waits no longer.
    /// - Returns: the element; nil when it had its turn already.
    mutating func remove(_ ticket: Int) -> Element? {
        for (owner, entries) in queues {
            guard let place = entries.firstIndex(where: { $0.ticket == ticket }) else { continue }
            let entry = queues[owner]?.remove(at: place)
            if queues[owner]?.isEmpty == true {
                queues[owner] = nil
                owners.removeAll { $0 == owner }
            }
            return entry?.element
        }
        return nil
    }
}
