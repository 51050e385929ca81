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

extension TitleLayer {
    /// The same in a frame that is rendered larger or smaller: nothing moves.
    func scaled(from frame: PictureSize, to output: PictureSize) -> TitleLayer {
        guard frame != output else { return self }
        return changed { layer in
            layer.appearance = layer.appearance?.scaled(from: frame, to: output)
            guard var offset = layer.motion?.offset else { return }
            for index in offset.keys.indices {
                let value = offset.keys[index].value
                offset.keys[index].value = [
                    TitleLayer.scaled(value[0], by: output.width, over: frame.width),
                    TitleLayer.scaled(value[1], by: output.height, over: frame.height),
                ]
            }
            layer.motion?.offset = offset
        }
    }

    private static func scaled(_ length: Int64, by top: Int, over bottom: Int) -> Int64 {
        Int64(clamping: Rounding.halfAwayFromZero.divide(Int128(length) * Int128(top), by: Int128(bottom)).value)
    }
}

extension SliceTitle {
    /// What this is `frames` frames later.
    func advanced(by frames: Int64, frameDuration: RationalTime) throws(PlanError) -> SliceTitle {
        guard let itemTime else { return self }
        var title = self
        title.itemTime = try exact { () throws(TimeError) in
            try itemTime.adding(RationalTime(frames, of: frameDuration))
        }
        return title
    }
}
