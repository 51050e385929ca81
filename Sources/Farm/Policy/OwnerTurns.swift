/// Whose turn it is to be granted a task: free slots go round between the owners of jobs that have tasks to grant.
///
///     tasks to grant   A A A A A A B B
///     granted          A B A B A A A A
package struct OwnerTurns: Sendable, Hashable {
    /// The number of each owner's last turn, counted from 1 over all owners; none for one who had none yet.
    package private(set) var last: [String: Int64]
    /// The owners who had a turn since this value was made.
    package private(set) var taken: Set<String> = []
    private var newest: Int64

    /// Begins with what was stored.
    package init(_ last: [String: Int64] = [:]) {
        self.last = last
        newest = last.values.max() ?? 0
    }

    /// The number of an owner's last turn; the owner with the lowest comes next.
    package func number(_ owner: String) -> Int64 { last[owner] ?? 0 }

    /// Notes that an owner has a turn now.
    package mutating func take(_ owner: String) {
        newest += 1
        last[owner] = newest
        taken.insert(owner)
    }
}
