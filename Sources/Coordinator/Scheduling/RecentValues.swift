/// What was computed lately, by key. The costs of all together stay below a limit: what was not asked for the longest
/// makes room. It is a value: its user guards it.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let cost: Int
        /// The time of the last use, in uses.
        var used: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var cost = 0
    private var uses = 0

    /// - Parameter limit: the most that all values may cost together, in the unit of ``keep(_:for:cost:)``.
    init(limit: Int) { self.limit = limit }

    /// The value of a key; nil when it is not kept.
    mutating func value(of key: Key) -> Value? {
        uses += 1
        entries[key]?.used = uses
        return entries[key]?.value
    }

    /// Keeps a value in place of the one that its key had. One that costs more than the limit by itself is not kept.
    mutating func keep(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        uses += 1
        entries[key] = Entry(value: value, cost: cost, used: uses)
        self.cost += cost
        while self.cost > limit, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key {
            remove(oldest)
        }
    }

    /// Forgets the value of a key.
    mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { cost -= entry.cost }
    }
}
