/// The facts of a composition's assets, by position.
struct AssetTable {
    private let assets: [CompositionAsset]
    private let facts: [ContentDigest: AssetFacts]
    /// One number for each asset's content, from its digest: the same wherever the asset stands.
    private let seeds: [UInt64]

    init(_ composition: Composition, facts: [ContentDigest: AssetFacts]) {
        assets = composition.assets
        self.facts = facts
        seeds = assets.map { UInt64($0.digest.hex.prefix(16), radix: 16) ?? 0 }
    }

    func digest(_ asset: Int) -> ContentDigest { assets[asset].digest }
    func seed(_ asset: Int) -> UInt64 { seeds[asset] }

    func video(_ source: SliceSource) throws(PlanError) -> VideoStreamFacts {
        try video(source.stream, of: digest(source.asset))
    }

    func video(_ stream: Int, of digest: ContentDigest) throws(PlanError) -> VideoStreamFacts {
        guard let known = facts[digest] else { throw .missingFacts(digest) }
        guard let found = known.video.first(where: { $0.streamIndex == stream }) else {
            throw .missingStream(digest, stream: stream)
        }
        return found
    }

    /// Whether the source surely covers each pixel of a frame of `size`. In doubt it does not: then what lies below is
    /// composited too, which costs time and changes nothing.
    func isOpaqueAndFull(_ source: SliceSource, size: PictureSize) throws(PlanError) -> Bool {
        let stream = try video(source)
        guard !stream.mayBeTransparent, source.track == nil,
            source.appearance?.surelyCovers ?? true
        else { return false }
        let shown = stream.displaySize
        let isSquare = stream.pixelAspect == RationalTime(whole: 1)
        switch source.fit {
        case .fill, .cover: return true
        case .contain: return isSquare && shown.width * size.height == shown.height * size.width
        case .none: return isSquare && shown == size
        }
    }
}

extension VideoStreamFacts {
    /// Whether the pixel format has, or may have, alpha: libavutil's names of such formats.
    var mayBeTransparent: Bool {
        ["yuva", "rgba", "argb", "bgra", "abgr", "gbrap", "ayuv", "vuya", "ya8", "ya16", "pal8"]
            .contains { pixelFormat.hasPrefix($0) }
    }
}
