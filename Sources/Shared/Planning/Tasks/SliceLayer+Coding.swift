import CompositionModel

extension SliceLayer {
    /// Reads the layer; members that are absent are nil.
    /// - Throws: `DecodingError` for members of another type.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: LayerKey.self)
        from = try container.decodeIfPresent(SliceSource.self, forKey: .from)
        to = try container.decodeIfPresent(SliceSource.self, forKey: .to)
        transition = try container.transition()
        title = try container.decodeIfPresent(SliceTitle.self, forKey: .title)
    }

    /// Writes the layer; members that are nil are left out.
    /// - Throws: `EncodingError` if `encoder` cannot hold a value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LayerKey.self)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encodeIfPresent(to, forKey: .to)
        try container.encodeIfPresent(transition)
        try container.encodeIfPresent(title, forKey: .title)
    }
}
