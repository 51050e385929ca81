package import CompositionModel

/// A part of a movie that is accepted.
package struct AcceptedPart: Sendable, Hashable {
    /// The choice of a job's accepted parts that is asked for.
    package enum Choice: Sendable, Hashable {
        /// All.
        case all
        /// Those of the tasks at these positions.
        case at([Int])
        /// The first piece of the picture.
        case firstPicture
        /// The first piece of the sound.
        case firstSound
        /// The piece of the picture whose attempt ended last, and of several the last; those that were taken from other
        /// jobs count as earlier than all others.
        case newestPicture
    }

    /// The position of its task in the job.
    package let position: Int
    /// The packet file.
    package let artifact: ContentDigest

    package init(position: Int, artifact: ContentDigest) { (self.position, self.artifact) = (position, artifact) }
}
