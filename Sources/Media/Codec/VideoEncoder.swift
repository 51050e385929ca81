import CLibAV
package import CompositionModel
package import Foundation
package import Timing

/// Encodes pictures with settings that give the same bytes on every machine.
///
/// Times are frame numbers. The caller may stop at any packet: a dropped encoder forgets what is still inside.
package final class VideoEncoder {
    /// Parameter sets with start codes (Annex B) of H.264 and HEVC, the configuration record of FFV1.
    package let extradata: Data
    private let context: CodecContext
    private let packet: Packet
    private let size: PictureSize
    private var isDraining = false

    /// - Parameter sequenceParameterSetID: H.264 only; 31 keeps clear of copied streams, which are numbered from 0.
    /// - Throws: ``MediaError/encoding(_:)`` when this FFmpeg lacks the codec or refuses the settings.
    package init(
        encoding: VideoEncoding,
        size: PictureSize,
        color: ColorDescription,
        frameRate: FrameRate,
        sequenceParameterSetID: Int = 31
    ) throws(MediaError) {
        guard let name = encoding.codec.encoder, !encoding.isCopyOnly else {
            throw .encoding("\(encoding.codec.title) is copied and not encoded; use another preset.")
        }
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw .encoding("This FFmpeg has no encoder \(name); install a build with it.")
        }
        context = try CodecContext(codec: codec)
        packet = try Packet()
        self.size = size
        context.configure(encoding, size: size, color: color)
        try context.setRate(frameRate)
        let options = encoding.options(size: size, sequenceParameterSetID: sequenceParameterSetID)
        try context.open(options: options, failing: MediaError.encoding)
        extradata = context.extradata
    }

    /// - Parameters:
    ///   - picture: yuv420p of the encoder's size.
    ///   - frame: the 0-based number of the frame in its segment, one more than the last.
    ///   - forceKey: whether it becomes an IDR.
    /// - Returns: the packets that became ready, in decode order.
    /// - Throws: ``MediaError/encoding(_:)`` for a picture of another size or format, or when the encoder refuses it.
    package func send(_ picture: Picture, frame: Int64, forceKey: Bool) throws(MediaError) -> [EncodedPacket] {
        guard picture.size == size, picture.pixelFormat == .yuv420p else {
            throw .encoding(
                "A \(picture.pixelFormat.name) picture of \(picture.width)×\(picture.height) came to an encoder of "
                    + "yuv420p at \(size.width)×\(size.height)."
            )
        }
        let shown = try Frame(referring: picture.frame)
        shown.raw.pointee.pts = frame
        shown.raw.pointee.pict_type = forceKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try LibAV.check(avcodec_send_frame(context.raw, shown.raw), MediaError.encoding, "Frame \(frame)")
        return try receive()
    }

    /// The packets still inside, in decode order. Nothing can be sent afterwards.
    /// - Throws: ``MediaError/encoding(_:)`` when the encoder refuses what it gets.
    package func finish() throws(MediaError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        while let packet = try drain() { packets.append(packet) }
        return packets
    }

    /// One more of the packets still inside, encoded only now; nil when none is left. Nothing can be sent afterwards.
    /// Who needs only the first few of them saves the work for the others.
    /// - Throws: ``MediaError/encoding(_:)`` when the encoder refuses what it gets.
    package func drain() throws(MediaError) -> EncodedPacket? {
        if !isDraining {
            try LibAV.check(avcodec_send_frame(context.raw, nil), MediaError.encoding, "The last frames")
            isDraining = true
        }
        let code = avcodec_receive_packet(context.raw, packet.raw)
        if code == CUT_AVERROR_EOF { return nil }
        try LibAV.check(code, MediaError.encoding, "The last frames")
        defer { packet.clear() }
        var drained = packet.encoded()
        drained.duration = 1
        return drained
    }

    /// libx264 leaves durations at 0; every frame lasts one.
    private func receive() throws(MediaError) -> [EncodedPacket] {
        try context.receivePackets(into: packet).map { packet in
            var packet = packet
            packet.duration = 1
            return packet
        }
    }
}

