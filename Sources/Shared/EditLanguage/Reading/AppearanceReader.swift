import CompositionModel

/// Reads what the fields of a segment, a track or a layer say of its picture.
struct AppearanceReader {
    let context: ReadingContext

    /// What the fields of a segment, a track or a layer say of its picture.
    /// - Parameter fields: the members of the segment, the track or the layer.
    func read(_ fields: EditFields) -> EditAppearance {
        var appearance = EditAppearance()
        for property in PictureProperty.allCases {
            guard let node = fields[property.rawValue] else { continue }
            appearance.properties[property] = PropertyReader(context: context).read(
                node,
                property.rawValue,
                property.form
            )
        }
        appearance.blend = context.word(fields["blend"], "blend mode")
        appearance.effects = EffectReader(context: context).read(fields["effects"])
        return appearance
    }
}
