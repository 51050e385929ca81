import CLibAV
package import CompositionModel

/// Brings any decoded picture to planar Y′CbCr of 8 bits, of a size, matrix and range, with the same bytes on every
/// CPU.
///
/// Scaling is bicubic with `accurate_rnd+full_chroma_int+full_chroma_inp+bitexact`. Matrix and range are converted, and
/// subsampled chroma is brought to where it is wanted; primaries and transfer are relabelled only: HLG and PQ are
/// mapped before.
package final class PictureConverter {
    private var scalers: [Conversion: Scaler] = [:]

    package init() {}

    /// - Returns: a picture of `toWidth` × `height` in `color`. Where nothing but labels would change its planes are
    ///   those of `picture`, untouched and without a copy.
    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot be read,
    ///   ``MediaError/limitExceeded(_:)`` for an impossible size.
    package func convert(
        _ picture: Picture,
        toWidth width: Int,
        height: Int,
        color: ColorDescription
    ) throws(MediaError) -> Picture {
        try convert(picture, to: .yuv420p, width: width, height: height, color: color)
    }

    /// The picture as large as it is, in its own colour and depth and with its alpha, with a plane for each component.
    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot be read.
    package func planar(_ picture: Picture) throws(MediaError) -> Picture {
        if picture.pixelFormat.isPlanar { return picture }
        let format = picture.pixelFormat.planar
        var color = picture.color
        if picture.pixelFormat.isRGB { (color.matrix, color.isFullRange) = ("bt709", false) }
        return try convert(
            picture,
            to: format,
            width: picture.width,
            height: picture.height,
            color: color,
            chroma: picture.chroma
        )
    }

    /// The picture as large as it is, as red, green and blue of 16 bits in its own primaries; labelled BT.709, which
    /// what comes of it will be.
    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot be read.
    package func rgb16(_ picture: Picture) throws(MediaError) -> Picture {
        guard let format = PixelFormat(name: "gbrp16le") else { throw .unsupported("16-bit RGB is not known here.") }
        let color = ColorDescription(matrix: "gbr", isFullRange: true, primaries: "bt709", transfer: "bt709")
        return try convert(picture, to: format, width: picture.width, height: picture.height, color: color)
    }

    /// The picture as large as it is, in `color`, as yuva444p: so that neither scaling nor chroma of half the size
    /// mixes what is seen with what is not.
    /// - Returns: nil for a picture whose format has no alpha.
    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot be read.
    package func keepingAlpha(_ picture: Picture, color: ColorDescription) throws(MediaError) -> Picture? {
        guard picture.pixelFormat.hasAlpha, let format = PixelFormat(name: "yuva444p") else { return nil }
        return try convert(picture, to: format, width: picture.width, height: picture.height, color: color)
    }

    /// Converts as ``convert(_:toWidth:height:color:)`` does, to another format than yuv420p.
    /// - Throws: ``MediaError/unsupported(_:)`` and ``MediaError/limitExceeded(_:)`` as there.
    /// - Parameter chroma: the place where it shall be in the new picture.
    package func convert(
        _ picture: Picture,
        to format: PixelFormat,
        width: Int,
        height: Int,
        color: ColorDescription,
        chroma: ChromaLocation = .left
    ) throws(MediaError) -> Picture {
        let target = ScalerEnd(width: width, height: height, format: format, color: color, chroma: chroma)
        let conversion = Conversion(from: ScalerEnd(picture), to: target)
        if conversion.isIdentity { return try relabel(picture, format, color) }
        let made = try MutablePicture(width: width, height: height, pixelFormat: format, color: color, chroma: chroma)
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
        return Picture(frame: frame, pixelFormat: format, color: color, chroma: picture.chroma, pts: picture.pts)
    }

    private func scaler(_ conversion: Conversion) throws(MediaError) -> Scaler {
        if let scaler = scalers[conversion] { return scaler }
        let scaler = try Scaler(conversion)
        scalers[conversion] = scaler
        return scaler
    }
}

/// What a scaler reads or writes.
private struct ScalerEnd: Hashable {
    var width: Int
    var height: Int
    var format: PixelFormat
    var matrix: Int32
    var isFull: Bool
    var chroma: ChromaLocation

    init(width: Int, height: Int, format: PixelFormat, color: ColorDescription, chroma: ChromaLocation) {
        self.format = format.withoutRange
        (self.width, self.height) = (width, height)
        (matrix, isFull) = (color.coefficients, color.isFullRange)
        self.chroma = chroma.within(format)
    }

    init(_ picture: Picture) {
        self.init(
            width: picture.width,
            height: picture.height,
            format: picture.pixelFormat,
            color: picture.color,
            chroma: picture.chroma
        )
    }

    var raw: cut_scaler_end {
        cut_scaler_end(
            width: Int32(width),
            height: Int32(height),
            format: format.raw,
            matrix: matrix,
            is_full: isFull ? 1 : 0,
            chroma_x: Int32(chroma.x),
            chroma_y: Int32(chroma.y)
        )
    }
}

/// All that a scaler depends on.
private struct Conversion: Hashable {
    var from: ScalerEnd
    var to: ScalerEnd

    var isIdentity: Bool { from == to }

    /// Between two matrices libswscale goes by R′G′B′ of 8 bits and forgets there where chroma is: so it gets each half
    /// of the way by itself. Nil where one step is enough.
    var middle: ScalerEnd? {
        guard from.matrix != to.matrix, !from.format.isRGB, !to.format.isRGB else { return nil }
        var middle = from.width * from.height > to.width * to.height ? to : from
        let hasAlpha = from.format.hasAlpha && to.format.hasAlpha
        middle.format = hasAlpha ? .bgra : .bgr24
        (middle.matrix, middle.isFull, middle.chroma) = (to.matrix, true, ChromaLocation(x: 0, y: 0))
        return middle
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

/// A way of one or two steps from one kind of picture to another.
private final class Scaler {
    private let first: ScalerStep
    private var second: (step: ScalerStep, between: MutablePicture)?

    init(_ conversion: Conversion) throws(MediaError) {
        guard let middle = conversion.middle else {
            first = try ScalerStep(from: conversion.from, to: conversion.to)
            return
        }
        first = try ScalerStep(from: conversion.from, to: middle)
        let between = try MutablePicture(
            width: middle.width,
            height: middle.height,
            pixelFormat: middle.format,
            color: .bt709
        )
        second = (try ScalerStep(from: middle, to: conversion.to), between)
    }

    func run(from picture: Picture, to target: MutablePicture) throws(MediaError) {
        guard let second else { return try first.run(from: picture.frame, to: target.frame) }
        try first.run(from: picture.frame, to: second.between.frame)
        try second.step.run(from: second.between.frame, to: target.frame)
    }
}

/// Owner of one libswscale context.
private final class ScalerStep {
    private let raw: UnsafeMutableRawPointer

    init(from: ScalerEnd, to: ScalerEnd) throws(MediaError) {
        LibAV.prepare()
        guard let raw = cut_scaler_make(from.raw, to.raw) else {
            throw .unsupported(
                "Pictures in \(from.format.name) of \(from.width)×\(from.height) cannot be converted; "
                    + "convert the file to H.264 first."
            )
        }
        self.raw = raw
    }

    deinit { cut_scaler_free(raw) }

    func run(from source: Frame, to target: Frame) throws(MediaError) {
        let rows = cut_scaler_run(raw, target.raw, source.raw)
        guard rows == target.raw.pointee.height else { throw .unsupported("A picture could not be scaled.") }
    }
}
