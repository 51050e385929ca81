/// Reads the `bands` of an equalizer.
struct EqualizerBandReader {
    let context: ReadingContext

    /// - Parameter processor: the equalizer, to which it is said that bands are missing.
    func read(_ node: JSONNode?, in processor: JSONNode) -> [EqualizerBand] {
        let items = context.list(node)
        guard !items.isEmpty, items.count <= Limits.effects else {
            let message = "an equalizer has 1 to \(Limits.effects) bands"
            context.report(.missingKey, (node ?? processor).mark, message, suggestion: EditObject.exampleBand)
            return []
        }
        return items.compactMap { band($0) }
    }

    private func band(_ node: JSONNode) -> EqualizerBand? {
        guard let fields = context.fields(node, as: .equalizerBand),
            let kind: Marked<EqualizerBand.Kind> = context.word(fields["band"], "band")
        else { return nil }
        let frequency = ProcessorParameter("frequency", .hertz, 10...20_000, 1000, "")
        let gain = ProcessorParameter("gain", .decibels, -40...40, 0, "")
        let quality = ProcessorParameter("quality", .factor, 0.1...30, 0.707107, "")
        if let written = fields["gain"], [.notch, .bandPass].contains(kind.value) {
            context.report(.contradiction, written.mark, "a \(kind.value.rawValue) has no gain")
        }
        return EqualizerBand(
            kind.value,
            frequency: fields["frequency"].flatMap { SoundQuantityReader(context: context).read($0, frequency) }
                ?? frequency.standard,
            gain: fields["gain"].flatMap { SoundQuantityReader(context: context).read($0, gain) } ?? gain.standard,
            quality: fields["quality"].flatMap { SoundQuantityReader(context: context).read($0, quality) }
                ?? quality.standard
        )
    }
}