extension VideoEncoding {
    /// What the encoder is told beside size, rate and colour. Whatever could differ between machines is pinned here.
    fileprivate func options(size: PictureSize, sequenceParameterSetID: Int) -> [String: String] {
        switch codec {
        case .h264:
            [
                "preset": speed ?? "medium",
                "crf": decimal(thousandths: crfThousandths ?? 20000),
                "forced-idr": "1",
                "x264-params": "cpu-independent=1:open-gop=0:sps-id=\(sequenceParameterSetID)" + lookahead
                    + (isSteady == true ? ":mbtree=0:qcomp=1:aq-mode=0" : "")
                    + (VectorCode.isX264Plain ? ":asm=0" : ""),
            ].merging(profile.map { ["profile": $0.rawValue] } ?? [:]) { $1 }
                // Captions come with the other messages of the source (``SourceMessages``), and not a second time.
                .merging(copies == true ? ["a53cc": "0"] : [:]) { $1 }
        case .ffv1:
            // FFmpeg divides pictures of more than 288 rows in two at least, and finds no way to where the chroma has
            // one column.
            size.width < 4 && size.height > 288
                ? ["level": "1"] : ["level": "3", "slices": "\(sliceCount(size))", "slicecrc": "1"]
        case .hevc: hevcOptions
        case .prores, .dnxhd, .mjpeg: [:]
        }
    }

    /// The slices of an FFV1 picture: n × n, four or the least number of which none has more than 2²² pixels, below the
    /// most that FFmpeg's encoder takes; one where a side is too short to be divided.
    private func sliceCount(_ size: PictureSize) -> Int {
        guard min(size.width, size.height) >= 4 else { return 1 }
        var side = 2
        while (size.width + side - 1) / side * ((size.height + side - 1) / side) > 1 << 22 { side += 1 }
        return side * side
    }
}

extension VideoEncoding {
    /// x264 keeps every frame of its lookahead with all that it knows of it, 7 MB at 1080p: 40 of them (`medium`) take
    /// a worker past 400 MB, 20 leave it at 350, and the post-roll fills 20. The faster presets look less far by
    /// themselves.
    fileprivate var lookahead: String {
        let own = ["ultrafast", "superfast", "veryfast", "faster"]
        return own.contains(speed ?? "medium") ? "" : ":rc-lookahead=20"
    }
}

/// A number in thousandths as a decimal fraction.
func decimal(thousandths: Int) -> String {
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
}

extension CodecContext {
    fileprivate func configure(_ encoding: VideoEncoding, size: PictureSize, color: ColorDescription) {
        raw.pointee.width = Int32(size.width)
        raw.pointee.height = Int32(size.height)
        raw.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        raw.pointee.sample_aspect_ratio = encoding.raster.sampleAspectRatio
        raw.pointee.colorspace = color.rawMatrix
        raw.pointee.color_range = color.rawRange
        raw.pointee.color_primaries = color.rawPrimaries
        raw.pointee.color_trc = color.rawTransfer
        raw.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        raw.pointee.gop_size = encoding.codec == .ffv1 ? 1 : Int32(encoding.keyframeInterval)
        raw.pointee.thread_count = 1
        raw.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) | Int32(AV_CODEC_FLAG_BITEXACT)
    }

    fileprivate func setRate(_ rate: FrameRate) throws(MediaError) {
        guard let top = Int32(exactly: rate.numerator), let bottom = Int32(exactly: rate.denominator) else {
            throw .encoding("A frame rate of \(rate) is too fine a fraction; use one like 30000/1001.")
        }
        raw.pointee.time_base = AVRational(num: bottom, den: top)
        raw.pointee.framerate = AVRational(num: top, den: bottom)
    }
}
