import CompositionModel
import Timing

/// Reads a sound that is generated: `{ "generate": "tone", … }`.
struct GeneratedSoundReader {
    let context: ReadingContext

    /// Keys of one kind alone.
    private static let owners: [(key: String, kinds: [String])] = [
        ("duration", ["silence", "tone", "sweep", "noise"]), ("sampleRate", ["silence", "tone", "sweep", "noise"]),
        ("channels", ["silence", "tone", "sweep", "noise"]), ("level", ["tone", "sweep", "noise"]),
        ("frequency", ["tone"]), ("wave", ["tone"]), ("from", ["sweep"]), ("to", ["sweep"]), ("course", ["sweep"]),
        ("color", ["noise"]), ("seed", ["noise"]), ("text", ["speech"]), ("voice", ["speech"]), ("rate", ["speech"]),
        ("pitch", ["speech"]), ("gap", ["speech"]),
    ]

    /// `{ "generate": "tone", … }`. The sample rate is the edit's where it writes one.
    func read(_ node: JSONNode, in format: EditFormat) -> AssetSource? {
        guard let fields = context.fields(node, as: .generatedSound),
            let name = context.text(fields["generate"])?.value
        else {
            return nil
        }
        let count = context.findings.count
        for (key, kinds) in Self.owners where !kinds.contains(name) {
            guard let node = fields[key] else { continue }
            let owner = kinds.map(JSONText.quoted).joined(separator: ", ")
            context.report(.contradiction, node.mark, "\"\(key)\" belongs to \(owner), not to \"\(name)\"")
        }
        guard context.findings.count == count else { return nil }
        if name == EditObject.spokenSound {
            return SpeechReader(context: context).read(fields, node).map(AssetSource.speech)
        }
        guard let kind = GeneratedSound.Kind(rawValue: name),
            let sound = sound(kind, fields, sampleRate: format.sampleRate?.value ?? 48_000)
        else { return nil }
        return context.findings.count == count ? .generatedSound(sound) : nil
    }

    private func sound(_ kind: GeneratedSound.Kind, _ fields: EditFields, sampleRate: Int) -> GeneratedSound? {
        let rate =
            context.integer(fields["sampleRate"], in: Limits.sampleRates, of: "a sample rate")?.value ?? sampleRate
        let channels = context.integer(
            fields["channels"],
            in: GeneratedSound.channelCounts,
            of: "the number of channels"
        )
        guard let count = sampleCount(fields["duration"], at: rate) else { return nil }
        var sound = GeneratedSound(
            kind: kind,
            sampleRate: rate,
            channels: channels?.value ?? 1,
            sampleCount: count
        )
        let level = SoundQuantity("level", .decibels, -120...0, standard: -20)
        if kind != .silence { sound.level = SoundQuantityReader(context: context).read(fields["level"], level) }
        switch kind {
        case .silence: break
        case .tone:
            sound.frequencies = [frequency("frequency", fields, 1000, at: rate)]
            sound.wave = value(fields["wave"], "wave", .sine)
        case .sweep:
            // Up to what a low sample rate has.
            let top = min(20_000, Double(rate / 2 - 1))
            sound.frequencies = [frequency("from", fields, 20, at: rate), frequency("to", fields, top, at: rate)]
            sound.course = value(fields["course"], "course", .logarithmic)
            if sound.frequencies[0] == sound.frequencies[1] {
                let mark = (fields["to"] ?? fields["from"])?.mark ?? fields.mark
                context.report(.contradiction, mark, "a sweep goes from one frequency to another; this is a \"tone\"")
            }
        case .noise:
            sound.color = value(fields["color"], "colour of noise", .white)
            let seeds = 0...Int(GeneratedSound.seeds.upperBound)
            sound.seed = Int64(context.integer(fields["seed"], in: seeds, of: "a seed")?.value ?? 0)
        }
        return sound
    }

    private func value<Word: RawRepresentable & CaseIterable & Sendable & Hashable>(
        _ node: JSONNode?,
        _ what: String,
        _ standard: Word
    ) -> Word where Word.RawValue == String {
        let written: Marked<Word>? = context.word(node, what)
        return written?.value ?? standard
    }

    private func frequency(_ key: String, _ fields: EditFields, _ standard: Double, at rate: Int) -> Int64 {
        let frequency = SoundQuantity(key, .hertz, 1...Double(rate / 2 - 1), standard: standard)
        return SoundQuantityReader(context: context).read(fields[key], frequency)
    }

    /// Whole samples, rounded; at least one.
    private func sampleCount(_ node: JSONNode?, at rate: Int) -> Int64? {
        guard let node else { return 60 * Int64(rate) }
        guard let written = context.time(node, .length) else { return nil }
        guard case .seconds(let seconds) = written.value, let unit = try? RationalTime(1, Int64(rate)),
            let count = try? seconds.count(of: unit).value
        else {
            context.report(.timeSyntax, node.mark, "how long a sound is, is said in seconds, as in \"2.5s\"")
            return nil
        }
        guard count <= Limits.longestSeconds * Int64(rate) else {
            context.report(.timeRange, node.mark, "a sound lasts at most \(Limits.longestSeconds / 3600) hours")
            return nil
        }
        return max(1, count)
    }
}
