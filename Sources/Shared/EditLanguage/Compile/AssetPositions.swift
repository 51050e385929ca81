import CompositionModel

/// Assets in order of first use: clips, maps of transitions, what titles show, what effects work with; nested edits are
/// counted by themselves, and bring along what they use.
struct AssetPositions {
    let assets: [CompositionAsset]
    /// The nested edits in order of first use; nil is none.
    let nested: [NestedComposition]?
    private let positions: [String: Int]
    private let edits: Set<String>

    init(_ tracks: [PlacedTrack], _ titles: [PlacedTitleTrack], _ known: [String: CompilerAsset]) {
        var parts = CompositionParts()
        var positions: [String: Int] = [:]
        var edits: Set<String> = []
        let segments = tracks.lazy.flatMap(\.segments)
        let faded = segments.filter { $0.fadeIn != nil || $0.fadeOut != nil }
        let maps = faded.flatMap { [$0.fadeIn?.map?.asset, $0.fadeOut?.map?.asset].compactMap(\.self) }
        let changed = segments.filter { !$0.segment.hasPlainPicture }
        let drawn = titles.flatMap(\.titles).flatMap(\.assets)
        let effects =
            tracks.flatMap(\.track.appearance.assets) + changed.flatMap { $0.segment.appearance.assets }
            + titles.flatMap(\.titles).flatMap(\.title.appearances).flatMap(\.assets)
        let played: [String] = segments.map { $0.asset }
        for name in played + maps + drawn + effects where positions[name] == nil {
            guard let asset = known[name] else { continue }
            if let composition = asset.composition {
                positions[name] = parts.embed(composition, name: name)
                edits.insert(name)
                continue
            }
            positions[name] = parts.assets.count
            parts.assets.append(CompositionAsset(name: name, digest: asset.digest))
        }
        assets = parts.assets
        nested = parts.nested.isEmpty ? nil : parts.nested
        (self.positions, self.edits) = (positions, edits)
    }

    /// Whether an asset is an edit: then its position is one of the nested ones.
    func isNested(_ name: String) -> Bool { edits.contains(name) }

    /// The position of an asset that a placed segment or transition uses.
    func position(_ name: String) -> Int { positions[name] ?? 0 }
}
