package import CompositionModel
package import Planning

/// A task's work by kind, as stored in the column `task_payload.payload`.
package enum TaskPayload: Sendable, Hashable, Codable {
    case picture(PictureTask)
    case sound(SoundTask)
    case stitch(StitchTask)
    case stills(StillsTask)
    case measure(MeasureTask)

    /// The kind of work.
    package var kind: TaskKind {
        switch self {
        case .picture: .picture
        case .sound: .sound
        case .stitch: .stitch
        case .stills: .stills
        case .measure: .measure
        }
    }

    /// The assets that the worker must be able to read; empty for joining.
    package var assets: [ContentDigest] {
        switch self {
        case .picture(let task): task.assets
        case .sound(let task): task.assets
        case .stitch: []
        case .stills(let task): task.picture.assets
        case .measure(let task): task.sound.assets
        }
    }
}

extension TaskPayload {
    /// Whether the task needs the measurements of earlier stages (``AttemptReadings``).
    package var needsReadings: Bool {
        switch self {
        case .sound(let task): task.extent.programme != nil
        case .measure(let task): task.sound.extent.programme != nil
        case .picture, .stitch, .stills: false
        }
    }
}
