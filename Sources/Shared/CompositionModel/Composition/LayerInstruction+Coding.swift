extension LayerInstruction {
    /// Decodes the layer; its transition is under either key of ``LayerKey``.
    /// - Throws: `DecodingError` when a value is malformed, or the layer has two transitions.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: LayerKey.self)
        from = try container.decodeIfPresent(String.self, forKey: .from)
        to = try container.decodeIfPresent(String.self, forKey: .to)
        transition = try container.transition()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LayerKey.self)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encodeIfPresent(to, forKey: .to)
        try container.encodeIfPresent(transition)
    }
}
