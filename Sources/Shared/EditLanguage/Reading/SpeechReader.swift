import CompositionModel

/// Reads a text that a synthesizer speaks: `{ "generate": "speech", … }`.
struct SpeechReader {
    let context: ReadingContext

    /// - Parameter node: the whole object, to which a missing text is said.
    func read(_ fields: EditFields, _ node: JSONNode) -> SpokenText? {
        let count = context.findings.count
        guard let words = context.text(fields["text"]) else {
            if fields["text"] == nil {
                context.report(.missingKey, node.mark, "speech needs a \"text\"", suggestion: "\"text\": \"Hello\"")
            }
            return nil
        }
        let isSilent = !words.value.contains { $0.isLetter || $0.isNumber }
        if isSilent || words.value.utf8.count > SpokenText.longestText || words.value.utf8.contains(0) {
            let most = "at most \(SpokenText.longestText) bytes of UTF-8"
            context.report(.numberRange, words.mark, "a spoken text has a letter or a digit and \(most)")
        }
        let voice = context.text(fields["voice"])
        if let voice, voice.value.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_+-]*/) == nil {
            let what = "“\(voice.value.prefix(40))” is no voice of espeak-ng"
            context.report(.unknownValue, voice.mark, what + "; write one such as \"de\" or \"en-us+f3\"")
        }
        let spoken = SpokenText(
            text: words.value,
            voice: voice?.value ?? "en",
            rate: context.integer(fields["rate"], in: SpokenText.rates, of: "words a minute")?.value ?? 175,
            pitch: context.integer(fields["pitch"], in: SpokenText.pitches, of: "a pitch")?.value ?? 50,
            gap: gap(fields["gap"])
        )
        return context.findings.count == count ? spoken : nil
    }

    private func gap(_ node: JSONNode?) -> Int {
        let most = Double(SpokenText.gaps.upperBound) / 100
        let gap = SoundQuantity("gap", .seconds, 0...most, standard: 0)
        guard let node, let micros = SoundQuantityReader(context: context).value(node, gap) else { return 0 }
        guard micros.isMultiple(of: 10_000) else {
            context.report(.numberRange, node.mark, "a gap is a whole number of hundredths of a second")
            return 0
        }
        return Int(micros / 10_000)
    }
}
