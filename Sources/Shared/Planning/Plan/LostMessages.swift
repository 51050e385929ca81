package import CompositionModel

/// How many encoded frames lose messages of the source that they show.
package struct LostMessages: Sendable, Hashable, Codable {
    package var kind: PictureMessage
    /// The frames of the output.
    package var frames: Int64

    package init(kind: PictureMessage, frames: Int64) {
        self.kind = kind
        self.frames = frames
    }
}
