import CLibAV

/// The number of samples that a coded packet of sound decodes to, whether or not all of them are meant to be heard.
struct SoundPacketLength {
    private let parameters: UnsafeMutablePointer<AVCodecParameters>
    private let timeBase: AVRational
    private let sampleRate: Int
    /// Bytes of a sample of all channels; nil for coded sound.
    let bytesPerSample: Int?

    init(_ stream: ExportStream, sampleRate: Int) {
        parameters = stream.parameters
        timeBase = stream.stream.pointee.time_base
        self.sampleRate = sampleRate
        let bits = Int(av_get_exact_bits_per_sample(parameters.pointee.codec_id))
        let isPCM = stream.codec.hasPrefix("pcm_") && bits >= 8
        let channels = Int(parameters.pointee.ch_layout.nb_channels)
        bytesPerSample = isPCM && stream.codec != "pcm_bluray" && stream.codec != "pcm_dvd" ? bits / 8 * channels : nil
    }

    func samples(_ packet: Packet) -> Int64 {
        if let bytesPerSample { return Int64(packet.bytes.count / bytesPerSample) }
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_OPUS: if let count = opus(packet.bytes) { return count * Int64(sampleRate) / 48_000 }
        case AV_CODEC_ID_FLAC: if let count = flac(packet.bytes) { return count }
        case AV_CODEC_ID_VORBIS, AV_CODEC_ID_ALAC: if let count = byDuration(packet), hasExactTicks { return count }
        default: break
        }
        let byCodec = Int64(av_get_audio_frame_duration2(parameters, Int32(packet.bytes.count)))
        return byCodec > 0 ? byCodec : byDuration(packet) ?? 0
    }

    /// The packets before a cut that the decoder needs, so that what follows is right: overlapping windows of AAC and its
    /// like, the bit reservoir of MP3. Opus, which is counted in samples, needs 80 ms to come near to what is right (RFC
    /// 7845, 4.6), and 400 ms to reach it.
    /// - Parameter isFree: whether an edit list hides them; Matroska's CodecDelay moves the sound in players that do not
    ///   know it.
    static func priming(_ codec: AVCodecID, isFree: Bool) -> (packets: Int, samples: Int64) {
        switch codec {
        case AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM: (2, 0)
        case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3: (4, 0)
        case AV_CODEC_ID_OPUS: (1, isFree ? 19_200 : 3840)
        case AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC, AV_CODEC_ID_TTA, AV_CODEC_ID_WAVPACK: (0, 0)
        default: (1, 0)
        }
    }

    private var hasExactTicks: Bool { Int(timeBase.den) == sampleRate * Int(timeBase.num) }

    private func byDuration(_ packet: Packet) -> Int64? {
        guard packet.duration > 0 else { return nil }
        return av_rescale_q(packet.duration, timeBase, AVRational(num: 1, den: Int32(sampleRate)))
    }

    /// RFC 6716, 3.1: the configuration in five bits, a bit for stereo, and the number of frames; at 48 kHz.
    private func opus(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard let head = bytes.first else { return nil }
        let configuration = Int(head >> 3)
        let frame: Int64 =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration % 4]
            case 12..<16: [480, 960][configuration % 2]
            default: [120, 240, 480, 960][configuration % 4]
            }
        switch head & 3 {
        case 0: return frame
        case 1, 2: return 2 * frame
        default: return bytes.count > 1 ? Int64(bytes[1] & 63) * frame : nil
        }
    }

    /// RFC 9639, 9.1.1: four bits of the third byte; 6 and 7 stand for a number behind the coded number.
    private func flac(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count > 12, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
        let code = bytes[2] >> 4
        let leading = (~bytes[4]).leadingZeroBitCount
        let behind = 4 + max(1, leading)
        switch code {
        case 1: return 192
        case 2...5: return 576 << Int64(code - 2)
        case 6: return Int64(bytes[behind]) + 1
        case 7: return Int64(bytes[behind]) << 8 + Int64(bytes[behind + 1]) + 1
        case 8...15: return 256 << Int64(code - 8)
        default: return nil
        }
    }
}
