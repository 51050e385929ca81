import CLibAV
import Shared

/// Decodes one sound stream, from its first packet or from where a cell begins. Priming that the container declares is
/// removed by libavcodec at the stream's start.
final class SoundDecoder {
    /// One decoded frame: its pts in ticks of ``timeBase``, where known, and its samples.
    struct Decoded {
        var pts: Int64?
        var channels: [[Float]]

        /// Of each channel.
        var count: Int { channels.first?.count ?? 0 }
    }

    let timeBase: RationalTime
    private let packets: SoundPackets
    private let streamIndex: Int
    private let context: CodecContext
    /// Packets whose sound is dropped; nil from the stream's start on.
    private let lead: Int?
    private var packetCount = 0
    private var isDiscarded = false
    private var isDraining = false
    /// Told of every packet before what it decodes to is handed out.
    var onPacket: (Packet) -> Void = { _ in }

    /// - Parameter lead: packets that are decoded for what the decoder remembers; nil at the stream's start.
    /// - Throws: ``MediaError/unsupported(_:)`` when there is no such stream or no decoder for it.
    init(_ packets: SoundPackets, streamIndex: Int, lead: Int? = nil) throws(MediaError) {
        self.packets = packets
        self.streamIndex = streamIndex
        self.lead = lead
        guard let stream = packets.stream else {
            throw .unsupported("The file has no stream \(streamIndex); probe it again.")
        }
        timeBase = try RationalTime(ratio: stream.pointee.time_base)
        context = try CodecContext(decoding: stream)
        // What is hidden lies at the ends, which others count.
        if lead != nil { context.raw.pointee.flags2 |= Int32(AV_CODEC_FLAG2_SKIP_MANUAL) }
        try context.open(options: [:], failing: MediaError.unsupported)
    }

    convenience init(_ source: any ByteSource, streamIndex: Int) throws(MediaError) {
        try self.init(SoundPackets(source, streamIndex: streamIndex), streamIndex: streamIndex)
    }

    var sampleRate: Int { Int(context.raw.pointee.sample_rate) }
    var channelCount: Int { Int(context.raw.pointee.ch_layout.nb_channels) }
    var channelLayout: String {
        var text = [CChar](repeating: 0, count: 128)
        av_channel_layout_describe(&context.raw.pointee.ch_layout, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The next frame with at least one audible sample; nil at the end.
    func next() throws(MediaError) -> Decoded? {
        while true {
            if let frame = try receive() {
                guard frame.raw.pointee.nb_samples > 0, packetCount > lead ?? 0, !isDiscarded else { continue }
                return try decoded(frame)
            }
            if isDraining { return nil }
            try feed()
        }
    }

    /// A damaged packet is passed over, as players do: the clock shows the hole.
    private func receive() throws(MediaError) -> Frame? {
        while true {
            let frame = try Frame()
            let code = avcodec_receive_frame(context.raw, frame.raw)
            if code >= 0 { return frame }
            if code == CUT_AVERROR_EAGAIN || code == CUT_AVERROR_EOF { return nil }
            guard code == CUT_AVERROR_INVALIDDATA else {
                throw .decoding("Sound of stream \(streamIndex) cannot be decoded: \(LibAV.text(code)).")
            }
        }
    }

    private func feed() throws(MediaError) {
        while let packet = try packets.next() {
            packetCount += 1
            isDiscarded = lead != nil && packet.isDiscarded
            onPacket(packet)
            let code = avcodec_send_packet(context.raw, packet.raw)
            if code >= 0 { return }
            guard code == CUT_AVERROR_INVALIDDATA else {
                throw .decoding("Sound of stream \(streamIndex) cannot be decoded: \(LibAV.text(code)).")
            }
        }
        isDraining = true
        avcodec_send_packet(context.raw, nil)
    }

    /// - Throws: ``MediaError/decoding(_:)`` unless `decoded` is of so many channels and this rate.
    func require(channels: Int, sampleRate: Int, of decoded: Decoded) throws(MediaError) {
        guard decoded.channels.count == channels, self.sampleRate == sampleRate else {
            throw .decoding(
                "Sound stream \(streamIndex) changes from \(channels) channels at \(sampleRate) Hz to "
                    + "\(decoded.channels.count) at \(self.sampleRate); convert it to one format first."
            )
        }
    }

    private func decoded(_ frame: Frame) throws(MediaError) -> Decoded {
        guard let channels = SampleConversion.planar(frame) else {
            throw .unsupported("Sound of stream \(streamIndex) has a sample format that is not read.")
        }
        let pts = frame.raw.pointee.pts
        return Decoded(pts: pts == CUT_NOPTS ? nil : pts, channels: channels)
    }
}

extension CodecContext {
    /// A decoder for `stream`, not opened yet.
    convenience init(decoding stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        guard let parameters = stream.pointee.codecpar, let codec = SourceCodec.decoder(of: stream) else {
            let name = stream.pointee.codecpar.map { String(cString: avcodec_get_name($0.pointee.codec_id)) } ?? "?"
            throw .unsupported("Stream \(stream.pointee.index) is \(name), for which there is no decoder.")
        }
        try self.init(codec: codec)
        try LibAV.check(avcodec_parameters_to_context(raw, parameters), MediaError.decoding, "Stream parameters")
        raw.pointee.pkt_timebase = stream.pointee.time_base
        raw.pointee.thread_count = 1
    }
}

extension RationalTime {
    /// - Throws: ``MediaError/unsupported(_:)`` for 0/0 and the like.
    init(ratio: AVRational) throws(MediaError) {
        guard ratio.num > 0, ratio.den > 0, let time = try? RationalTime(Int64(ratio.num), Int64(ratio.den)) else {
            throw .unsupported("A stream has no time base; remux the file with ffmpeg -c copy.")
        }
        self = time
    }
}
