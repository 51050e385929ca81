import CompositionModel
import Timing

/// The facts of a composition's assets, by position.
struct AssetTable {
    private let assets: [CompositionAsset]
    private let facts: [ContentDigest: AssetFacts]
    /// One number for each asset's content, from its digest: the same wherever the asset stands.
    private let seeds: [UInt64]
    /// Of the composition, as they are shown by themselves.
    private var nested: [Nested] = []

    private struct Nested {
        var format: Format
        var runs: [SliceInstruction]
        /// For an output of another size than the composition's, where the edit has the composition's size.
        var scaledRuns: [SliceInstruction]?
        var facts: VideoStreamFacts?
        var seed: UInt64
    }

    /// - Parameter size: of the output.
    init(
        _ composition: Composition,
        facts: [ContentDigest: AssetFacts],
        size: PictureSize
    ) throws(PlanError) {
        assets = composition.assets
        self.facts = facts
        seeds = assets.map { UInt64($0.digest.hex.prefix(16), radix: 16) ?? 0 }
        for index in (composition.nested ?? []).indices {
            let inner = composition.nestedComposition(index)
            var scaled: [SliceInstruction]?
            if size != composition.format.size, inner.format.size == composition.format.size {
                scaled = try PictureRuns(inner, size: size, facts: self).resolved()
            }
            let runs = try PictureRuns(inner, size: inner.format.size, facts: self).resolved()
            var tie = ContentTie()
            for run in runs {
                tie.mix(UInt64(bitPattern: run.frames.count))
                tie.mix(run.layers, assets: self)
            }
            var stream = try exact { () throws(TimeError) in try inner.nestedFacts() }.video.first
            // Where something else begins to be seen: there a border is as good as at a keyframe.
            stream?.keyframes = runs.isEmpty ? [0] : runs.map(\.frames.start)
            nested.append(
                Nested(format: inner.format, runs: runs, scaledRuns: scaled, facts: stream, seed: tie.value)
            )
        }
    }

    func format(ofNested index: Int) -> Format { nested[index].format }
    /// The runs of a nested edit in its own size, their sources in the composition's numbers.
    func runs(ofNested index: Int) -> [SliceInstruction] { nested[index].runs }

    /// As ``runs(ofNested:)`` in the output's size, of an edit of the composition's size.
    func scaledRuns(ofNested index: Int) -> [SliceInstruction] { nested[index].scaledRuns ?? nested[index].runs }

    func seed(_ source: SliceSource) -> UInt64 {
        source.isNested == true ? nested[source.asset].seed : seeds[source.asset]
    }

    func facts(of digest: ContentDigest) -> AssetFacts? { facts[digest] }

    func digest(_ asset: Int) -> ContentDigest { assets[asset].digest }

    func video(_ source: SliceSource) throws(PlanError) -> VideoStreamFacts {
        if source.isNested == true {
            // Only a document that nothing has checked shows an edit that has no picture.
            guard let facts = nested[source.asset].facts else {
                throw .missingStream(ContentDigest(of: [UInt8]()), stream: source.stream)
            }
            return facts
        }
        return try video(source.stream, of: digest(source.asset))
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
        guard stream.isSurelyOpaque, source.track == nil,
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
