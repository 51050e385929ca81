import CLibAV
package import CompositionModel
package import Foundation
package import WireProtocol

/// Makes PNG and JPEG files of pictures, the same bytes on every machine.
package final class ImageEncoder {
    private let format: StillFormat
    private let converter = PictureConverter()

    package init(_ format: StillFormat) { self.format = format }

    /// The file of `picture`, made smaller to `size` where that differs from its own.
    ///
    /// PNG holds RGB, computed with the picture's own matrix and range. JPEG holds 4:2:0 in full range with the matrix
    /// of BT.601, with centred chroma, which is what JFIF readers take for granted (ITU-T T.871 §7).
    /// - Throws: ``MediaError``.
    package func encode(_ picture: Picture, size: PictureSize) throws(MediaError) -> Data {
        let color = format == .png ? ColorDescription.stillRGB : .jfif
        let fitted = try converter.convert(
            picture,
            to: format == .png ? .rgb24 : .yuv420p,
            width: size.width,
            height: size.height,
            color: color,
            chroma: .center
        )
        let context = try CodecContext(codec: try codec())
        configure(context.raw, size: size, color: color)
        try context.open(options: [:], failing: MediaError.encoding)
        let frame = try Frame(referring: fitted.frame)
        frame.raw.pointee.format = context.raw.pointee.pix_fmt.rawValue
        frame.raw.pointee.pts = 0
        frame.raw.pointee.quality = context.raw.pointee.global_quality
        try LibAV.check(avcodec_send_frame(context.raw, frame.raw), MediaError.encoding, "A still image")
        try LibAV.check(avcodec_send_frame(context.raw, nil), MediaError.encoding, "A still image")
        guard let packet = try context.receivePackets(into: try Packet()).first else {
            throw .encoding("A still image did not come out of the encoder.")
        }
        return packet.data
    }

    private func codec() throws(MediaError) -> UnsafePointer<AVCodec> {
        let name = format == .png ? "png" : "mjpeg"
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw .encoding("This FFmpeg has no encoder \(name); install a build with it.")
        }
        return codec
    }

    private func configure(_ context: UnsafeMutablePointer<AVCodecContext>, size: PictureSize, color: ColorDescription)
    {
        context.pointee.width = Int32(size.width)
        context.pointee.height = Int32(size.height)
        context.pointee.pix_fmt = format == .png ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUVJ420P
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.thread_count = 1
        context.pointee.color_range = color.rawRange
        context.pointee.colorspace = color.rawMatrix
        context.pointee.flags |= Int32(AV_CODEC_FLAG_BITEXACT)
        guard format == .jpeg else { return }
        // A quantiser of 2 of 1 … 31: what cameras call fine.
        context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
        context.pointee.global_quality = 2 * FF_QP2LAMBDA
    }
}

extension ColorDescription {
    /// The colour of a picture in RGB whose samples go into a PNG as they are.
    package static let stillRGB = ColorDescription(
        matrix: "gbr",
        isFullRange: true,
        primaries: "bt709",
        transfer: "iec61966-2-1"
    )
    fileprivate static let jfif = ColorDescription(
        matrix: "smpte170m",
        isFullRange: true,
        primaries: "bt709",
        transfer: "iec61966-2-1"
    )
}
