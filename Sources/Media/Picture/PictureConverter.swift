import CLibAV
public import Shared

/// Brings any decoded picture to a size, matrix and range, with the same bytes on every CPU: as yuv420p, or for still
/// images as another format.
///
/// Scaling is bicubic with `accurate_rnd+full_chroma_int+bitexact` (FFMPEG.md §5). Matrix and range are converted;
/// primaries and transfer are relabelled only, so HDR is not tone-mapped.
public final class PictureConverter {
    private var scalers: [Conversion: Scaler] = [:]

    public init() {}

    /// - Returns: a picture of `toWidth` × `height` in `color`. Where nothing but labels would change its planes are
    ///   those of `picture`, untouched and without a copy.
    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot be read,
    ///   ``MediaError/limitExceeded(_:)`` for an impossible size.
    public func convert(
        _ picture: Picture,
        toWidth width: Int,
        height: Int,
        color: ColorDescription,
        pixelFormat: PixelFormat = .yuv420p
    ) throws(MediaError) -> Picture {
        let conversion = Conversion(picture, width: width, height: height, color: color, pixelFormat: pixelFormat)
        if conversion.isIdentity { return try relabel(picture, color) }
        let made = try MutablePicture(width: width, height: height, pixelFormat: pixelFormat, color: color)
        try scaler(conversion).run(from: picture, to: made)
        return try made.freeze()
    }

    private func relabel(_ picture: Picture, _ color: ColorDescription) throws(MediaError) -> Picture {
        if picture.color == color && picture.pixelFormat == .yuv420p { return picture }
        let frame = try Frame(referring: picture.frame)
        frame.raw.pointee.format = PixelFormat.yuv420p.raw.rawValue
        frame.setColor(color)
        return Picture(frame: frame, pixelFormat: .yuv420p, color: color, pts: picture.pts)
    }

    private func scaler(_ conversion: Conversion) throws(MediaError) -> Scaler {
        if let scaler = scalers[conversion] { return scaler }
        let scaler = try Scaler(conversion)
        scalers[conversion] = scaler
        return scaler
    }
}

/// All that a scaler depends on.
private struct Conversion: Hashable {
    var format: PixelFormat
    var width: Int
    var height: Int
    var matrix: Int32
    var isFull: Bool
    var toWidth: Int
    var toHeight: Int
    var toMatrix: Int32
    var toFull: Bool
    var toFormat: PixelFormat

    init(_ picture: Picture, width: Int, height: Int, color: ColorDescription, pixelFormat: PixelFormat) {
        format = picture.pixelFormat.withoutRange
        self.width = picture.width
        self.height = picture.height
        matrix = picture.color.coefficients
        isFull = picture.color.isFullRange
        toWidth = width
        toHeight = height
        toMatrix = color.coefficients
        toFull = color.isFullRange
        toFormat = pixelFormat
    }

    var isIdentity: Bool {
        format == .yuv420p && toFormat == .yuv420p && width == toWidth && height == toHeight && matrix == toMatrix
            && isFull == toFull
    }
}

extension ColorDescription {
    /// libswscale's number of the matrix: ISO/IEC 23091-2's, with its two names of BT.601 made one.
    fileprivate var coefficients: Int32 {
        switch rawMatrix {
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: Int32(SWS_CS_ITU601)
        case AVCOL_SPC_FCC: Int32(SWS_CS_FCC)
        case AVCOL_SPC_SMPTE240M: Int32(SWS_CS_SMPTE240M)
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: Int32(SWS_CS_BT2020)
        default: Int32(SWS_CS_ITU709)
        }
    }
}

/// Owner of one libswscale context.
private final class Scaler {
    private let raw: UnsafeMutableRawPointer

    init(_ conversion: Conversion) throws(MediaError) {
        LibAV.prepare()
        let raw = cut_scaler_make(
            Int32(conversion.width),
            Int32(conversion.height),
            conversion.format.raw,
            conversion.matrix,
            conversion.isFull ? 1 : 0,
            Int32(conversion.toWidth),
            Int32(conversion.toHeight),
            conversion.toFormat.raw,
            conversion.toMatrix,
            conversion.toFull ? 1 : 0
        )
        guard let raw else {
            throw .unsupported(
                "Pictures in \(conversion.format.name) of \(conversion.width)×\(conversion.height) cannot be converted; "
                    + "convert the file to H.264 first."
            )
        }
        self.raw = raw
    }

    deinit { cut_scaler_free(raw) }

    func run(from picture: Picture, to target: MutablePicture) throws(MediaError) {
        let rows = cut_scaler_run(raw, target.frame.raw, picture.frame.raw)
        guard rows == Int32(target.height) else { throw .unsupported("A picture could not be scaled.") }
    }
}
