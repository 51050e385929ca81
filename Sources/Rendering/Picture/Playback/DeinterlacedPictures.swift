import CompositionModel
import Media
import Pixels
import Timing

/// The pictures of a stream, the interlaced ones deinterlaced in their own depth and with their alpha. A picture depends
/// on its own frame alone.
///
/// Each shows its first field at the time of the frame. Where the edit's frame rate is the stream's field rate, each
/// field is a frame of the edit: the second one is shown in the second half of the frame's time.
final class DeinterlacedPictures: TimedPictures {
    private let reader: any TimedPictures
    /// The fields of the whole stream.
    private let fieldCount: Int64
    /// Fields per second; nil where each frame shows its first field alone.
    private let fieldRate: FrameRate?
    private let converter = PictureConverter()
    private var last: (woven: Picture, field: FieldOrder, progressive: Picture)?

    /// - Parameters:
    ///   - reader: gives the frames of `stream`.
    ///   - editRate: frames per second of the edit that shows them.
    init(_ reader: any TimedPictures, stream: VideoStreamFacts, editRate: FrameRate) {
        self.reader = reader
        (fieldCount, fieldRate) = (
            2 * stream.frameCount, !stream.isVariableRate && editRate.isTwice(stream.frameRate) ? editRate : nil
        )
    }

    func picture(at time: RationalTime, direction: PictureReader.Direction) throws -> Picture {
        let picture = try reader.picture(at: time, direction: direction)
        guard let first = picture.firstField else { return picture }
        let field = try isSecondField(at: time) ? first.other : first
        if let last, last.woven === picture, last.field == field { return last.progressive }
        let progressive = try show(field, of: picture)
        last = (picture, field, progressive)
        return progressive
    }

    /// Whether the second field of the frame on screen is shown at `time`. After the end of the stream it stays.
    private func isSecondField(at time: RationalTime) throws -> Bool {
        guard let fieldRate, time > .zero else { return false }
        let number = try fieldRate.frame(at: time, rounding: .down).value
        return number >= fieldCount || !number.isMultiple(of: 2)
    }

    private func show(_ field: FieldOrder, of woven: Picture) throws(MediaError) -> Picture {
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

extension FieldOrder {
    fileprivate var other: FieldOrder { self == .top ? .bottom : .top }
}

extension FrameRate {
    fileprivate func isTwice(_ other: FrameRate) -> Bool {
        Int128(numerator) * Int128(other.denominator) == 2 * Int128(other.numerator) * Int128(denominator)
    }
}
