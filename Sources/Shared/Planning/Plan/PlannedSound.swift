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
        let mixed = task.packets.map { plan in
            task.mixedParts(plan, in: task.mixed).reduce(0) { $0 + Int64($1.samples.count) }
        }
        let seconds = Double(mixed ?? task.sampleCount) / Double(task.sampleRate)
        estimatedCost = seconds * Double(max(1, task.tracks.count)) * 0.025
    }
}
