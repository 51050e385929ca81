import CLibAV
import Timing

/// Decodes one sound stream, from its first packet or from where a cell begins. Priming that the container declares is
/// removed by libavcodec at the stream's start.
final class SoundDecoder {
    /// One decoded frame: its pts in ticks of ``timeBase``, where known, and its samples.
    struct Decoded {
        var pts: Int64?
        /// The number of the heard packet that it begins, from 0; nil for what follows of the same packet.
        var packet: Int64?
        var channels: [[Float]]
        var sampleRate: Int
        /// Packets since the frame before that could not be decoded and gave nothing.
        var lost: Int64
        /// A part of it is missing or made up, or the decoder logged an error at its packet.
        var isDamaged: Bool

        /// The number of samples of each channel.
        var count: Int { channels.first?.count ?? 0 }
    }

    let timeBase: RationalTime
    private let packets: SoundPackets
    private let streamIndex: Int
    private let context: CodecContext
    /// Packets whose sound is dropped; nil from the stream's start on.
    private let preRoll: Int?
    /// Whether it is PCM: a packet of it that is marked corrupt is a short one.
    private let isPCM: Bool
    /// Whether the codec is lossy: what only such decode to is not meant; what PCM holds was meant.
    private let isLossy: Bool
    private var packetCount = 0
    /// The last packet is not meant to be heard; nor is it handed out, where libavcodec does not see to that.
    private var (isHidden, isDiscarded) = (false, false)
    private var isDraining = false
    /// What became of the last packet.
    private var (hasFailed, hasGiven) = (false, false)
    /// The samples lost before what comes next, as ``Decoded`` counts them; behind the last frame, of the stream's end.
    private(set) var lost: Int64 = 0
    private(set) var isDamaged = false
    private var errorsBefore: Int64 = 0
    /// Told of every packet before what it decodes to is handed out.
    var onPacket: (Packet) -> Void = { _ in }
    /// Whether a packet lies behind all that is wanted: after some that gave nothing, no more is read then.
    var isBehind: (Packet) -> Bool = { _ in false }

