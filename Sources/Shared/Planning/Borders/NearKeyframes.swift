public import CompositionModel
import Timing

/// Frames of a composition that are cheap to show: those of source keyframes that one clip fills.
public struct NearKeyframes: Sendable, Hashable {
    /// Frames of the timeline, ascending.
    let frames: [Int64]

    /// - Parameter facts: of every asset of the composition, by digest.
    /// - Throws: ``PlanError`` as ``Planner/plan(_:output:facts:segmentCount:)``.
    public init(_ composition: Composition, facts: [ContentDigest: AssetFacts]) throws(PlanError) {
        let table = try AssetTable(composition, facts: facts, size: composition.format.size)
        let runs = try PictureRuns(composition, size: composition.format.size, facts: table).resolved()
        let rate = composition.format.frameRate
        frames = try BorderCandidates(runs, assets: table, rate: rate, rule: .standard).keyframes()
    }

    /// The nearest of them, the earlier of two that are as near; nil when none is at most `distance` frames away.
    public func nearest(to frame: Int64, within distance: Int64) -> Int64? {
        let after = frames.partitionPoint { $0 >= frame }
        let near = [after - 1, after].filter(frames.indices.contains).map { frames[$0] }
        return near.filter { abs($0 - frame) <= distance }.min { abs($0 - frame) < abs($1 - frame) }
    }
}
