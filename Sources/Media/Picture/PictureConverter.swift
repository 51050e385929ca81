import CLibAV
public import Shared

/// Brings any decoded picture to planar Y′CbCr of 8 bits, of a size, matrix and range, with the same bytes on every CPU.
///
/// Scaling is bicubic with `accurate_rnd+full_chroma_int+bitexact` (FFMPEG.md §5). Matrix and range are converted;
/// primaries and transfer are relabelled only: HLG and PQ are mapped before.
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
        color: ColorDescription
    ) throws(MediaError) -> Picture {
        try convert(picture, to: .yuv420p, width: width, height: height, color: color)
    }

    /// As large as it is and in its own colour, with a plane of 8 bits for each component; alpha is left out unless it is
    /// one already.
    public func planar8(_ picture: Picture) throws(MediaError) -> Picture {
        if picture.pixelFormat.isPlanar8 { return picture }
        let format = picture.pixelFormat.planar8
        var color = picture.color
        if picture.pixelFormat.isRGB { (color.matrix, color.isFullRange) = ("bt709", false) }
        return try convert(picture, to: format, width: picture.width, height: picture.height, color: color)
    }

    /// As large as it is, as red, green and blue of 16 bits in its own primaries; labelled BT.709, which what comes of it
    /// will be.
    public func rgb16(_ picture: Picture) throws(MediaError) -> Picture {
        guard let format = PixelFormat(name: "gbrp16le") else { throw .unsupported("16-bit RGB is not known here.") }
        let color = ColorDescription(matrix: "gbr", isFullRange: true, primaries: "bt709", transfer: "bt709")
        return try convert(picture, to: format, width: picture.width, height: picture.height, color: color)
    }

    /// As large as it is, in `color`, as yuva444p: so that neither scaling nor chroma of half the size mixes what is seen
    /// with what is not.
    /// - Returns: nil for a picture whose format has no alpha.
    public func keepingAlpha(_ picture: Picture, color: ColorDescription) throws(MediaError) -> Picture? {
        guard picture.pixelFormat.hasAlpha, let format = PixelFormat(name: "yuva444p") else { return nil }
        return try convert(picture, to: format, width: picture.width, height: picture.height, color: color)
    }

    /// As ``convert(_:toWidth:height:color:)`` does, in another format than yuv420p.
    public func convert(
        _ picture: Picture,
        to format: PixelFormat,
        width: Int,
        height: Int,
        color: ColorDescription
    ) throws(MediaError) -> Picture {
        let conversion = Conversion(picture, to: format, width: width, height: height, color: color)
        if conversion.isIdentity { return try relabel(picture, format, color) }
        let made = try MutablePicture(width: width, height: height, pixelFormat: format, color: color)
        try scaler(conversion).run(from: picture, to: made)
        return try made.freeze()
    }

    private func relabel(
        _ picture: Picture,
        _ format: PixelFormat,
        _ color: ColorDescription
    ) throws(MediaError) -> Picture {
        if picture.color == color && picture.pixelFormat == format { return picture }
        let frame = try Frame(referring: picture.frame)
        frame.raw.pointee.format = format.raw.rawValue
        frame.setColor(color)
        return Picture(frame: frame, pixelFormat: format, color: color, pts: picture.pts)
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
    var toFormat: PixelFormat
    var toWidth: Int
    var toHeight: Int
    var toMatrix: Int32
    var toFull: Bool

    init(_ picture: Picture, to format: PixelFormat, width: Int, height: Int, color: ColorDescription) {
        self.format = picture.pixelFormat.withoutRange
        toFormat = format
        self.width = picture.width
        self.height = picture.height
        matrix = picture.color.coefficients
        isFull = picture.color.isFullRange
        toWidth = width
        toHeight = height
        toMatrix = color.coefficients
        toFull = color.isFullRange
    }

    var isIdentity: Bool {
        format == toFormat && width == toWidth && height == toHeight && matrix == toMatrix && isFull == toFull
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