    /// - Parameter preRoll: packets that are decoded for what the decoder remembers; nil at the stream's start.
    /// - Throws: ``MediaError/unsupported(_:)`` when there is no such stream or no decoder for it.
    init(_ packets: SoundPackets, streamIndex: Int, preRoll: Int? = nil) throws(MediaError) {
        self.packets = packets
        self.streamIndex = streamIndex
        self.preRoll = preRoll
        guard let stream = packets.stream else {
            throw .unsupported("The file has no stream \(streamIndex); probe it again.")
        }
        timeBase = try RationalTime(ratio: stream.pointee.time_base)
        context = try CodecContext(decoding: stream)
        isPCM = String(cString: avcodec_get_name(context.raw.pointee.codec_id)).hasPrefix("pcm_")
        isLossy =
            avcodec_descriptor_get(context.raw.pointee.codec_id).map { descriptor in
                descriptor.pointee.props & (AV_CODEC_PROP_LOSSY | AV_CODEC_PROP_LOSSLESS) == AV_CODEC_PROP_LOSSY
            } ?? false
        context.raw.pointee.err_recognition |= SoundDecoder.checks(context.raw.pointee.codec_id)
        // What is hidden lies at the ends, which others count.
        if preRoll != nil { context.raw.pointee.flags2 |= Int32(AV_CODEC_FLAG2_SKIP_MANUAL) }
        try context.open(options: [:], failing: MediaError.unsupported)
        errorsBefore = context.loggedErrors.count
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

    /// The next frame with at least one audible sample; nil at the end. What cannot be decoded is passed over, as
    /// players do, and told with what follows it.
    /// - Throws: ``MediaError/outOfMemory(_:)``, or what the source throws.
    func next() throws(MediaError) -> Decoded? {
        while true {
            if let frame = try receive() {
                defer { hasGiven = true }
                guard frame.raw.pointee.nb_samples > 0, isHeard, !isDiscarded else { continue }
                return try decoded(frame)
            }
            if isDraining { return nil }
            try feed()
        }
    }

    private var isHeard: Bool { packetCount > preRoll ?? 0 }

    private func receive() throws(MediaError) -> Frame? {
        while true {
            let frame = try Frame()
            let code = avcodec_receive_frame(context.raw, frame.raw)
            if code >= 0 { return frame }
            if code == CUT_AVERROR_EAGAIN || code == CUT_AVERROR_EOF { return nil }
            try passOver(code)
            // What a drained decoder fails at, it may fail at for ever.
            if isDraining { return nil }
        }
    }

    private func feed() throws(MediaError) {
        finishPacket()
        guard let packet = try packets.next() else {
            isDraining = true
            avcodec_send_packet(context.raw, nil)
            return
        }
        if lost > 0, isBehind(packet) {
            isDraining = true
            return
        }
        packetCount += 1
        (isHidden, isDiscarded) = (packet.isDiscarded, preRoll != nil && packet.isDiscarded)
        onPacket(packet)
        let code = avcodec_send_packet(context.raw, packet.raw)
        if code < 0 { try passOver(code) }
        isDamaged = isDamaged || packet.isCorrupt && !isPCM && !isHidden
    }

    private func finishPacket() {
        if !isHeard {
            (lost, isDamaged) = (0, false)
            forgive()
        } else if isHidden {
            forgive()
        } else if hasFailed {
            if hasGiven { isDamaged = true } else { lost += 1 }
            forgive()
        }
        (hasFailed, hasGiven) = (false, false)
    }

    /// The errors that the decoder logged so far are no fault of the next frame.
    private func forgive() { errorsBefore = context.loggedErrors.count }

    /// - Throws: ``MediaError/outOfMemory(_:)`` when `code` says that: no property of the packet.
    private func passOver(_ code: Int32) throws(MediaError) {
        if code == CUT_AVERROR_ENOMEM { try LibAV.check(code, MediaError.decoding, "Sound of stream \(streamIndex)") }
        hasFailed = true
    }

    private func decoded(_ frame: Frame) throws(MediaError) -> Decoded {
        guard var channels = SampleConversion.planar(frame) else {
            throw .unsupported("Sound of stream \(streamIndex) has a sample format that is not read.")
        }
        if isLossy, channels.contains(where: SoundDecoder.isImpossible) {
            isDamaged = true
            channels = channels.map { [Float](repeating: 0, count: $0.count) }
        }
        let (pts, errors) = (frame.raw.pointee.pts, context.loggedErrors.count)
        defer {
            (lost, isDamaged) = (0, false)
            errorsBefore = errors
        }
        return Decoded(
            pts: pts == CUT_NOPTS ? nil : pts,
            packet: hasGiven ? nil : Int64(packetCount - (preRoll ?? 0) - 1),
            channels: channels,
            sampleRate: Int(frame.raw.pointee.sample_rate),
            lost: lost,
            isDamaged: isDamaged || errors > errorsBefore || frame.isConcealed && !isPCM
        )
    }
}

extension SoundDecoder {
    /// More than 20 dB above full scale no encoder was given: one wrong bit of a scale factor, which would make all
    /// else inaudible where the whole is brought to a loudness.
    private static func isImpossible(_ samples: [Float]) -> Bool {
        // The bits of floats without their sign are in the order of their magnitudes.
        var most: UInt32 = 0
        for sample in samples { most = max(most, sample.magnitude.bitPattern) }
        return most > Float(10).bitPattern
    }

    /// Checksums that are looked at. A FLAC, WavPack or TTA frame with a wrong one is passed over: what it decodes to
    /// is noise. (E-)AC-3's decoder conceals what is wrong with it, and says so. Files of MP3 with wrong ones are
    /// common.
    private static func checks(_ codec: AVCodecID) -> Int32 {
        switch codec {
        case AV_CODEC_ID_FLAC, AV_CODEC_ID_WAVPACK, AV_CODEC_ID_TTA: AV_EF_CRCCHECK | AV_EF_EXPLODE
        case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: AV_EF_CRCCHECK
        default: 0
        }
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
