import CompositionModel
import Timing

/// What writes one random edit: its seed's choices, and where each feature is at work.
struct RandomScene {
    let seed: Int
    /// Frames a second, and as the edit says it.
    let rate: Double
    let rateText: String
    let size: PictureSize
    /// Two thirds of it in every third edit.
    let outputSize: PictureSize?
    var random: SplitMix
    private(set) var spans: [FeatureSpan] = []
    /// Those that the edit names.
    private(set) var sources: [String: String] = [:]
    private var decks: [String: Deck] = [:]

    private static let rates = [
        ("10", 10.0), ("25", 25.0), ("12", 12.0), ("30000/1001", 30000.0 / 1001), ("15", 15.0),
        ("24000/1001", 24000.0 / 1001), ("24", 24.0), ("30", 30.0), ("50", 50.0), ("60", 60.0),
    ]
    private static let sizes = [(160, 90), (128, 96), (256, 144), (192, 108), (96, 128), (158, 86), (320, 180)]
    /// Seeds that many apart have one rate and one size.
    static let period = 70
    static let rateNames = rates.map(\.0)

    init(seed: Int) {
        self.seed = seed
        random = SplitMix(state: UInt64(seed) &* 0x5851_F42D_4C95_7F2D)
        (rateText, rate) = RandomScene.rates[seed % RandomScene.rates.count]
        let (width, height) = RandomScene.sizes[seed % RandomScene.sizes.count]
        size = PictureSize(width: width, height: height)
        outputSize = seed % 3 == 1 ? PictureSize(width: width / 3 * 2, height: height / 3 * 2) : nil
    }

    /// The next entry of `table`; see ``Deck``.
    mutating func draw<Entry>(_ name: String, _ table: [Entry], cards: Int) -> Entry {
        var deck = decks[name] ?? Deck(name, count: table.count, cards: cards, seed: seed)
        defer { decks[name] = deck }
        return table[deck.next()]
    }

    /// `feature` is at work in `frames` of the timeline.
    mutating func mark(_ feature: String, _ frames: Range<Int>) {
        spans.append(FeatureSpan(feature: feature, frames: frames))
    }

    /// The sound of all clips so far is not heard.
    mutating func forgetClipSound() { spans.removeAll { $0.feature.hasPrefix("sound of a clip") } }

    mutating func use(_ source: RandomSource) -> String {
        sources[source.name] = source.json
        return "\"\(source.name)\""
    }

    /// True once in `times`.
    mutating func once(in times: Int) -> Bool { random.below(times) == 0 }

    /// `low` … `high` in thousandths, as text.
    mutating func number(_ low: Double, _ high: Double) -> String {
        let thousandths = Int(low * 1000) + random.below(Int((high - low) * 1000) + 1)
        let size = abs(thousandths)
        let rest = "\(size % 1000 + 1000)".dropFirst()
        return "\(thousandths < 0 ? "-" : "")\(size / 1000).\(rest)"
    }

    mutating func color() -> String { "\"#\(String(random.below(1 << 24) + (1 << 24), radix: 16).dropFirst())\"" }

    /// Two or three keys about an item of `frames`, with eases in turn.
    mutating func keys(_ frames: Range<Int>, _ value: (inout RandomScene) -> String) -> String {
        let count = frames.count
        var times = [random.below(5) - 2, count - 2 - random.below(4)]
        if once(in: 3) { times.insert(count / 2, at: 1) }
        let keys = times.enumerated().map { place, time in
            var text = "\"at\": \"\(time)f\", \"value\": \(value(&self))"
            if place + 1 < times.count {
                let ease = ease()
                let (start, end) = (max(0, time), min(count, times[place + 1]))
                mark("ease " + ease.feature, frames.lowerBound + start..<frames.lowerBound + end)
                text += ", \"ease\": \"\(ease.name)\""
            }
            return "{ \(text) }"
        }
        return "[\(keys.joined(separator: ", "))]"
    }

    private mutating func ease() -> (name: String, feature: String) {
        let name = draw("ease", RandomScene.eases, cards: 8)
        guard name == "cubicBezier" else { return (name, name) }
        let numbers = [number(0, 1), number(-1, 2), number(0, 1), number(-1, 2)]
        return ("cubicBezier(\(numbers.joined(separator: ",")))", name)
    }

    static let eases = Easing.named.map(\.name) + ["cubicBezier"]

    /// `count` words of `table` that do not say one thing twice, as members of an object. Effects become one list.
    mutating func members(
        _ name: String,
        _ table: [RandomWord],
        _ count: Int,
        _ frames: Range<Int>,
        cards: Int
    ) -> [String] {
        var (members, effects): ([String], [String]) = ([], [])
        var said: Set<String> = []
        for _ in 0..<3 * count where members.count + effects.count < count {
            let word = draw(name, table, cards: cards)
            guard word.key == "effects" || said.insert(word.key).inserted else { continue }
            let text = word.text(&self, frames)
            mark(word.feature, frames)
            if word.key == "effects" { effects.append(text) } else { members.append(text) }
        }
        if !effects.isEmpty { members.append("\"effects\": [\(effects.joined(separator: ", "))]") }
        return members
    }
}

/// A line in a table of features: what it is called in the report, and what it writes into an object of the edit.
struct RandomWord: Sendable {
    var feature: String
    /// Two words with one key exclude each other, but `effects` are collected.
    var key: String
    /// Members of the object; of `effects` one effect. The frames are the item's on the timeline.
    var text: @Sendable (inout RandomScene, Range<Int>) -> String

    init(
        _ feature: String,
        _ key: String,
        _ text: @escaping @Sendable (inout RandomScene, Range<Int>) -> String
    ) {
        (self.feature, self.key, self.text) = (feature, key, text)
    }

    /// A word that is always the same.
    init(_ feature: String, _ key: String, _ text: String) { self.init(feature, key) { _, _ in text } }
}
