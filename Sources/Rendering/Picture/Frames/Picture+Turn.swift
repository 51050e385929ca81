import CompositionModel
import Media
import Pixels

extension Picture {
    /// The picture turned: each sample moves, and none changes.
    /// - Throws: ``MediaError/limitExceeded(_:)`` when memory is short.
    func turned(_ turn: PlaneTurn) throws(MediaError) -> Picture {
        guard turn.quarterTurns != 0 || turn.isMirrored else { return self }
        let target = try MutablePicture(
            width: turn.swapsSides ? height : width,
            height: turn.swapsSides ? width : height,
            pixelFormat: pixelFormat,
            color: color
        )
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                withPlane(index) { view.plane.copy($0.plane, turned: turn) }
            }
        }
        return try target.freeze()
    }
}

extension PlaneTurn {
    /// The place that chroma has to have in a picture of `size` so that ``ChromaLocation/left`` is true of it when its
    /// planes have been turned.
    /// ```
    /// left, to be mirrored   ■ □ ■ □        a pair of columns keeps its sample: the last one of an even width becomes
    /// turned                 □ ■ □ ■        the first, so the sample has to be on the right one before
    /// ```
    func chroma(before size: PictureSize) -> ChromaLocation {
        func place(_ wanted: Int, isReversed: Bool, length: Int) -> Int {
            isReversed ? (length % 2 == 0 ? 256 : 0) - wanted : wanted
        }
        let (left, middle) = (ChromaLocation.left.x, ChromaLocation.left.y)
        return ChromaLocation(
            x: place(
                swapsSides ? middle : left,
                isReversed: (quarterTurns >= 2) != isMirrored,
                length: size.width
            ),
            y: place(
                swapsSides ? left : middle,
                isReversed: quarterTurns == 1 || quarterTurns == 2,
                length: size.height
            )
        )
    }
}
