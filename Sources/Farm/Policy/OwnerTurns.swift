/// Whose turn it is to be granted a task: free slots go round between the owners of jobs that have tasks to grant.
///
///     tasks to grant   A A A A A A B B
///     granted          A B A B A A A A
///
/// Joining goes round too, by turns of its own: it takes a coordinator's lane and no worker's slot.
package struct OwnerTurns: Sendable, Hashable {
    /// The number of each owner's last turn, counted from 1 over all owners; none for one who had none yet.
    package private(set) var last: [String: Int64]
    /// The same of the tasks that join.
    package private(set) var joined: [String: Int64]
    /// The owners who had a turn since this value was made.
    package private(set) var taken: Set<String> = []
    private var newest: Int64

    /// Begins with what was stored.
    package init(_ last: [String: Int64] = [:], joined: [String: Int64] = [:]) {
        (self.last, self.joined) = (last, joined)
        newest = max(last.values.max() ?? 0, joined.values.max() ?? 0)
    }

    /// The number of an owner's last turn; the owner with the lowest comes next.
    package func number(_ owner: String, joining: Bool = false) -> Int64 { (joining ? joined : last)[owner] ?? 0 }

    /// Notes that an owner has a turn now.
    package mutating func take(_ owner: String, joining: Bool = false) {
        newest += 1
        if joining { joined[owner] = newest } else { last[owner] = newest }
        taken.insert(owner)
    }
}
