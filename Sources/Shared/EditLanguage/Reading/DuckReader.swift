import CompositionModel

/// Reads `duck` of a track: under which other track its sound is lowered, and how.
struct DuckReader {
    let context: ReadingContext

    /// - Returns: nil when there is none, or it does not say under which track.
    func read(_ node: JSONNode?) -> EditDuck? {
        guard let node, let fields = context.fields(node, as: .duck), let under = context.text(fields["under"]) else {
            return nil
        }
        let reader = SoundQuantityReader(context: context)
        func value(_ quantity: SoundQuantity) -> Int64 { reader.read(fields[quantity.name], quantity) }
        let duck = Duck(
            under: [],
            depth: -value(SoundQuantity("by", .decibels, -80...0, standard: -12)),
            attack: value(SoundQuantity("attack", .seconds, 0...30, standard: 0.3)),
            hold: value(SoundQuantity("hold", .seconds, 0...30, standard: 0.3)),
            release: value(SoundQuantity("release", .seconds, 0...30, standard: 0.6)),
            threshold: value(SoundQuantity("threshold", .decibels, -100...0, standard: -40))
        )
        return EditDuck(under: under, duck: duck, mark: node.mark)
    }
}
