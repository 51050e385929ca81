package import CompositionModel
package import Planning

/// The parts of a movie and which of them are accepted, without what they cost or who made them.
package struct OutputParts: Sendable, Hashable {
    /// One task that makes a piece of the picture or of the sound.
    package struct Part: Sendable, Hashable {
        /// The task's position in the job.
        package let position: Int
        /// Whether it is sound.
        package let isSound: Bool
        /// Where it begins in the output, in frames or in samples.
        package let start: Int64
        /// Its length in frames or in samples.
        package let count: Int64
        /// The accepted packet file; nil until the task is completed.
        package let artifact: ContentDigest?
        /// When the attempt ended that completed the task; nil until then, and for a part that was taken from another job.
        package let accepted: FarmTime?

        /// Where it ends, in frames or in samples.
        package var end: Int64 { start + count }
    }

    /// What is known of a part's task.
    package struct Task: Sendable, Hashable {
        /// The same as ``Part/position``.
        package let position: Int
        /// The same as ``Part/artifact``.
        package let artifact: ContentDigest?
        /// The same as ``Part/accepted``.
        package let accepted: FarmTime?

        package init(position: Int, artifact: ContentDigest?, accepted: FarmTime?) {
            (self.position, self.artifact, self.accepted) = (position, artifact, accepted)
        }
    }

    /// The task that joins the parts.
    package let stitch: StitchTask
    /// The pieces of the picture, and then those of the sound, each in order of time.
    package let parts: [Part]
    /// Whether frames of the picture are copied from sources.
    package let hasCopies: Bool

    /// Gives each task its place in the output.
    /// - Parameters:
    ///   - stitch: the task that joins the parts.
    ///   - pictures: the tasks of the picture, in order of time.
    ///   - sounds: the tasks of the sound, in order of time.
    ///   - hasCopies: whether frames of the picture are copied from sources.
    package init(
        _ stitch: StitchTask,
        pictures: [Task],
        sounds: [Task],
        hasCopies: Bool
    ) {
        func placed(_ tasks: [Task], _ counts: [Int64], isSound: Bool) -> [Part] {
            var start: Int64 = 0
            return zip(tasks, counts).map { task, count in
                defer { start += count }
                return Part(
                    position: task.position,
                    isSound: isSound,
                    start: start,
                    count: count,
                    artifact: task.artifact,
                    accepted: task.accepted
                )
            }
        }
        self.stitch = stitch
        self.hasCopies = hasCopies
        parts =
            placed(pictures, stitch.partFrameCounts, isSound: false)
            + placed(sounds, stitch.soundPartCounts ?? [stitch.sampleCount], isSound: true)
    }

    /// The pieces of the picture in order of time.
    package var pictures: [Part] { parts.filter { !$0.isSound } }

    /// The piece of the picture that was finished last; nil when none is.
    package var newestPicture: Part? {
        pictures.filter { $0.artifact != nil }
            .max { ($0.accepted ?? .beginning, $0.position) < ($1.accepted ?? .beginning, $1.position) }
    }

    /// The pieces of the sound in order of time.
    package var sounds: [Part] { parts.filter(\.isSound) }
}

extension FarmTime {
    /// Before everything that happened.
    fileprivate static let beginning = FarmTime(milliseconds: 0)
}
