/// What a caller of the pool gets.
enum PoolGrant<Item> {
    case use(Item)
    /// The holder opens a new one in the place it was given.
    case open
}

extension PoolGrant: Sendable where Item: Sendable {}

/// Who holds, waits for or may open which connection: pure, one value behind the pool's lock.
///
/// At any time `idle.count + inUse ≤ size`, and nobody waits while a connection is idle or may be opened.
struct PoolState<Item, Waiter> {
    enum Checkout {
        case granted(PoolGrant<Item>)
        case wait
    }

    let size: Int
    private(set) var idle: [Item] = []
    private(set) var inUse = 0
    private var waiters: [(ticket: UInt64, waiter: Waiter)] = []
    private(set) var isClosed = false

    init(size: Int) { self.size = size }

    mutating func checkout() -> Checkout {
        if let item = idle.popLast() {
            inUse += 1
            return .granted(.use(item))
        }
        guard inUse < size else { return .wait }
        inUse += 1
        return .granted(.open)
    }

    mutating func wait(_ waiter: Waiter, ticket: UInt64) { waiters.append((ticket: ticket, waiter: waiter)) }

    /// - Returns: nil when it was served meanwhile.
    mutating func giveUp(ticket: UInt64) -> Waiter? {
        guard let position = waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiters.remove(at: position).waiter
    }

    /// - Parameter item: nil when it broke or never opened; its place then goes on to whoever waits longest.
    /// - Returns: the waiter to wake, with what it gets.
    mutating func giveBack(_ item: Item?) -> (waiter: Waiter, grant: PoolGrant<Item>)? {
        if !waiters.isEmpty {
            return (waiter: waiters.removeFirst().waiter, grant: item.map { .use($0) } ?? .open)
        }
        inUse -= 1
        if let item, !isClosed { idle.append(item) }
        return nil
    }

    /// - Returns: the connections to drop; those in use are dropped when they come back.
    mutating func close() -> [Item] {
        isClosed = true
        defer { idle = [] }
        return idle
    }
}
