import CompositionModel
import Timing

/// Reads a transition between two segments, or between one and nothing.
struct TransitionReader {
    let context: ReadingContext

    /// - Parameter kind: of the track; on a track of sound a transition is a crossfade and nothing more.
    func read(_ node: JSONNode, on kind: EditTrack.Kind) -> EditTransition? {
        guard let fields = context.fields(node, as: .transition) else { return nil }
        let look = look(fields)
        let audio: Marked<Crossfade.Shape>? = context.word(fields["audio"], "crossfade")
        let map = look?.kind.rule.hasMap == true ? mapAsset(fields) : nil
        guard let duration = context.time(fields["duration"], .length), let look else { return nil }
        guard !look.kind.rule.hasMap || map != nil else { return nil }
        if kind == .audio, look.kind != .dissolve, let name = fields["transition"] {
            let message = "a track of sound has no picture: its transition is a crossfade"
            context.report(.contradiction, name.mark, message, suggestion: "\"dissolve\"")
        }
        let shown = look.isPlainDissolve || kind == .audio ? nil : look
        return EditTransition(look: shown, map: map, duration: duration, audio: audio, mark: node.mark)
    }

    private func look(_ fields: EditFields) -> TransitionLook? {
        guard let name = context.text(fields["transition"]) else { return nil }
        guard var look = TransitionName.look(name.value) else {
            unknownTransition(name)
            return nil
        }
        let rule = look.kind.rule
        checkKeys(fields, of: name.value, rule)
        if let ease = transitionEase(fields["ease"]) { look.ease = ease }
        if let direction = direction(fields["direction"], of: name.value, rule) { look.direction = direction }
        let shape: Marked<TransitionShape>? = context.word(fields["shape"], "shape of an iris")
        if let shape { look.shape = shape.value }
        if let count = context.integer(fields["count"], in: rule.count?.range ?? 1...200, of: "the count") {
            look.count = count.value
        }
        if let color = plainColor(fields["color"]) { look.color = color }
        if let color = plainColor(fields["borderColor"]) { look.borderColor = color }
        look.softness = part(fields["softness"], "softness")
        look.border = part(fields["border"], "a border")
        if let flag = context.flag(fields["reversed"]) { look.reversed = flag.value }
        if let flag = context.flag(fields["counterclockwise"]) { look.counterclockwise = flag.value }
        if let flag = context.flag(fields["centered"]) { look.centered = flag.value }
        return look.resolved
    }

    private func mapAsset(_ fields: EditFields) -> Marked<String>? {
        guard let node = fields["map"] else {
            let message = "a luma wipe names an asset in \"map\""
            context.report(.missingKey, fields.mark, message, suggestion: "\"map\": \"asset\"")
            return nil
        }
        guard let name = context.text(node) else { return nil }
        context.usedAssets.append(name)
        return name
    }

    private func unknownTransition(_ name: Marked<String>) {
        if let failure = TransitionName.smpteFailure(name.value) {
            let message = "\(failure); docs/transitions.md lists the codes that have one"
            return context.report(.unknownValue, name.mark, message)
        }
        let nearest = Spelling.nearest(to: name.value, in: TransitionName.all)
        let message =
            "there is no transition \"\(name.value)\"; docs/transitions.md shows all \(TransitionKind.allCases.count)"
        context.report(.unknownValue, name.mark, message, suggestion: nearest.map(JSONText.quoted))
    }

    /// Keys that another kind of transition has.
    private func checkKeys(_ fields: EditFields, of name: String, _ rule: TransitionRule) {
        let parameters = [
            "direction", "shape", "count", "color", "map", "softness", "border", "borderColor", "reversed",
            "counterclockwise", "centered",
        ]
        for key in parameters where !rule.keys.contains(key) {
            guard let node = fields[key] else { continue }
            let has = rule.keys.map(JSONText.quoted).joined(separator: ", ")
            context.report(.contradiction, node.mark, "the transition \"\(name)\" has no \"\(key)\", only \(has)")
        }
    }

    private func direction(
        _ node: JSONNode?,
        of name: String,
        _ rule: TransitionRule
    ) -> TransitionDirection? {
        let direction: Marked<TransitionDirection>? = context.word(node, "direction")
        guard let direction, !rule.directions.isEmpty else { return nil }
        guard rule.directions.contains(direction.value) else {
            let list = rule.directions.map { JSONText.quoted($0.rawValue) }.joined(separator: ", ")
            let message = "the transition \"\(name)\" cannot go \"\(direction.value.rawValue)\", only \(list)"
            context.report(.unknownValue, direction.mark, message)
            return nil
        }
        return direction.value
    }

    private func transitionEase(_ node: JSONNode?) -> Easing? {
        guard let name = context.text(node) else { return nil }
        if let ease = Easing(name.value) { return ease }
        context.unknownValue(name, "ease", known: Easing.named.map(\.name) + ["cubicBezier(a,b,c,d)"])
        return nil
    }

    private func plainColor(_ node: JSONNode?) -> String? {
        context.opaqueColor(node, refusal: "is no colour without transparency")?.value
    }

    /// A part of the whole, 0 to 1, in millionths.
    private func part(_ node: JSONNode?, _ what: String) -> Int64? {
        guard let node else { return nil }
        guard case .number(let text) = node.value else {
            context.wrongType(node, wanted: "a number from 0 to 1")
            return nil
        }
        guard let millionths = (try? FixedDecimal(text))?.millionths, (0...1_000_000).contains(millionths) else {
            context.report(.numberRange, node.mark, "\(what) is a number from 0 to 1, not \(text.prefix(40))")
            return nil
        }
        return millionths
    }
}
