package import CompositionModel
import Timing

/// A piece of a mix that one task measures.
package struct PlannedMeasure: Sendable, Hashable, Codable {
    /// The task that measures the piece.
    package var task: MeasureTask
    /// The digest of everything that determines the artifact's bytes. Equal keys mean equal bytes.
    package var key: ContentDigest
    /// The estimated seconds on one idle core; see ``PlannedSegment/estimatedCost``.
    package var estimatedCost: Double

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
