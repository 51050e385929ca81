import CompositionModel
import Media
import Pixels

/// Brings the pictures of one stream to their size, orientation and colour in the frame. What needs nothing of it is
/// passed on as it is; a picture that is shown again is not made again.
final class LayerFitter {
    /// The place of its pictures in the frame.
    let placement: Placement
    private let turn: PlaneTurn
    private let isOpaque: Bool
    private let color: ColorDescription
    private let converter: PictureConverter
    private var last: (source: Picture, fitted: Picture)?
    private var lastUpright: (source: Picture, upright: Picture)?

    /// - Parameters:
    ///   - stream: what the pictures are as they are decoded.
    ///   - frame: the size of the frame.
    ///   - color: the colour of the frame.
    init(stream: VideoStreamFacts, fit: Fit, frame: PictureSize, color: ColorDescription) {
        placement = Placement(of: stream, fit: fit, in: frame)
        turn = PlaneTurn(
            quarterTurns: stream.orientation.degrees / 90,
            isMirrored: stream.orientation.isMirrored
        )
        isOpaque = stream.isSurelyOpaque
        self.color = color
        converter = PictureConverter()
    }

    /// Whether what lies below may be seen through `picture`. The plan holds it for streams of which this may be true.
    func isSeenThrough(_ picture: Picture) -> Bool { !isOpaque && picture.pixelFormat.hasAlpha }

    /// Whether the whole picture as large as its fit makes it would be larger than a picture can be, as of a panorama
    /// that covers an upright frame: then it is drawn from its own pixels.
    var isBeyondLimits: Bool { max(placement.size.width, placement.size.height) > MediaLimits.dimension }

    /// - Parameter picture: as it was decoded.
    func place(_ picture: Picture) throws(MediaError) -> PlacedPicture {
        if let last, last.source === picture {
            return PlacedPicture(picture: last.fitted, x: placement.x, y: placement.y)
        }
        let fitted = try placement.isPadded ? padded(picture) : scaled(picture).turned(turn)
        last = (picture, fitted)
        return PlacedPicture(picture: fitted, x: placement.x, y: placement.y)
    }

    /// The picture in the frame's colour as it is displayed, with its own pixels and its alpha, if it has one: for
    /// layers that are moved or seen through, so that it is resampled once.
    /// - Parameter picture: as it was decoded.
    func upright(_ picture: Picture) throws(MediaError) -> Picture {
        if let lastUpright, lastUpright.source === picture { return lastUpright.upright }
        let (width, height) = (picture.width, picture.height)
        let seenThrough = try isSeenThrough(picture) ? converter.keepingAlpha(picture, color: color) : nil
        let converted =
            if let seenThrough { seenThrough } else {
                try converted(picture, width: width, height: height)
            }
        let own = try converted.turned(turn)
        let upright = try placement.isPadded ? padded(own, to: placement.size) : own
        lastUpright = (picture, upright)
        return upright
    }

    /// The picture unscaled, upright, with its last column and row repeated up to the frame's size.
    private func padded(_ picture: Picture) throws(MediaError) -> Picture {
        let (width, height) = (picture.width, picture.height)
        return try padded(converted(picture, width: width, height: height).turned(turn), to: placement.size)
    }

    private func padded(_ picture: Picture, to size: PictureSize) throws(MediaError) -> Picture {
        let format = picture.pixelFormat
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: format, color: color)
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in picture.withPlane(index) { view.plane.pad($0.plane) } }
        }
        return try target.freeze()
    }

    /// The picture at its size in the frame, in the stream's own orientation; the converter passes on what needs no
    /// change.
    private func scaled(_ picture: Picture) throws(MediaError) -> Picture {
        let (width, height) =
            turn.swapsSides
            ? (placement.size.height, placement.size.width) : (placement.size.width, placement.size.height)
        return try converted(picture, width: width, height: height)
    }

    /// Its chroma is where it has to be so that it is right when the picture has been turned.
    private func converted(_ picture: Picture, width: Int, height: Int) throws(MediaError) -> Picture {
        try converter.convert(
            picture,
            to: .yuv420p,
            width: width,
            height: height,
            color: color,
            chroma: turn.chroma(before: PictureSize(width: width, height: height))
        )
    }
}
