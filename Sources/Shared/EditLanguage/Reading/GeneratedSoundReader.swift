extension EditReading {
    /// What `"generate"` may say of sound.
    static let soundNames = GeneratedSound.Kind.allCases.map(\.rawValue) + [spoken]
    private static let spoken = "speech"

    /// Keys of one kind alone.
    private static let owners: [(key: String, kinds: [String])] = [
        ("duration", ["silence", "tone", "sweep", "noise"]), ("sampleRate", ["silence", "tone", "sweep", "noise"]),
        ("channels", ["silence", "tone", "sweep", "noise"]), ("level", ["tone", "sweep", "noise"]),
        ("frequency", ["tone"]), ("wave", ["tone"]), ("from", ["sweep"]), ("to", ["sweep"]), ("course", ["sweep"]),
        ("color", ["noise"]), ("seed", ["noise"]), ("text", ["speech"]), ("voice", ["speech"]), ("rate", ["speech"]),
        ("pitch", ["speech"]), ("gap", ["speech"]),
    ]

    /// `{ "generate": "tone", … }`. The sample rate is the edit's where it writes one.
    mutating func generatedSound(_ node: JSONNode, in format: EditFormat) -> AssetSource? {
        guard let fields = fields(node, as: .generatedSound), let name = text(fields["generate"])?.value else {
            return nil
        }
        let count = findings.count
        for (key, kinds) in EditReading.owners where !kinds.contains(name) {
            guard let node = fields[key] else { continue }
            let owner = kinds.map(JSONText.quoted).joined(separator: ", ")
            report(.contradiction, node.mark, "\"\(key)\" belongs to \(owner), not to \"\(name)\"")
        }
        guard findings.count == count else { return nil }
        if name == EditReading.spoken { return speech(fields, node).map(AssetSource.speech) }
        guard let kind = GeneratedSound.Kind(rawValue: name),
            let sound = sound(kind, fields, sampleRate: format.sampleRate?.value ?? 48_000)
        else { return nil }
        return findings.count == count ? .generatedSound(sound) : nil
    }

    private mutating func sound(_ kind: GeneratedSound.Kind, _ fields: EditFields, sampleRate: Int) -> GeneratedSound? {
        let rate = integer(fields["sampleRate"], in: Limits.sampleRates, of: "a sample rate")?.value ?? sampleRate
        let channels = integer(fields["channels"], in: GeneratedSound.channelCounts, of: "the number of channels")
        guard let count = sampleCount(fields["duration"], at: rate) else { return nil }
        var sound = GeneratedSound(
            kind: kind,
            sampleRate: rate,
            channels: channels?.value ?? 1,
            sampleCount: count
        )
        let level = ProcessorParameter("level", .decibels, -120...0, -20, "")
        if kind != .silence { sound.level = fields["level"].flatMap { quantity($0, level) } ?? level.standard }
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
                report(.contradiction, mark, "a sweep goes from one frequency to another; this is a \"tone\"")
            }
        case .noise:
            sound.color = value(fields["color"], "colour of noise", .white)
            let seeds = 0...Int(GeneratedSound.seeds.upperBound)
            sound.seed = Int64(integer(fields["seed"], in: seeds, of: "a seed")?.value ?? 0)
        }
        return sound
    }

    private mutating func value<Word: RawRepresentable & CaseIterable & Sendable & Hashable>(
        _ node: JSONNode?,
        _ what: String,
        _ standard: Word
    ) -> Word where Word.RawValue == String {
        let written: Marked<Word>? = word(node, what)
        return written?.value ?? standard
    }

    private mutating func frequency(_ key: String, _ fields: EditFields, _ standard: Double, at rate: Int) -> Int64 {
        let parameter = ProcessorParameter(key, .hertz, 1...Double(rate / 2 - 1), standard, "")
        return fields[key].flatMap { quantity($0, parameter) } ?? parameter.standard
    }

    /// Whole samples, rounded; at least one.
    private mutating func sampleCount(_ node: JSONNode?, at rate: Int) -> Int64? {
        guard let node else { return 60 * Int64(rate) }
        guard let written = time(node, .length) else { return nil }
        guard case .seconds(let seconds) = written.value, let unit = try? RationalTime(1, Int64(rate)),
            let count = try? seconds.count(of: unit).value
        else {
            report(.timeSyntax, node.mark, "how long a sound is, is said in seconds, as in \"2.5s\"")
            return nil
        }
        guard count <= Limits.longestSeconds * Int64(rate) else {
            report(.timeRange, node.mark, "a sound lasts at most \(Limits.longestSeconds / 3600) hours")
            return nil
        }
        return max(1, count)
    }

    private mutating func speech(_ fields: EditFields, _ node: JSONNode) -> SpokenText? {
        let count = findings.count
        guard let words = text(fields["text"]) else {
            if fields["text"] == nil {
                report(.missingKey, node.mark, "speech needs a \"text\"", suggestion: "\"text\": \"Hello\"")
            }
            return nil
        }
        let isSilent = !words.value.contains { $0.isLetter || $0.isNumber }
        if isSilent || words.value.utf8.count > SpokenText.longestText || words.value.utf8.contains(0) {
            let most = "at most \(SpokenText.longestText) bytes of UTF-8"
            report(.numberRange, words.mark, "a spoken text has a letter or a digit and \(most)")
        }
        let voice = text(fields["voice"])
        if let voice, voice.value.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_+-]*/) == nil {
            let what = "“\(voice.value.prefix(40))” is no voice of espeak-ng"
            report(.unknownValue, voice.mark, what + "; write one such as \"de\" or \"en-us+f3\"")
        }
        let spoken = SpokenText(
            text: words.value,
            voice: voice?.value ?? "en",
            rate: integer(fields["rate"], in: SpokenText.rates, of: "words a minute")?.value ?? 175,
            pitch: integer(fields["pitch"], in: SpokenText.pitches, of: "a pitch")?.value ?? 50,
            gap: gap(fields["gap"])
        )
        return findings.count == count ? spoken : nil
    }

    private mutating func gap(_ node: JSONNode?) -> Int {
        let most = Double(SpokenText.gaps.upperBound) / 100
        let parameter = ProcessorParameter("gap", .seconds, 0...most, 0, "")
        guard let node, let micros = quantity(node, parameter) else { return 0 }
        guard micros.isMultiple(of: 10_000) else {
            report(.numberRange, node.mark, "a gap is a whole number of hundredths of a second")
            return 0
        }
        return Int(micros / 10_000)
    }
}
