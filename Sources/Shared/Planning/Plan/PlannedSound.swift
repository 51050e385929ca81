public import CompositionModel
import Timing

/// A piece of the sound that is mixed and encoded as one.
public struct PlannedSound: Sendable, Hashable, Codable {
    /// Sample of the output at which it begins.
    public var start: Int64
    public var task: SoundTask
    /// Digest of all that determines its bytes. Equal key, equal bytes.
    public var key: ContentDigest
    /// As ``PlannedSegment/estimatedCost``.
    public var estimatedCost: Double

    init(start: Int64, task: SoundTask) throws(PlanError) {
        self.start = start
        self.task = task
        key = try task.key()
        estimatedCost = Double(task.sampleCount) / Double(task.sampleRate) * Double(max(1, task.tracks.count)) * 0.025
    }
}
