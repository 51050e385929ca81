import CompositionModel
package import Planning
import Timing

/// Where the parts of a movie lie in it. It is decided when the job is planned and never changes; which parts are accepted
/// is asked apart (``FarmStore/acceptedParts(of:_:)``).
///
///     pictures   [ 0      ][ 1      ][ 2   ]     in frames of the output
///     sounds     [ 3            ][ 4       ]     in samples per channel
package struct OutputLayout: Sendable, Hashable {
    /// The piece of the picture or of the sound that one task makes.
    package struct Piece: Sendable, Hashable {
        /// The task's position in the job.
        package let position: Int
        /// Where it begins in the output, in frames or in samples.
        package let start: Int64
        /// Its length in frames or in samples.
        package let count: Int64

        /// Where it ends, in frames or in samples.
        package var end: Int64 { start + count }
    }

    /// The task that joins the parts.
    package let stitch: StitchTask
    /// The pieces of the picture in order of time, which is also that of their positions.
    package let pictures: [Piece]
    /// The pieces of the sound in order of time, which is also that of their positions.
    package let sounds: [Piece]
    /// Whether frames of the picture are copied from sources.
    package let hasCopies: Bool

    /// Gives each task its place in the output.
    /// - Parameters:
    ///   - stitch: the task that joins the parts.
    ///   - pictures: the positions of the tasks of the picture, ascending.
    ///   - sounds: the positions of the tasks of the sound, ascending.
    ///   - hasCopies: whether frames of the picture are copied from sources.
    package init(_ stitch: StitchTask, pictures: [Int], sounds: [Int], hasCopies: Bool) {
        func placed(_ positions: [Int], _ counts: [Int64]) -> [Piece] {
            var start: Int64 = 0
            return zip(positions, counts).map { position, count in
                defer { start += count }
                return Piece(position: position, start: start, count: count)
            }
        }
        self.stitch = stitch
        self.hasCopies = hasCopies
        self.pictures = placed(pictures, stitch.partFrameCounts)
        self.sounds = placed(sounds, stitch.soundPartCounts ?? [stitch.sampleCount])
    }
}

extension [OutputLayout.Piece] {
    /// The piece that holds a frame or a sample; nil beyond the output's ends.
    package func holding(_ place: Int64) -> OutputLayout.Piece? {
        let next = partitionPoint { $0.start > place }
        guard next > 0, place < self[next - 1].end else { return nil }
        return self[next - 1]
    }

    /// The piece of the task at a position; nil when that makes no piece of this track.
    package func at(position: Int) -> OutputLayout.Piece? {
        let index = partitionPoint { $0.position >= position }
        return index < count && self[index].position == position ? self[index] : nil
    }
}
