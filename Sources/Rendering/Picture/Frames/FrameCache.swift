import Media

/// Things that were made for one frame and may serve the next one: what a frame does not use is forgotten at its end,
/// and of what it uses no more is held than a number of bytes.
struct FrameCache<Item> {
    private struct Entry {
        let item: Item
        let byteCount: Int
        var isUsed = true
    }

    /// Above it the one goes whose last use is the longest ago; the last one stays, whatever its size.
    static var mostBytes: Int { 512 << 20 }

    private let mostBytes: Int
    /// What is kept, in the order of its last use.
    private var entries: [Entry] = []

    /// - Parameter mostBytes: the sum of bytes above which the items that were used longest ago go; one always stays.
    init(mostBytes: Int = FrameCache.mostBytes) { self.mostBytes = mostBytes }

    var count: Int { entries.count }
    var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

    /// The item that `isWanted` names, which this frame uses.
    mutating func first(where isWanted: (Item) throws -> Bool) rethrows -> Item? {
        guard let index = try entries.lastIndex(where: { try isWanted($0.item) }) else { return nil }
        var entry = entries.remove(at: index)
        entry.isUsed = true
        entries.append(entry)
        return entry.item
    }

    /// Takes the item that `isWanted` names out.
    mutating func take(where isWanted: (Item) throws -> Bool) rethrows -> Item? {
        guard let index = try entries.lastIndex(where: { try isWanted($0.item) }) else { return nil }
        return entries.remove(at: index).item
    }

    /// Keeps `item`, which this frame uses.
    mutating func insert(_ item: Item, byteCount: Int) {
        entries.append(Entry(item: item, byteCount: byteCount))
        var sum = self.byteCount
        while sum > mostBytes, entries.count > 1 { sum -= entries.removeFirst().byteCount }
    }

    /// Forgets what was not used since the last call.
    mutating func endFrame() {
        entries.removeAll { !$0.isUsed }
        for index in entries.indices { entries[index].isUsed = false }
    }
}

extension Picture {
    /// The bytes of all its planes, with what fills their rows up.
    var byteCount: Int {
        (0..<planeCount).reduce(0) { sum, index in sum + withPlane(index) { abs($0.stride) * $0.height } }
    }
}
