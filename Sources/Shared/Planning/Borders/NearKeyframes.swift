package import CompositionModel
import Timing

/// The frames of a composition that are cheap to show, because one clip fills them with a source keyframe.
package struct NearKeyframes: Sendable, Hashable {
    /// The frames on the timeline, ascending.
    let frames: [Int64]

    /// Finds the frames of `composition`.
    /// - Parameter facts: The facts of every asset of the composition, by digest.
    /// - Throws: ``PlanError/missingFacts(_:)`` or ``PlanError/missingStream(_:stream:)`` for an unknown source,
    ///   ``PlanError/tooComplex`` for too many layers, ``PlanError/time(_:)`` when a time overflows.
    package init(_ composition: Composition, facts: [ContentDigest: AssetFacts]) throws(PlanError) {
        let table = try AssetTable(composition, facts: facts, size: composition.format.size)
        let runs = try PictureRuns(composition, size: composition.format.size, facts: table).resolved()
        let rate = composition.format.frameRate
        frames = try BorderCandidates(runs, assets: table, rate: rate, rule: .standard).keyframes()
    }

    /// The nearest such frame, the earlier one of two equally near; nil when none is within `distance` frames.
    package func nearest(to frame: Int64, within distance: Int64) -> Int64? {
        let after = frames.partitionPoint { $0 >= frame }
        let near = [after - 1, after].filter(frames.indices.contains).map { frames[$0] }
        return near.filter { abs($0 - frame) <= distance }.min { abs($0 - frame) < abs($1 - frame) }
    }
}
