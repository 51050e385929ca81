public import CompositionModel
import Timing

/// A piece of a mix that is measured as one.
public struct PlannedMeasure: Sendable, Hashable, Codable {
    public var task: MeasureTask
    /// Digest of all that determines its bytes. Equal key, equal bytes.
    public var key: ContentDigest
    /// As ``PlannedSegment/estimatedCost``.
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
