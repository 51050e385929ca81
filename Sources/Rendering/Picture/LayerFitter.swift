import Media
import Pixels
import Shared

/// Brings the pictures of one stream to their size, orientation and colour in the frame. What needs nothing of it is
/// passed on as it is; a picture that is shown again is not made again.
final class LayerFitter {
    /// Where its pictures are in the frame.
    let placement: Placement
    private let turn: PlaneTurn
    let effects: EffectPainter
    private let color: ColorDescription
    private let converter: PictureConverter
    private var last: (source: Picture, fitted: Picture)?
    private var lastUpright: (source: Picture, upright: Picture)?

    init(stream: VideoStreamFacts, fit: Fit, frame: PictureSize, color: ColorDescription) {
        placement = Placement(of: stream, fit: fit, in: frame)
        turn = PlaneTurn(
            quarterTurns: stream.orientation.degrees / 90,
            isMirrored: stream.orientation.isMirrored
        )
        self.color = color
        effects = EffectPainter(color: color)
        converter = PictureConverter()
    }

    /// - Parameter picture: as it was decoded.
    func place(_ picture: Picture) throws(MediaError) -> PlacedPicture {
        if let last, last.source === picture {
            return PlacedPicture(picture: last.fitted, x: placement.x, y: placement.y)
        }
        let fitted = try turned(scaled(picture), to: placement.size)
        last = (picture, fitted)
        return PlacedPicture(picture: fitted, x: placement.x, y: placement.y)
    }

    /// The picture in the frame's colour as it is displayed, with its own pixels: for layers that are moved, so that it is
    /// resampled once.
    /// - Parameter picture: as it was decoded.
    func upright(_ picture: Picture) throws(MediaError) -> Picture {
        if let lastUpright, lastUpright.source === picture { return lastUpright.upright }
        let converted = try converter.convert(picture, toWidth: picture.width, height: picture.height, color: color)
        let size =
            turn.swapsSides ? PictureSize(width: picture.height, height: picture.width) : picture.size
        let upright = try turned(converted, to: size)
        lastUpright = (picture, upright)
        return upright
    }

    /// In the stream's own orientation; the converter passes on what needs no change.
    private func scaled(_ picture: Picture) throws(MediaError) -> Picture {
        let (width, height) =
            turn.swapsSides
            ? (placement.size.height, placement.size.width) : (placement.size.width, placement.size.height)
        return try converter.convert(picture, toWidth: width, height: height, color: color)
    }

    private func turned(_ picture: Picture, to size: PictureSize) throws(MediaError) -> Picture {
        guard turn.quarterTurns != 0 || turn.isMirrored else { return picture }
        let target = try MutablePicture(width: size.width, height: size.height, pixelFormat: .yuv420p, color: color)
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                picture.withPlane(index) { view.plane.copy($0.plane, turned: turn) }
            }
        }
        return try target.freeze()
    }
}
