package import CompositionModel

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

    package func write(to members: inout ObjectMembers) throws {
        if let transition, transition.look == nil { try members.write("dissolve", transition) }
        if let from { try members.write("from", from) }
        if let title { try members.write("title", title) }
        if let to { try members.write("to", to) }
        if let transition, transition.look != nil { try members.write("transition", transition) }
    }
}
