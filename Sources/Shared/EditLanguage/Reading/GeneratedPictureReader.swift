import CompositionModel
import Timing

/// Reads a picture that is generated: `{ "generate": "bars", … }`.
struct GeneratedPictureReader {
    let context: ReadingContext

    private static let plainSize = PictureSize(width: 1280, height: 720)
    private static let plainLength = RationalTime(whole: 60)

    /// `{ "generate": "bars", … }`. Size and rate are the edit's where it writes them.
    func read(_ node: JSONNode, in format: EditFormat) -> GeneratedPicture? {
        guard let fields = context.fields(node, as: .generated), let name = context.text(fields["generate"]) else {
            return nil
        }
        guard let known = GeneratedPicture.Kind(rawValue: name.value) else {
            let names = GeneratedPicture.Kind.allCases.map(\.rawValue) + EditObject.generatedSoundNames
            context.unknownValue(name, "picture or sound to generate", known: names)
            return nil
        }
        let kind = Marked(known, name.mark)
        let count = context.list.count
        checkKeys(of: kind.value, fields)
        let rate =
            FrameRateReader(context: context).read(fields["frameRate"])?.value ?? format.frameRate?.value
            ?? (try? FrameRate(25))
        let size = FormatReader(context: context).size(fields["size"])?.value ?? format.size?.value ?? Self.plainSize
        let direction: Marked<GeneratedPicture.Direction>? = context.word(fields["direction"], "direction")
        let colors = colors(of: kind.value, fields)
        guard let rate, let frames = frameCount(fields["duration"], of: kind.value, at: rate),
            count == context.list.count
        else { return nil }
        return GeneratedPicture(
            kind: kind.value,
            size: size,
            colors: colors,
            direction: kind.value == .gradient ? direction?.value ?? .right : nil,
            frameRate: rate,
            frameCount: frames
        )
    }

    /// A key that this kind does not look at would be ignored in silence.
    private func checkKeys(of kind: GeneratedPicture.Kind, _ fields: EditFields) {
        let owners: [(String, [GeneratedPicture.Kind])] = [
            ("color", [.solid]), ("colors", [.gradient]), ("direction", [.gradient]), ("frameRate", [.pattern]),
            ("duration", [.pattern]),
        ]
        for (key, kinds) in owners where !kinds.contains(kind) {
            guard let node = fields[key] else { continue }
            let message = "\"\(key)\" belongs to \"\(kinds[0].rawValue)\", not to \"\(kind.rawValue)\""
            context.report(.contradiction, node.mark, message)
        }
    }

    private func colors(of kind: GeneratedPicture.Kind, _ fields: EditFields) -> [String] {
        switch kind {
        case .bars, .pattern: return []
        case .solid: return [fields["color"].map { color($0) } ?? "#000000"]
        case .gradient:
            guard let node = fields["colors"] else { return ["#000000", "#ffffff"] }
            guard case .array(let items) = node.value, items.count == 2 else {
                context.wrongType(node, wanted: "a list of two colours such as [\"#000000\", \"#ffffff\"]")
                return []
            }
            return items.map { color($0) }
        }
    }

    private func color(_ node: JSONNode) -> String { context.opaqueColor(node)?.value ?? "" }

    /// Whole frames, rounded up; at least one.
    private func frameCount(
        _ node: JSONNode?,
        of kind: GeneratedPicture.Kind,
        at rate: FrameRate
    ) -> Int64? {
        guard kind == .pattern else { return 1 }
        var seconds = Self.plainLength
        if let node {
            guard let written = context.time(node, .length) else { return nil }
            do throws(TimeTextError) { seconds = try written.value.seconds(at: rate) } catch {
                context.report(error, written.mark)
                return nil
            }
        }
        guard seconds <= RationalTime(whole: Limits.longestSeconds),
            let count = try? rate.frame(at: seconds, rounding: .up).value
        else {
            let most = Limits.longestSeconds / 3600
            if let node { context.report(.timeRange, node.mark, "a pattern lasts at most \(most) hours") }
            return nil
        }
        return max(1, count)
    }
}
