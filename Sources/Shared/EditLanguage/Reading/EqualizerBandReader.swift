import CompositionModel

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
        if let written = fields["gain"], [.notch, .bandPass].contains(kind.value) {
            context.report(.contradiction, written.mark, "a \(kind.value.rawValue) has no gain")
        }
        let reader = SoundQuantityReader(context: context)
        return EqualizerBand(
            kind.value,
            frequency: reader.read(fields["frequency"], EqualizerBand.frequencies),
            gain: reader.read(fields["gain"], EqualizerBand.gains),
            quality: reader.read(fields["quality"], EqualizerBand.qualities)
        )
    }
}
