import CLibAV
package import CompositionModel

/// A picture that is being made: allocate, fill every plane, ``freeze()``.
package final class MutablePicture {
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
    private(set) var frame: Frame

    /// Planes are aligned to 64 bytes; their content is undefined.
    /// - Throws: ``MediaError/limitExceeded(_:)`` for an impossible size or when memory is short.
    package init(
        width: Int,
        height: Int,
        pixelFormat: PixelFormat,
        color: ColorDescription,
        chroma: ChromaLocation = .left
    ) throws(MediaError) {
        let area = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !area.overflow, area.partialValue <= MediaLimits.area else {
            throw .limitExceeded("A picture of \(width)×\(height) is not possible; up to \(MediaLimits.area) pixels.")
        }
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.color = color
        self.chroma = chroma
        frame = try Frame()
        frame.raw.pointee.width = Int32(width)
        frame.raw.pointee.height = Int32(height)
        frame.raw.pointee.format = pixelFormat.raw.rawValue
        frame.setColor(color)
        try LibAV.check(av_frame_get_buffer(frame.raw, 64), MediaError.limitExceeded, "A picture of \(width)×\(height)")
    }

    /// The number of planes.
    package var planeCount: Int { pixelFormat.planeCount }

    /// Calls `body` with a plane, which is valid until it returns.
    /// - Precondition: 0 ≤ `plane` < ``planeCount``, and not frozen.
    /// - Throws: what `body` throws.
    package func withMutablePlane<Result>(
        _ plane: Int,
        _ body: (MutablePlaneView) throws -> Result
    ) rethrows -> Result {
        guard let (base, stride) = frame.plane(plane) else { preconditionFailure("no plane \(plane), or frozen") }
        let view = MutablePlaneView(
            base: UnsafeMutableRawPointer(base),
            stride: stride,
            width: pixelFormat.rowBytes(plane: plane, width: width),
            height: pixelFormat.rowCount(plane: plane, height: height)
        )
        return try withExtendedLifetime(frame) { try body(view) }
    }

    /// The picture as it is now, without a copy. Nothing can be written through this object afterwards.
    /// - Throws: ``MediaError/outOfMemory(_:)`` when there is no memory for its description.
    package func freeze() throws(MediaError) -> Picture {
        let frozen = frame
        frame = try Frame()
        return Picture(frame: frozen, pixelFormat: pixelFormat, color: color, chroma: chroma, pts: 0)
    }
}
