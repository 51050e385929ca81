import CompositionModel

extension RandomScene {
    // MARK: Clips

    /// `count` frames of a source from `first` on, with `words` words.
    mutating func clip(_ first: Int, _ count: Int, words: Int) -> String {
        let frames = first..<first + count
        let source = draw("source", RandomSource.all, cards: 6)
        mark("source " + source.name, frames)
        var members = ["\"asset\": \(use(source))", "\"duration\": \"\(count)f\""]
        if source.hasSound { mark("sound of a clip", frames) }
        if source.name == "around" { mark("sound of a clip of six channels", frames) }
        if let seconds = source.seconds, once(in: 4), words == 2,
            let times = [2, 3].first(where: { count.isMultiple(of: $0) && count / $0 >= 6 })
        {
            // A part of the source, again and again; the length follows from both. Each is as long as a transition may be.
            mark("loop", frames)
            let part = count / times
            let start = start(of: source, upTo: seconds - Double(part) / rate - 0.3)
            members[1] = "\"range\": [\(start), \"\(part)f\"], \"loop\": \(times)"
        } else if let seconds = source.seconds {
            let (isBlended, kind) = (once(in: 3), once(in: 2) ? draw("retime", RandomScene.retimes, cards: 2) : nil)
            members += kind.map { retime($0, frames, of: source, seconds) } ?? plain(frames, of: source, seconds)
            if isBlended { members.append("\"blending\": \"frames\"") }
            let names = [isBlended ? "blending" : nil, source.isNested ? "nested" : nil].compactMap(\.self)
            if isBlended { mark("blending", frames) }
            for name in names where kind != nil { mark(name + " retimed", frames) }
            for name in names where ["reverse", "ramp back"].contains(kind) { mark(name + " backwards", frames) }
        }
        if source.hasSound, once(in: 2) { members.append("\"volume\": \(volume(count))") }
        members += self.members("clip", RandomWords.clip, words, frames, cards: 12)
        return "{ \(members.joined(separator: ", ")) }"
    }

    private mutating func plain(_ frames: Range<Int>, of source: RandomSource, _ seconds: Double) -> [String] {
        ["\"in\": \(start(of: source, upTo: seconds - Double(frames.count) / rate - 0.3))"]
    }

    /// A source time before `end`, written in one of the ways of the language.
    private mutating func start(of source: RandomSource, upTo end: Double) -> String {
        let time = end * Double(random.below(1000)) / 1000
        switch random.below(4) {
        case 0: return "\"\(Int(time * rate))f\""
        case 1: return "\"\(Int(time * 97))/97\""
        case 2: return source.rate.map { "\"#\(Int(time * $0))\"" } ?? "\"\(Int(time * 1000))ms\""
        default: return "\"\(Int(time * 1000))ms\""
        }
    }

    mutating func volume(_ count: Int) -> String {
        switch random.below(3) {
        case 0: "\"-\(random.below(20)).5dB\""
        case 1: number(0, 1.5)
        default:
            "[{ \"at\": \"0s\", \"value\": \(number(0, 1)) }, { \"at\": \"\(count / 2)f\", \"value\": \"-3dB\" }]"
        }
    }

    // MARK: Retime

    static let retimes = ["slow", "fast", "reverse", "freeze", "fit", "ramp", "ramp back", "ramp hold"]

    private mutating func retime(
        _ kind: String,
        _ frames: Range<Int>,
        of source: RandomSource,
        _ seconds: Double
    ) -> [String] {
        mark("retime " + kind, frames)
        let length = Double(frames.count) / rate
        func at(_ speed: Double) -> String { "\"in\": \(start(of: source, upTo: seconds - length * speed - 0.3))" }
        func pick(_ speeds: [String]) -> String { speeds[random.below(speeds.count)] }
        switch kind {
        case "slow": return [at(1), "\"speed\": \"\(pick(["1/2", "0.3", "7/9", "1/8"]))\""]
        case "fast": return [at(2.5), "\"speed\": \"\(pick(["2", "3/2", "1.25", "5/2"]))\""]
        case "reverse": return [at(2), "\"speed\": \"-\(pick(["1", "2", "1/3", "1.5"]))\""]
        case "freeze": return ["\"freeze\": \(start(of: source, upTo: seconds - 0.3))"]
        case "fit":
            let start = random.below(Int((seconds - 2 * length - 0.3) * rate))
            let count = frames.count / 2 + random.below(frames.count * 3 / 2)
            return ["\"range\": [\"\(start)f\", \"\(count)f\"]"]
        case "ramp": return [at(2.5), ramp(["0.5", "2.4", "1"], frames)]
        case "ramp back": return ["\"in\": \"\(Int(seconds * 500))ms\"", ramp(["1", "-1.2", "0.25"], frames)]
        default: return [at(2), ramp(["1.9", "0", "1.4"], frames)]
        }
    }

    private mutating func ramp(_ speeds: [String], _ frames: Range<Int>) -> String {
        let eases = ["linear", "inOutSine", "outQuad", "inCubic"]
        let keys = speeds.enumerated().map { place, speed in
            let ease = place == 2 ? "" : ", \"ease\": \"\(eases[random.below(4)])\""
            return "{ \"at\": \"\(place * frames.count / 3)f\", \"value\": \(speed)\(ease) }"
        }
        return "\"speed\": [\(keys.joined(separator: ", "))], \"sound\": false"
    }

    // MARK: Transitions

    static let shapes = TransitionShape.allCases.map(\.rawValue)
    /// Every kind once, `iris` once for each shape.
    private static let transitions: [(TransitionKind, shape: String?)] =
        TransitionKind.allCases.filter { $0 != .iris }.map { ($0, nil) } + shapes.map { (.iris, $0) }
    /// Parameters that one kind has, or two: they are always written. A map must be.
    private static let rare: Set = ["map", "color", "counterclockwise", "centered"]
    static let crossfades = ["equalPower", "linear", "sum", "cut"]

