import Media
import Timing

/// The pictures of one stream by source time.
protocol TimedPictures {
    /// The picture that is on screen at `time`.
    /// - Parameter direction: whether the next call will probably ask for a later or an earlier picture.
    /// - Throws: ``MediaError`` for a source that cannot be read or decoded; ``RenderError`` of a nested edit.
    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture
}

extension PictureReader: TimedPictures {}
