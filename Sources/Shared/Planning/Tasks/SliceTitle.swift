public import CompositionModel
public import Timing

/// A title as a worker draws it.
public struct SliceTitle: Sendable, Hashable, Codable {
    /// Size of the edit's frame, whose pixels the texts' lengths count.
    public var frame: PictureSize
    /// From the bottom up. Their faces are positions in ``PictureTask/assets``; lengths of appearances and motions are
    /// pixels of the task's size.
    public var layers: [TitleLayer]
    /// Seconds from where the layers' key times count to the instruction's first frame; nil when nothing of it changes,
    /// so that equal slices are equal wherever they stand.
    public var itemTime: RationalTime?

    public init(frame: PictureSize, layers: [TitleLayer], itemTime: RationalTime?) {
        self.frame = frame
        self.layers = layers
        self.itemTime = itemTime
    }
}
