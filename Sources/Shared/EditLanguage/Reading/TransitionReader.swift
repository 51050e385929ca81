extension EditReading {
    /// - Parameter kind: of the track; on a track of sound a transition is a crossfade and nothing more.
    mutating func transition(_ node: JSONNode, on kind: EditTrack.Kind) -> EditTransition? {
        guard let fields = fields(node, as: .transition) else { return nil }
        let look = look(fields)
        let audio: Marked<Crossfade.Shape>? = word(fields["audio"], "crossfade")
        let map = look?.kind.rule.hasMap == true ? map(fields) : nil
        guard let duration = time(fields["duration"], .length), let look else { return nil }
        guard !look.kind.rule.hasMap || map != nil else { return nil }
        if kind == .audio, look.kind != .dissolve, let name = fields["transition"] {
            let message = "a track of sound has no picture: its transition is a crossfade"
            report(.contradiction, name.mark, message, suggestion: "\"dissolve\"")
        }
        let shown = look.isPlainDissolve || kind == .audio ? nil : look
        return EditTransition(look: shown, map: map, duration: duration, audio: audio, mark: node.mark)
    }

    private mutating func look(_ fields: EditFields) -> TransitionLook? {
        guard let name = text(fields["transition"]) else { return nil }
        guard var look = TransitionName.look(name.value) else {
            unknownTransition(name)
            return nil
        }
        let rule = look.kind.rule
        checkKeys(fields, of: name.value, rule)
        if let ease = transitionEase(fields["ease"]) { look.ease = ease }
        if let direction = direction(fields["direction"], of: name.value, rule) { look.direction = direction }
        let shape: Marked<TransitionShape>? = word(fields["shape"], "shape of an iris")
        if let shape { look.shape = shape.value }
        if let count = integer(fields["count"], in: rule.count?.range ?? 1...200, of: "the count") {
            look.count = count.value
        }
        if let color = plainColor(fields["color"]) { look.color = color }
        if let color = plainColor(fields["borderColor"]) { look.borderColor = color }
        look.softness = part(fields["softness"], "softness")
        look.border = part(fields["border"], "a border")
        if let flag = flag(fields["reversed"]) { look.reversed = flag.value }
        if let flag = flag(fields["counterclockwise"]) { look.counterclockwise = flag.value }
        if let flag = flag(fields["centered"]) { look.centered = flag.value }
        return look.resolved
    }

    private mutating func map(_ fields: EditFields) -> Marked<String>? {
        guard let node = fields["map"] else {
            report(.missingKey, fields.mark, "a luma wipe names an asset in \"map\"", suggestion: "\"map\": \"asset\"")
            return nil
        }
        guard let name = text(node) else { return nil }
        usedAssets.append(name)
        return name
    }

    private mutating func unknownTransition(_ name: Marked<String>) {
        if let failure = TransitionName.smpteFailure(name.value) {
            return report(.unknownValue, name.mark, "\(failure); docs/transitions.md lists the codes that have one")
        }
        let nearest = Spelling.nearest(to: name.value, in: TransitionName.all)
        let message =
            "there is no transition \"\(name.value)\"; docs/transitions.md shows all \(TransitionKind.allCases.count)"
        report(.unknownValue, name.mark, message, suggestion: nearest.map(JSONText.quoted))
    }

    /// Keys that another kind of transition has.
    private mutating func checkKeys(_ fields: EditFields, of name: String, _ rule: TransitionRule) {
        let parameters = [
            "direction", "shape", "count", "color", "map", "softness", "border", "borderColor", "reversed",
            "counterclockwise", "centered",
        ]
        for key in parameters where !rule.keys.contains(key) {
            guard let node = fields[key] else { continue }
            let has = rule.keys.map(JSONText.quoted).joined(separator: ", ")
            report(.contradiction, node.mark, "the transition \"\(name)\" has no \"\(key)\", only \(has)")
        }
    }

    private mutating func direction(
        _ node: JSONNode?,
        of name: String,
        _ rule: TransitionRule
    ) -> TransitionDirection? {
        let direction: Marked<TransitionDirection>? = word(node, "direction")
        guard let direction, !rule.directions.isEmpty else { return nil }
        guard rule.directions.contains(direction.value) else {
            let list = rule.directions.map { JSONText.quoted($0.rawValue) }.joined(separator: ", ")
            let message = "the transition \"\(name)\" cannot go \"\(direction.value.rawValue)\", only \(list)"
            report(.unknownValue, direction.mark, message)
            return nil
        }
        return direction.value
    }

    private mutating func transitionEase(_ node: JSONNode?) -> Easing? {
        guard let name = text(node) else { return nil }
        if let ease = Easing(name.value) { return ease }
        unknownValue(name, "ease", known: Easing.named.map(\.name) + ["cubicBezier(a,b,c,d)"])
        return nil
    }

    private mutating func plainColor(_ node: JSONNode?) -> String? {
        guard let color = text(node) else { return nil }
        guard ColorText.isColor(color.value), color.value.utf8.count == 7 else {
            let message = "“\(color.value.prefix(40))” is no colour without transparency"
            report(.unknownValue, color.mark, message, suggestion: ColorText.suggestion(for: color.value))
            return nil
        }
        return color.value.lowercased()
    }

    /// A part of the whole, 0 to 1, in millionths.
    private mutating func part(_ node: JSONNode?, _ what: String) -> Int64? {
        guard let node else { return nil }
        guard case .number(let text) = node.value else {
            wrongType(node, wanted: "a number from 0 to 1")
            return nil
        }
        guard let millionths = (try? FixedDecimal(text))?.millionths, (0...1_000_000).contains(millionths) else {
            report(.numberRange, node.mark, "\(what) is a number from 0 to 1, not \(text.prefix(40))")
            return nil
        }
        return millionths
    }
}
