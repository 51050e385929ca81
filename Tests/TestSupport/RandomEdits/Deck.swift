/// Deals the places of a table over all seeds: each comes once in a pass, in another order each time, so that what is
/// rare in one edit comes in the next. An edit's seed alone says what it gets.
struct Deck {
    private let count: Int
    private let salt: UInt64
    /// How many cards were dealt before, over all seeds.
    private var dealt: Int

    /// - Parameters:
    ///   - name: two tables of one length have their own orders.
    ///   - cards: how many an edit takes at least.
    init(_ name: String, count: Int, cards: Int, seed: Int) {
        self.count = count
        // FNV-1a.
        salt = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        dealt = seed * cards
    }

    mutating func next() -> Int {
        let (pass, place) = dealt.quotientAndRemainder(dividingBy: count)
        dealt += 1
        var random = SplitMix(state: salt &+ UInt64(pass))
        var order = Array(0..<count)
        for index in stride(from: count - 1, to: 0, by: -1) { order.swapAt(index, random.below(index + 1)) }
        return order[place]
    }
}
