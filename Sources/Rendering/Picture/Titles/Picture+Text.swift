import CompositionModel
import Media
import Pixels
import Titles

extension Picture {
    /// A drawn text or shape as yuva444p.
    /// - Parameter color: the colour of the frame.
    /// - Throws: ``RenderError`` `invalid_color` for a matrix without constants; ``MediaError`` where there is no
    ///   memory.
    static func drawn(_ text: TextPicture, in color: ColorDescription) throws -> Picture {
        guard let format = PixelFormat(name: "yuva444p"), let parts = BackgroundColor.constants[color.matrix] else {
            throw RenderError("invalid_color", "A title in “\(color.matrix)” is not supported.", isPermanent: true)
        }
        let target = try MutablePicture(width: text.width, height: text.height, pixelFormat: format, color: color)
        let conversion = DrawnPixels(red: parts.red, blue: parts.blue, isFullRange: color.isFullRange)
        target.withMutablePlanes { planes in
            target.withMutablePlane(3) { alpha in
                conversion.convert(
                    text.pixels,
                    luma: planes[0],
                    blueDifference: planes[1],
                    redDifference: planes[2],
                    alpha: alpha.plane
                )
            }
        }
        return try target.freeze()
    }
}
