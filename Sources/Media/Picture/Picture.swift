import CLibAV
package import CompositionModel

/// One picture that nobody changes any more; passing it on costs nothing.
///
/// It is the one type here that may cross threads: its buffers are never written after ``MutablePicture/freeze()`` or
/// after a decoder let go of them.
package final class Picture: @unchecked Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The planes, their depth and their subsampling.
    package let pixelFormat: PixelFormat
    /// The matrix, range, primaries and transfer of the samples.
    package let color: ColorDescription
    /// The place of subsampled chroma.
    package let chroma: ChromaLocation
    /// The number that the decoder of a ``VideoDecoder`` packet gave it; 0 where pictures have no number.
    package let pts: Int64
    let frame: Frame

    /// Takes `frame` over.
    init(
        frame: Frame,
        pixelFormat: PixelFormat,
        color: ColorDescription,
        chroma: ChromaLocation = .left,
        pts: Int64
    ) {
        width = Int(frame.raw.pointee.width)
        height = Int(frame.raw.pointee.height)
        self.pixelFormat = pixelFormat
        self.color = color
        self.chroma = chroma
        self.pts = pts
        self.frame = frame
    }

    /// The field that comes first; nil when both are of one moment.
    package var firstField: FieldOrder? { frame.firstField }

    /// The width and the height in pixels.
    package var size: PictureSize { PictureSize(width: width, height: height) }
    /// The number of planes.
    package var planeCount: Int { pixelFormat.planeCount }

    /// Calls `body` with a plane, which is valid until it returns.
    /// - Precondition: 0 ≤ `plane` < ``planeCount``.
    /// - Throws: what `body` throws.
    package func withPlane<Result>(_ plane: Int, _ body: (PlaneView) throws -> Result) rethrows -> Result {
        guard let (base, stride) = frame.plane(plane) else { preconditionFailure("no plane \(plane)") }
        let view = PlaneView(
            base: UnsafeRawPointer(base),
            stride: stride,
            width: pixelFormat.rowBytes(plane: plane, width: width),
            height: pixelFormat.rowCount(plane: plane, height: height)
        )
        return try withExtendedLifetime(frame) { try body(view) }
    }

    /// SHA-256 over the visible bytes: planes in order, each row by row without padding.
    package func digest() -> ContentDigest {
        var hasher = ContentHasher()
        for plane in 0..<planeCount {
            withPlane(plane) { view in
                for y in 0..<view.height { hasher.update(bufferPointer: view.row(y)) }
            }
        }
        return hasher.finalize()
    }
}

extension Frame {
    /// The field that was filmed first, by the decoder's flags; nil for a progressive picture.
    var firstField: FieldOrder? {
        switch cut_frame_fields(raw) {
        case 1: .top
        case 2: .bottom
        default: nil
        }
    }
}
