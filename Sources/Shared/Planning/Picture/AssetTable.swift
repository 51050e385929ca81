import CompositionModel
import Timing

/// The facts of a composition's assets, by position.
struct AssetTable {
    private let assets: [CompositionAsset]
    private let facts: [ContentDigest: AssetFacts]
    /// The facts of each asset, where they were given: found by position, because every piece asks for them.
    private let known: [AssetFacts?]
    /// One number for each asset's content, from its digest: the same wherever the asset stands.
    private let seeds: [UInt64]
    /// The composition's nested edits, resolved as if each were shown by itself.
    private var nested: [Nested] = []

    private struct Nested {
        var format: Format
        var runs: [SliceInstruction]
        /// The runs in the output's size; nil unless the edit has the composition's size and the output another.
        var scaledRuns: [SliceInstruction]?
        var facts: VideoStreamFacts?
        var seed: UInt64
    }

    /// Resolves the nested edits of `composition`.
    /// - Parameter size: The size of the output, in pixels.
    /// - Throws: ``PlanError`` when a nested edit cannot be resolved.
    init(
        _ composition: Composition,
        facts: [ContentDigest: AssetFacts],
        size: PictureSize
    ) throws(PlanError) {
        assets = composition.assets
        self.facts = facts
        known = assets.map { facts[$0.digest] }
        seeds = assets.map { UInt64($0.digest.hex.prefix(16), radix: 16) ?? 0 }
        for index in (composition.nested ?? []).indices {
            let inner = composition.nestedComposition(index)
            var scaled: [SliceInstruction]?
            if size != composition.format.size, inner.format.size == composition.format.size {
                scaled = try PictureRuns(inner, size: size, facts: self).resolved()
            }
            let runs = try PictureRuns(inner, size: inner.format.size, facts: self).resolved()
            var tie = ContentTieBreaker()
            for run in runs {
                tie.mix(UInt64(bitPattern: run.frames.count))
                tie.mix(run.layers, assets: self)
            }
            var stream = try exact { () throws(TimeError) in try inner.nestedFacts() }.video.first
            // A border where another source begins is as good as one at a keyframe.
            stream?.keyframes = runs.isEmpty ? [0] : runs.map(\.frames.start)
            nested.append(
                Nested(format: inner.format, runs: runs, scaledRuns: scaled, facts: stream, seed: tie.value)
            )
        }
    }

    /// The format of a nested edit.
    func format(ofNested index: Int) -> Format { nested[index].format }
    /// The runs of a nested edit in its own size; their sources are numbered as the composition's.
    func runs(ofNested index: Int) -> [SliceInstruction] { nested[index].runs }

    /// The runs of a nested edit in the output's size, if the edit has the composition's size; else its own runs.
    func scaledRuns(ofNested index: Int) -> [SliceInstruction] { nested[index].scaledRuns ?? nested[index].runs }

    /// The number that stands for the source's content in a ``ContentTieBreaker``.
    func seed(_ source: SliceSource) -> UInt64 {
        source.isNested == true ? nested[source.asset].seed : seeds[source.asset]
    }

    /// The facts of an asset; nil when none were given.
    func facts(of digest: ContentDigest) -> AssetFacts? { facts[digest] }

    func digest(_ asset: Int) -> ContentDigest { assets[asset].digest }

    /// The facts of the picture stream that `source` shows.
    /// - Throws: ``PlanError/missingFacts(_:)`` or ``PlanError/missingStream(_:stream:)``.
    func video(_ source: SliceSource) throws(PlanError) -> VideoStreamFacts {
        if source.isNested == true {
            // Only an unchecked document shows a nested edit without a picture.
            guard let facts = nested[source.asset].facts else {
                throw .missingStream(ContentDigest(of: [UInt8]()), stream: source.stream)
            }
            return facts
        }
        let digest = digest(source.asset)
        return try video(source.stream, of: digest, known[source.asset])
    }

    /// The facts of the picture stream with libavformat's index `stream`.
    /// - Throws: ``PlanError/missingFacts(_:)`` without facts of the asset, ``PlanError/missingStream(_:stream:)`` when
    ///   it has no such picture stream.
    func video(_ stream: Int, of digest: ContentDigest) throws(PlanError) -> VideoStreamFacts {
        try video(stream, of: digest, facts[digest])
    }

    private func video(
        _ stream: Int,
        of digest: ContentDigest,
        _ known: AssetFacts?
    ) throws(PlanError) -> VideoStreamFacts {
        guard let known else { throw .missingFacts(digest) }
        guard let found = known.video.first(where: { $0.streamIndex == stream }) else {
            throw .missingStream(digest, stream: stream)
        }
        return found
    }

    /// Whether the source surely covers every pixel of a frame of `size`. In doubt the answer is false: then what lies
    /// below is composited too, which costs time and changes nothing.
    func isOpaqueAndFull(_ source: SliceSource, size: PictureSize) throws(PlanError) -> Bool {
        let stream = try video(source)
        guard stream.isSurelyOpaque, source.track == nil,
            source.appearance?.surelyCovers ?? true
        else { return false }
        let shown = stream.displaySize
        let isSquare = stream.pixelAspect == RationalTime(whole: 1)
        switch source.fit {
        case .fill, .cover: return true
        case .contain:
            return isSquare && shown.width * size.height == shown.height * size.width || stream.isPadded(to: size)
        case .none: return isSquare && shown == size
        }
    }
}