    mutating func transition(_ first: Int, _ count: Int) -> String {
        let frames = first..<first + count
        let (kind, shape) = draw("transition", RandomScene.transitions, cards: 6)
        mark("transition " + kind.rawValue, frames)
        let aliases = TransitionName.aliases.filter { TransitionName.look($0)?.kind == kind }
        let name = once(in: 3) && !aliases.isEmpty ? aliases[random.below(aliases.count)] : kind.rawValue
        var members = ["\"transition\": \"\(name)\"", "\"duration\": \"\(count)f\""]
        if let shape {
            members.append("\"shape\": \"\(shape)\"")
            mark("iris " + shape, frames)
        }
        for key in kind.rule.keys where key != "shape" && (RandomScene.rare.contains(key) || once(in: 2)) {
            members.append("\"\(key)\": \(parameter(key, of: kind.rule, frames))")
            mark("transition with " + key, frames)
        }
        if once(in: 2) { members.append("\"audio\": \"\(RandomScene.crossfades[random.below(4)])\"") }
        return "{ \(members.joined(separator: ", ")) }"
    }

    private mutating func parameter(_ key: String, of rule: TransitionRule, _ frames: Range<Int>) -> String {
        switch key {
        case "ease": return "\"\(RandomScene.eases[random.below(RandomScene.eases.count - 1)])\""
        case "direction": return "\"\(rule.directions[random.below(rule.directions.count)].rawValue)\""
        case "count":
            let range = rule.count?.range ?? 1...1
            return "\(range.lowerBound + random.below(min(range.count, 14)))"
        case "map": return use(RandomSource.map)
        case "softness": return number(0, 0.7)
        case "border": return number(0.01, 0.2)
        case "color", "borderColor": return color()
        default: return once(in: 4) ? "false" : "true"
        }
    }

    // MARK: Titles

    /// A title of `count` frames: a text, layers or subtitles.
    mutating func title(_ first: Int, _ count: Int) -> String {
        let frames = first..<first + count
        var members = ["\"duration\": \"\(count)f\""]
        let choice = random.below(5)
        switch choice {
        case 0, 1: members += text(frames, words: 3)
        case 2, 3: members.append("\"layers\": [\(layers(frames, count: 3, from: RandomWords.layers))]")
        default: members += subtitles(frames)
        }
        // The letters of subtitles cannot be typed.
        let moves = choice == 4 ? RandomWords.moves.filter { $0 != "type" } : RandomWords.moves
        if !once(in: 4) { members.append("\"enter\": \(move("enter", frames, moves))") }
        if !once(in: 4) { members.append("\"exit\": \(move("exit", frames, moves))") }
        members += self.members("title", RandomWords.title, 2, frames, cards: 4)
        return "{ \(members.joined(separator: ", ")) }"
    }

    private mutating func subtitles(_ frames: Range<Int>) -> [String] {
        let cues = draw("subtitles", RandomSource.cues, cards: 1)
        mark("subtitles " + cues.name, frames)
        var members = ["\"subtitles\": \(use(cues))"]
        if once(in: 2) {
            members.append("\"in\": \"\(random.below(2500))ms\"")
            mark("subtitles in", frames)
        }
        // An ASS file has its own styles.
        if cues.name != "ass" { members += self.members("cues", RandomWords.subtitles, 3, frames, cards: 2) }
        return members
    }

    private mutating func move(_ side: String, _ frames: Range<Int>, _ moves: [String]) -> String {
        let move = draw("\(side) of \(moves.count)", moves, cards: 1)
        let count = 3 + random.below(frames.count / 2 - 3)
        let start = side == "enter" ? frames.lowerBound : frames.upperBound - count
        mark("\(side) \(move)", start..<start + count)
        var members = ["\"move\": \"\(move)\"", "\"duration\": \"\(count)f\""]
        if move == "slide" { members.append("\"from\": \"\(["left", "right", "top", "bottom"][random.below(4)])\"") }
        if once(in: 3) { members.append("\"ease\": \"outBack\"") }
        return "{ \(members.joined(separator: ", ")) }"
    }

    /// The members of a text.
    mutating func text(_ frames: Range<Int>, words: Int) -> [String] {
        let (script, text) = draw("script", RandomWords.texts, cards: 2)
        mark("script " + script, frames)
        var members = ["\"text\": \"\(text)\""]
        members += self.members("text", RandomWords.text, words, frames, cards: 4)
        if !members.contains(where: { $0.contains("\"box\"") }), once(in: 2) {
            members += self.members("box", RandomWords.boxes, 1, frames, cards: 1)
        }
        if !members.contains(where: { $0.contains("\"font\"") }) {
            // The edit's own font has Latin letters only.
            let isOwn = ["latin", "accents", "long"].contains(script) && once(in: 2)
            let asset = isOwn ? ", \"asset\": \(use(RandomSource.font))" : ""
            members.append("\"font\": { \"size\": \"12%\"\(asset) }")
        }
        return members
    }

    /// `count` layers of a title.
    mutating func layers(_ frames: Range<Int>, count: Int, from table: [RandomWord]) -> String {
        let layers = (0..<count).map { _ in
            let word = draw("layer of \(table.count)", table, cards: 1)
            mark(word.feature, frames)
            var members = [word.text(&self, frames)]
            members += self.members("layer words", RandomWords.layer, 2, frames, cards: 4)
            return "{ \(members.joined(separator: ", ")) }"
        }
        return layers.joined(separator: ",\n      ")
    }
}
