import Timing

/// The position and size of a picture in the frame: turned, with square pixels.
///
/// The side that decides the scale gets exactly the frame's length, and the other one is rounded to the nearest even
/// number; at scale 1 both keep their length. Offsets are rounded down to an even number, so that chroma samples fall
/// on chroma samples and a picture at scale 1 is copied exactly. They are never rounded so far that a picture larger
/// than the frame leaves a gap.
///
/// A picture of odd sides in a frame whose sides are the next even numbers is not scaled: it fills the frame, and its last
/// column and its last row are shown twice.
package struct Placement: Sendable, Hashable {
    /// The distance of the picture's left side from the frame's, in pixels; always even, and negative where the picture
    /// reaches over the edge.
    package let x: Int
    /// The distance of the picture's top from the frame's, in pixels; always even, and negative where the picture
    /// reaches over the edge.
    package let y: Int
    /// The size of the picture in the frame, in pixels.
    package let size: PictureSize

    /// Whether the picture is not scaled, and its last column or row is repeated where it does not reach
    /// (``VideoStreamFacts/isPadded(to:)``).
    package let isPadded: Bool

    /// The placement of a picture of `stream`, fitted into `frame` by `fit`.
    package init(of stream: VideoStreamFacts, fit: Fit, in frame: PictureSize) {
        isPadded = fit != .none && stream.isPadded(to: frame)
        size = isPadded ? frame : Placement.size(of: DisplaySide.sides(of: stream), fit: fit, in: frame)
        x = evenFloor(frame.width - size.width)
        y = evenFloor(frame.height - size.height)
    }

    /// The placement of a picture that covers all of `frame`.
    package init(whole frame: PictureSize) { (x, y, size, isPadded) = (0, 0, frame, false) }

    /// Whether the picture covers exactly `frame`.
    package func isWhole(of frame: PictureSize) -> Bool { x == 0 && y == 0 && size == frame }

    private static func size(
        of display: (width: DisplaySide, height: DisplaySide),
        fit: Fit,
        in frame: PictureSize
    ) -> PictureSize {
        let (width, height) = display
        // Frame width / picture width against frame height / picture height, by cross multiplication.
        let byWidth = frame.width * width.bottom * height.top
        let byHeight = frame.height * height.bottom * width.top
        switch fit {
        case .fill: return frame
        case .none: return PictureSize(width: width.rounded, height: height.rounded)
        case .contain, .cover:
            if byWidth == byHeight { return frame }
            let isWidthFull = (byWidth < byHeight) == (fit == .contain)
            if isWidthFull {
                let scaled = height.scaled(as: width, to: frame.width)
                return PictureSize(width: frame.width, height: clamp(scaled, to: frame.height, fit: fit))
            }
            let scaled = width.scaled(as: height, to: frame.height)
            return PictureSize(width: clamp(scaled, to: frame.width, fit: fit), height: frame.height)
        }
    }

    /// Limits a rounded length: a contained picture may not reach over the edge, and a covering one may not leave a
    /// gap.
    private static func clamp(_ length: Int, to side: Int, fit: Fit) -> Int {
        fit == .contain ? max(1, min(length, side)) : max(length, side)
    }
}

extension VideoStreamFacts {
    /// Whether its pictures are a column, a row or both short of `frame`, whose sides are even, and have square pixels.
    package func isPadded(to frame: PictureSize) -> Bool {
        pixelAspect == RationalTime(whole: 1) && displaySize != frame && displaySize.withEvenSides == frame
    }
}

extension PictureSize {
    /// The size with odd sides a pixel longer.
    package var withEvenSides: PictureSize { PictureSize(width: width + width % 2, height: height + height % 2) }
}

/// One side of a picture as displayed, as a fraction of pixels.
private struct DisplaySide {
    let top: Int
    let bottom: Int

    /// The width times the pixel aspect, and the height, exchanged if the orientation exchanges them.
    static func sides(of stream: VideoStreamFacts) -> (width: DisplaySide, height: DisplaySide) {
        let aspect = stream.pixelAspect
        let width = DisplaySide(top: stream.width * Int(aspect.numerator), bottom: Int(aspect.denominator))
        let height = DisplaySide(top: stream.height, bottom: 1)
        return stream.orientation.swapsSides ? (height, width) : (width, height)
    }

    /// The side in pixels: exact when it is a whole number, else the nearest even number.
    var rounded: Int { top % bottom == 0 ? top / bottom : nearestEven(top, over: bottom) }

    /// The side after scaling by `length / other`: exact at scale 1, else the nearest even number.
    func scaled(as other: DisplaySide, to length: Int) -> Int {
        if length * other.bottom == other.top, top % bottom == 0 { return top / bottom }
        return nearestEven(top * length * other.bottom, over: bottom * other.top)
    }
}

/// The even number nearest to `top / bottom`, at least 2; exactly half goes up.
private func nearestEven(_ top: Int, over bottom: Int) -> Int { max(2, (top + bottom) / (2 * bottom) * 2) }

/// Half of `rest`, rounded down to an even number. The result is never below a negative `rest`: a picture one sample
/// larger than the frame begins where the frame does.
private func evenFloor(_ rest: Int) -> Int {
    let half = (rest >> 2) * 2
    return rest < 0 && half < rest ? half + 2 : half
}
