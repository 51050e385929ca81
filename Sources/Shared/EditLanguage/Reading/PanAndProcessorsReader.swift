import CompositionModel

/// Reads what the fields of a segment or a track say of its sound beside the volume.
struct PanAndProcessorsReader {
    let context: ReadingContext

    /// What the fields of a segment or a track say of its sound.
    /// - Parameter fields: the members of the segment or the track.
    func read(_ fields: EditFields) -> EditSound {
        var sound = EditSound()
        let form = PropertyForm(count: 1, range: -1...1, unit: .factor)
        sound.pan = fields["pan"].flatMap { PropertyReader(context: context).read($0, "pan", form) }
        sound.balance = fields["balance"].flatMap { PropertyReader(context: context).read($0, "balance", form) }
        sound.processors = ProcessorReader(context: context).read(fields["processors"])
        return sound
    }
}
