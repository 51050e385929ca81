package import CompositionModel
import Timing

/// A piece of the sound that one task mixes and encodes.
package struct PlannedSound: Sendable, Hashable, Codable {
    /// The piece's first sample in the output, counted per channel.
    package var start: Int64
    /// The task that makes the piece.
    package var task: SoundTask
    /// The digest of everything that determines the piece's bytes. Equal keys mean equal bytes.
    package var key: ContentDigest
    /// The estimated seconds on one idle core; see ``PlannedSegment/estimatedCost``.
    package var estimatedCost: Double

    init(start: Int64, task: SoundTask) throws(PlanError) {
        self.start = start
        self.task = task
        key = try task.key()
        estimatedCost = Double(task.sampleCount) / Double(task.sampleRate) * Double(max(1, task.tracks.count)) * 0.025
    }
}
