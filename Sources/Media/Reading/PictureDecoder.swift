import CLibAV

/// A decoder of source pictures that is told each packet's number and says which packet a picture came from.
///
/// The number travels in place of the pts, so that nothing rests on a container's timestamps.
final class PictureDecoder {
    private let context: CodecContext
    /// Whether a packet says by itself that no other refers to its picture, and the decoder leaves such pictures out
    /// without a trace in those that follow.
    private let canLeaveOut: Bool

    /// - Throws: ``MediaError/unsupported(_:)`` without a decoder for `stream`.
    init(_ stream: UnsafeMutablePointer<AVStream>, threads: Int) throws(MediaError) {
        context = try CodecContext(decoding: stream)
        context.raw.pointee.thread_count = Int32(threads)
        // Else WMV's half pixels are rounded as some vector instructions do it, and not as in C.
        context.raw.pointee.flags |= Int32(AV_CODEC_FLAG_BITEXACT)
        canLeaveOut = context.raw.pointee.codec_id == AV_CODEC_ID_H264
        // An H.264 stream that does not say its reorder depth gets the largest: no picture is lost when B-frames
        // appear late.
        if canLeaveOut { context.raw.pointee.strict_std_compliance = CUT_STRICT }
        try context.open(options: [:], failing: MediaError.unsupported)
    }

    /// Decodes `packet`, also when an edit list hides it.
    /// - Parameter isWanted: false when only later pictures are wanted. A picture of H.264 that no other refers to
    ///   (`nal_ref_idc` 0, ITU-T H.264 7.4.1) is then not decoded: half of a stream with B-frames, as a rule.
    /// - Returns: pictures that became ready, in presentation order, with their packets' numbers. A damaged packet
    ///   gives none.
    func decode(
        _ packet: Packet,
        number: Int,
        isWanted: Bool = true
    ) throws(MediaError) -> [(number: Int, frame: Frame)] {
        context.raw.pointee.skip_frame = canLeaveOut && !isWanted ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        packet.raw.pointee.pts = Int64(number)
        packet.raw.pointee.dts = CUT_NOPTS
        packet.raw.pointee.flags &= ~AV_PKT_FLAG_DISCARD
        let code = avcodec_send_packet(context.raw, packet.raw)
        if code != CUT_AVERROR_INVALIDDATA {
            try LibAV.check(code, MediaError.decoding, "Picture packet \(number) cannot be decoded")
        }
        return try receive()
    }

    /// The pictures still inside; ``reset()`` before the next packet.
    func drain() throws(MediaError) -> [(number: Int, frame: Frame)] {
        avcodec_send_packet(context.raw, nil)
        return try receive()
    }

    /// Forgets everything, to start at another entry point.
    func reset() { avcodec_flush_buffers(context.raw) }

    private func receive() throws(MediaError) -> [(number: Int, frame: Frame)] {
        var frames: [(number: Int, frame: Frame)] = []
        while true {
            let frame = try Frame()
            let code = avcodec_receive_frame(context.raw, frame.raw)
            if code == CUT_AVERROR_EAGAIN || code == CUT_AVERROR_EOF { return frames }
            if code == CUT_AVERROR_INVALIDDATA { continue }
            try LibAV.check(code, MediaError.decoding, "Decoding a picture")
            frames.append((Int(frame.raw.pointee.pts), frame))
        }
    }
}
