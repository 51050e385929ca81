import CLibAV
public import Foundation
public import Shared

/// Encodes sound from its first sample to its last. Packets' times are sample numbers.
public final class AudioEncoder {
    public let extradata: Data
    /// Samples that the codec puts before the first one: the first packet's pts is −`priming`.
    public let priming: Int
    /// Samples of a full packet; 0 for PCM, where a packet is what was sent.
    public let frameSize: Int
    private let channels: Int
    private let sampleRate: Int
    /// Nil for PCM, which needs no encoder.
    private let context: CodecContext?
    private let packet: Packet
    /// Sent but not yet a full frame; by channel.
    private var pending: [[Float]]
    private var position: Int64 = 0

    /// - Throws: ``MediaError/encoding(_:)`` when this FFmpeg lacks the codec or refuses the settings.
    public init(encoding: AudioEncoding, sampleRate: Int, channels: Int) throws(MediaError) {
        self.channels = channels
        self.sampleRate = sampleRate
        packet = try Packet()
        pending = Array(repeating: [], count: channels)
        context = encoding.codec == .aac ? try aac(encoding, sampleRate: sampleRate, channels: channels) : nil
        extradata = context?.extradata ?? Data()
        priming = Int(context?.raw.pointee.initial_padding ?? 0)
        frameSize = Int(context?.raw.pointee.frame_size ?? 0)
    }

    /// AAC only.
    /// - Parameter samples: one array a channel, all of one length, nominally within −1 … 1.
    public func send(_ samples: [[Float]]) throws(MediaError) -> [EncodedPacket] {
        guard context != nil, samples.count == channels, Set(samples.map(\.count)).count == 1 else {
            throw .encoding("Planar sound of \(samples.count) channels came to an encoder for \(channels).")
        }
        for channel in 0..<channels { pending[channel] += samples[channel] }
        var packets: [EncodedPacket] = []
        var start = 0
        while pending[0].count - start >= frameSize {
            packets += try encode(start..<(start + frameSize))
            start += frameSize
        }
        for channel in 0..<channels { pending[channel].removeFirst(start) }
        return packets
    }

    /// PCM only.
    /// - Parameter samples: frame by frame, each −2²³ ..< 2²³.
    public func send(interleaved samples: [Int32]) throws(MediaError) -> [EncodedPacket] {
        guard context == nil, samples.count.isMultiple(of: channels) else {
            throw .encoding("\(samples.count) interleaved samples are no whole frames of \(channels) channels of PCM.")
        }
        guard !samples.isEmpty else { return [] }
        var data = Data(capacity: samples.count * 3)
        for sample in samples {
            let bits = UInt32(bitPattern: sample)
            data.append(contentsOf: [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255)])
        }
        let count = Int64(samples.count / channels)
        defer { position += count }
        return [EncodedPacket(pts: position, dts: position, duration: count, isKey: true, data: data)]
    }

    /// The packets still inside; the last one's duration is what is left of the sound.
    public func finish() throws(MediaError) -> [EncodedPacket] {
        guard let context else { return [] }
        var packets: [EncodedPacket] = []
        if !pending[0].isEmpty { packets += try encode(0..<pending[0].count) }
        pending = Array(repeating: [], count: channels)
        try LibAV.check(avcodec_send_frame(context.raw, nil), MediaError.encoding, "The last samples")
        packets += try context.receivePackets(into: packet)
        return packets
    }

    private func encode(_ range: Range<Int>) throws(MediaError) -> [EncodedPacket] {
        guard let context else { return [] }
        let frame = try soundFrame(count: range.count)
        for channel in 0..<channels {
            guard let (base, _) = frame.plane(channel) else { throw .encoding("A sound frame has no memory.") }
            pending[channel].withUnsafeBytes { samples in
                let bytes = samples[(range.lowerBound * 4)..<(range.upperBound * 4)]
                UnsafeMutableRawBufferPointer(start: base, count: bytes.count).copyMemory(from: .init(rebasing: bytes))
            }
        }
        frame.raw.pointee.pts = position
        position += Int64(range.count)
        try LibAV.check(avcodec_send_frame(context.raw, frame.raw), MediaError.encoding, "Samples at \(position)")
        return try context.receivePackets(into: packet)
    }

    private func soundFrame(count: Int) throws(MediaError) -> Frame {
        let frame = try Frame()
        frame.raw.pointee.nb_samples = Int32(count)
        frame.raw.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.raw.pointee.sample_rate = Int32(sampleRate)
        av_channel_layout_default(&frame.raw.pointee.ch_layout, Int32(channels))
        try LibAV.check(av_frame_get_buffer(frame.raw, 0), MediaError.encoding, "A sound frame")
        return frame
    }
}

/// FFmpeg's own encoder with one thread: the same bytes on every CPU (FFMPEG.md §5).
private func aac(_ encoding: AudioEncoding, sampleRate: Int, channels: Int) throws(MediaError) -> CodecContext {
    guard let codec = avcodec_find_encoder_by_name("aac") else { throw .encoding("This FFmpeg has no AAC encoder.") }
    let context = try CodecContext(codec: codec)
    context.raw.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    context.raw.pointee.sample_rate = Int32(sampleRate)
    context.raw.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
    context.raw.pointee.bit_rate = Int64(encoding.bitRate ?? 192_000)
    context.raw.pointee.thread_count = 1
    context.raw.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) | Int32(AV_CODEC_FLAG_BITEXACT)
    av_channel_layout_default(&context.raw.pointee.ch_layout, Int32(channels))
    try context.open(options: [:], failing: MediaError.encoding)
    return context
}
