import CLibAV
package import CompositionModel
package import Foundation

/// A bare decoder of what ``VideoEncoder`` made: packets in, pictures out in display order. For verification.
package final class VideoDecoder {
    private let context: CodecContext
    private let packet: Packet
    private let color: ColorDescription

    /// - Parameters:
    ///   - size: the size of the coded picture; FFV1 does not say it itself.
    ///   - color: the colour that the pictures are labelled with.
    ///   - tag: the four characters of the sample entry, by which some codecs tell their profiles; nil where there are
    ///     none.
    ///   - isStrict: whether damage is an error; else it is concealed, as players do it.
    package init(
        codec: VideoEncoding.Codec,
        extradata: Data,
        size: PictureSize,
        color: ColorDescription,
        threads: Int,
        tag: String? = nil,
        isStrict: Bool = true
    ) throws(MediaError) {
        guard let decoder = avcodec_find_decoder(codec.identifier) else {
            throw .decoding("This FFmpeg has no decoder for \(codec.rawValue).")
        }
        context = try CodecContext(codec: decoder)
        packet = try Packet()
        self.color = color
        context.raw.pointee.width = Int32(size.width)
        context.raw.pointee.height = Int32(size.height)
        context.raw.pointee.thread_count = Int32(threads)
        context.raw.pointee.codec_tag = (tag ?? "").utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        context.raw.pointee.err_recognition = isStrict ? AV_EF_EXPLODE | AV_EF_CRCCHECK : 0
        try context.setExtradata(extradata)
        try context.open(options: [:], failing: MediaError.decoding)
    }

    /// - Parameter packet: the next one in decode order; nil drains what is inside, once.
    /// - Returns: pictures that became ready; their ``Picture/pts`` is their packet's.
    /// - Throws: ``MediaError/decoding(_:)`` for damaged packets.
    package func decode(_ packet: EncodedPacket?) throws(MediaError) -> [Picture] {
        if let packet {
            try self.packet.fill(packet)
            try LibAV.check(
                avcodec_send_packet(context.raw, self.packet.raw),
                MediaError.decoding,
                "Packet at frame \(packet.pts)"
            )
        } else {
            try LibAV.check(avcodec_send_packet(context.raw, nil), MediaError.decoding, "The last packets")
        }
        return try receive()
    }

    private func receive() throws(MediaError) -> [Picture] {
        var pictures: [Picture] = []
        while let frame = try context.receiveFrame() {
            guard let format = PixelFormat(raw: AVPixelFormat(frame.raw.pointee.format)) else {
                throw .decoding("A picture of an unknown pixel format came out.")
            }
            pictures.append(Picture(frame: frame, pixelFormat: format, color: color, pts: frame.raw.pointee.pts))
        }
        return pictures
    }
}
