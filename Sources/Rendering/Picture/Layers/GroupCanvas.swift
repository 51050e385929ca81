import CompositionModel
import Media
import Pixels

/// Layers that were put together.
struct GroupPicture {
    /// A picture of the frame's size.
    let picture: Picture
    /// How far each sample of chroma is seen, where that is known better than by the alpha of luma's.
    var chromaAlpha: PlaneBuffer?
}

/// A frame that is seen through, into which layers are drawn that are to be mixed as one.
///
/// Chroma lies as in the frame, so that a layer that is drawn by way of a group has the samples that it would have had.
final class GroupCanvas {
    let color: ColorDescription
    /// Colours are multiplied by their alphas until ``picture()``.
    private let target: MutablePicture
    private let chromaAlpha: PlaneBuffer

    /// Nothing is in it.
    init(size: PictureSize, color: ColorDescription) throws(MediaError) {
        guard let format = PixelFormat(name: "yuva420p") else {
            throw .unsupported("Pictures of yuva420p are not known here.")
        }
        self.color = color
        target = try MutablePicture(width: size.width, height: size.height, pixelFormat: format, color: color)
        chromaAlpha = PlaneBuffer(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        for index in 0..<target.planeCount { target.withMutablePlane(index) { $0.plane.fill(0) } }
        chromaAlpha.mutablePlane.fill(0)
    }

    /// Calls `body` with the planes, into which layers are drawn.
    func withFramePlanes(_ body: (FramePlanes) -> Void) {
        target.withFramePlanes { frame in
            target.withMutablePlane(3) { alpha in
                let alphas = (luma: alpha.plane, chroma: chromaAlpha.mutablePlane)
                body(FramePlanes(planes: frame.planes, shift: frame.shift, alphas: alphas))
            }
        }
    }

    /// What was drawn, as yuva420p. The canvas ends with it.
    func picture() throws(MediaError) -> GroupPicture {
        let black: UInt8 = color.isFullRange ? 0 : 16
        target.withFramePlanes { frame in
            target.withMutablePlane(3) { alpha in
                frame.planes[0].divide(by: alpha.plane.samples, empty: black)
                for plane in frame.planes[1...] { plane.divide(by: chromaAlpha.plane, empty: 128) }
            }
        }
        return GroupPicture(picture: try target.freeze(), chromaAlpha: chromaAlpha)
    }
}
