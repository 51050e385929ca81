import Media
import Pixels
import Timing

/// The pictures of a stream, the interlaced ones deinterlaced in their own depth and with their alpha: each shows its
/// first field at the time of the frame. A picture depends on its own frame alone.
final class DeinterlacedPictures: TimedPictures {
    private let reader: any TimedPictures
    private let converter = PictureConverter()
    private var last: (woven: Picture, progressive: Picture)?

    init(_ reader: any TimedPictures) { self.reader = reader }

    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture {
        let picture = try reader.picture(at: time, direction: direction)
        guard let first = picture.firstField else { return picture }
        if let last, last.woven === picture { return last.progressive }
        let progressive = try show(first, of: picture)
        last = (picture, progressive)
        return progressive
    }

    private func show(_ field: Picture.Field, of woven: Picture) throws(MediaError) -> Picture {
        let picture = try converter.planar(woven)
        let target = try MutablePicture(
            width: picture.width,
            height: picture.height,
            pixelFormat: picture.pixelFormat,
            color: picture.color,
            chroma: picture.chroma
        )
        for index in 0..<target.planeCount {
            target.withMutablePlane(index) { view in
                picture.withPlane(index) {
                    view.plane.show(field: field == .top ? 0 : 1, of: $0.plane, depth: picture.pixelFormat.depth)
                }
            }
        }
        return try target.freeze()
    }
}
