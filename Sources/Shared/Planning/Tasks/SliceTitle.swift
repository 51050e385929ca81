package import CompositionModel
package import Timing

/// A title as a worker draws it.
package struct SliceTitle: Sendable, Hashable, Codable {
    /// The size of the edit's frame, in pixels; lengths of texts count its pixels.
    package var frame: PictureSize
    /// The title's layers from the bottom up. Their font faces are positions in ``PictureTask/assets``; lengths of
    /// appearances and motions are in pixels of the task's size.
    package var layers: [TitleLayer]
    /// Seconds from the origin of the layers' key times to the instruction's first frame. Nil when nothing is animated,
    /// so that equal slices are equal at any place on the timeline.
    package var itemTime: RationalTime?

    package init(frame: PictureSize, layers: [TitleLayer], itemTime: RationalTime?) {
        self.frame = frame
        self.layers = layers
        self.itemTime = itemTime
    }
}
