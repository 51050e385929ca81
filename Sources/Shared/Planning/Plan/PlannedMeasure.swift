public import CompositionModel
import Timing

/// A piece of a mix that one task measures.
public struct PlannedMeasure: Sendable, Hashable, Codable {
    /// The task that measures the piece.
    public var task: MeasureTask
    /// The digest of everything that determines the artifact's bytes. Equal keys mean equal bytes.
    public var key: ContentDigest
    /// The estimated seconds on one idle core; see ``PlannedSegment/estimatedCost``.
    public var estimatedCost: Double

    init(_ task: MeasureTask) throws(PlanError) {
        self.task = task
        do { key = try ContentDigest(canonical: task, prefix: "cutfarm/measure-key/1\n") } catch {
            // A task holds integers and strings only, which always have a canonical form.
            throw .time(.overflow)
        }
        let (sound, tracks) = (task.sound, max(1, task.sound.tracks.count))
        estimatedCost = Double(sound.sampleCount) / Double(sound.sampleRate) * Double(tracks) * 0.025
    }
}
