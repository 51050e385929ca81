import CLibAV
package import CompositionModel
package import Foundation

/// Encodes sound from its first sample to its last. Packets' times are sample numbers.
package final class AudioEncoder {
    /// The codec's global header; empty when it has none.
    package let extradata: Data
    /// Samples that the codec puts before the first one: the first packet's pts is −`priming`.
    package let priming: Int
    /// Samples of a full packet; 0 for PCM, where a packet is what was sent.
    package let frameSize: Int
    private let codec: AudioEncoding.Codec
    private let channels: Int
    private let sampleRate: Int
    /// Nil for PCM, which needs no encoder.
    private let context: CodecContext?
    private let packet: Packet
    /// Sent but not yet a full frame: Floats or Int32s, sample by sample, the channels of one beside each other.
    private var pending = Data()
    private var position: Int64 = 0
    /// The sample that the next packet begins with.
    private var next: Int64
    private var finished: [EncodedPacket] = []

    /// - Throws: ``MediaError/encoding(_:)`` when this FFmpeg lacks the codec or refuses the settings.
    package init(encoding: AudioEncoding, sampleRate: Int, channels: Int) throws(MediaError) {
        self.channels = channels
        self.sampleRate = sampleRate
        codec = encoding.codec
        packet = try Packet()
        context = try codec.libraryName.map { name throws(MediaError) in
            try CodecContext(encoding, name: name, sampleRate: sampleRate, channels: channels)
        }
        extradata = context?.extradata ?? Data()
        priming = Int(context?.raw.pointee.initial_padding ?? 0)
        frameSize = Int(context?.raw.pointee.frame_size ?? 0)
        next = -Int64(priming)
    }

    /// Takes the next samples of a codec that takes floats (``AudioEncoding/Codec/bits`` is nil).
    /// - Parameter samples: frame by frame, the channels beside each other; nominally −1 … 1.
    /// - Returns: the packets that became ready, in order.
    /// - Throws: ``MediaError/encoding(_:)`` when the encoder refuses what it gets.
    package func send(interleaved samples: [Float]) throws(MediaError) -> [EncodedPacket] {
        guard codec.bits == nil else { throw .encoding("\(codec.title) takes integers.") }
        return try send(samples.withUnsafeBytes { Data($0) })
    }

    /// Takes the next samples of a codec that takes integers.
    /// - Parameter samples: frame by frame, each in the low ``AudioEncoding/Codec/bits``.
    /// - Returns: the packets that became ready, in order.
    /// - Throws: ``MediaError/encoding(_:)`` when the encoder refuses what it gets.
    package func send(interleaved samples: [Int32]) throws(MediaError) -> [EncodedPacket] {
        guard let bits = codec.bits else { throw .encoding("\(codec.title) takes floating point numbers.") }
        guard context != nil else { return try write(PCM.bytes(of: samples, bits: bits)) }
        // libavcodec wants them in the high bits.
        return try send(samples.map { $0 << (32 - Int32(bits)) }.withUnsafeBytes { Data($0) })
    }

    /// The packets still inside. All durations together are then priming and samples: what a codec filled its last
    /// packets up with is not among them.
    /// - Throws: ``MediaError/encoding(_:)`` when the encoder refuses what it gets.
    package func finish() throws(MediaError) -> [EncodedPacket] {
        guard let context else { return [] }
        let end = position + Int64(pending.count / (4 * channels))
        // AC-3's encoder has nothing left behind its last frame: silence pushes out what the priming had pushed back.
        if context.raw.pointee.codec.pointee.capabilities & AV_CODEC_CAP_DELAY == 0 {
            pending += Data(count: priming * 4 * channels)
        }
        try encodeFrames()
        if !pending.isEmpty { try encode(0..<pending.count) }
        pending = Data()
        try LibAV.check(avcodec_send_frame(context.raw, nil), MediaError.encoding, "The last samples")
        try receive()
        var packets: [EncodedPacket] = []
        for var packet in finished where packet.pts < end {
            packet.duration = min(packet.duration, end - packet.pts)
            packets.append(packet)
        }
        finished = []
        return packets
    }

    /// PCM: what comes in is what goes out.
    private func write(_ bytes: Data) throws(MediaError) -> [EncodedPacket] {
        let size = channels * (codec.bits ?? 32) / 8
        guard bytes.count.isMultiple(of: size) else {
            throw .encoding("\(bytes.count) bytes are no whole frames of \(channels) channels of PCM.")
        }
        guard !bytes.isEmpty else { return [] }
        let count = Int64(bytes.count / size)
        defer { position += count }
        return [EncodedPacket(pts: position, dts: position, duration: count, isKey: true, data: bytes)]
    }

    /// Whole frames go to the encoder. The last two packets wait: they may be cut by ``finish()``.
    private func send(_ bytes: Data) throws(MediaError) -> [EncodedPacket] {
        guard context != nil else { return try write(bytes) }
        guard bytes.count.isMultiple(of: 4 * channels) else {
            throw .encoding("\(bytes.count / 4) samples are no whole frames of \(channels) channels.")
        }
        pending += bytes
        try encodeFrames()
        let ready = finished.prefix(max(finished.count - 2, 0))
        finished.removeFirst(ready.count)
        return Array(ready)
    }

    private func encodeFrames() throws(MediaError) {
        let size = frameSize * 4 * channels
        var start = 0
        while pending.count - start >= size {
            try encode(start..<start + size)
            start += size
        }
        pending = Data(pending[(pending.startIndex + start)...])
    }

    private func encode(_ range: Range<Int>) throws(MediaError) {
        guard let context else { return }
        let frame = try soundFrame(count: range.count / (4 * channels))
        let planes = try planes(of: frame)
        pending.withUnsafeBytes { fill(planes, with: UnsafeRawBufferPointer(rebasing: $0[range])) }
        frame.raw.pointee.pts = position
        position += Int64(frame.raw.pointee.nb_samples)
        try LibAV.check(avcodec_send_frame(context.raw, frame.raw), MediaError.encoding, "Samples at \(position)")
        try receive()
    }

    private func receive() throws(MediaError) {
        // At the end FLAC hands over a packet without bytes, with its checksum beside it.
        for var packet in try context?.receivePackets(into: packet) ?? [] where !packet.data.isEmpty {
            // Packets follow each other; of the last ones LAME says other times when little of a frame is left.
            (packet.pts, packet.dts, packet.duration) = (next, next, Int64(frameSize))
            next += Int64(frameSize)
            finished.append(packet)
        }
    }

    /// One where the channels lie beside each other, else one for each.
    private func planes(of frame: Frame) throws(MediaError) -> [UnsafeMutableRawPointer] {
        var planes: [UnsafeMutableRawPointer] = []
        for plane in 0..<(codec.isPlanar ? channels : 1) {
            guard let (base, _) = frame.plane(plane) else { throw .encoding("A sound frame has no memory.") }
            planes.append(UnsafeMutableRawPointer(base))
        }
        return planes
    }

    /// - Parameter bytes: samples, the channels of one beside each other.
    private func fill(_ planes: [UnsafeMutableRawPointer], with bytes: UnsafeRawBufferPointer) {
        guard codec.isPlanar else {
            return UnsafeMutableRawBufferPointer(start: planes[0], count: bytes.count).copyMemory(from: bytes)
        }
        let words = bytes.bindMemory(to: UInt32.self)
        for (channel, plane) in planes.enumerated() {
            let samples = plane.assumingMemoryBound(to: UInt32.self)
            for sample in 0..<words.count / channels { samples[sample] = words[sample * channels + channel] }
        }
    }

    private func soundFrame(count: Int) throws(MediaError) -> Frame {
        let frame = try Frame()
        frame.raw.pointee.nb_samples = Int32(count)
        frame.raw.pointee.format = codec.sampleFormat.rawValue
        frame.raw.pointee.sample_rate = Int32(sampleRate)
        frame.raw.pointee.ch_layout.set(edit: channels)
        try LibAV.check(av_frame_get_buffer(frame.raw, 0), MediaError.encoding, "A sound frame")
        return frame
    }
}

private enum PCM {
    /// The lowest `bits` bits of each sample, little-endian.
    static func bytes(of samples: [Int32], bits: Int) -> Data {
        var data = Data(capacity: samples.count * bits / 8)
        for sample in samples {
            var value = UInt32(bitPattern: sample)
            for _ in 0..<bits / 8 {
                data.append(UInt8(value & 255))
                value >>= 8
            }
        }
        return data
    }
}

extension CodecContext {
    /// An open encoder of sound with one thread: the same bytes on every CPU.
    fileprivate convenience init(
        _ encoding: AudioEncoding,
        name: String,
        sampleRate: Int,
        channels: Int
    ) throws(MediaError) {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw .encoding("This FFmpeg has no encoder for \(encoding.codec.title) (\(name)).")
        }
        try self.init(codec: codec)
        raw.pointee.sample_fmt = encoding.codec.sampleFormat
        raw.pointee.sample_rate = Int32(sampleRate)
        raw.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
        if let bitRate = encoding.bitRate { raw.pointee.bit_rate = Int64(bitRate) }
        if let bits = encoding.codec.bits { raw.pointee.bits_per_raw_sample = Int32(bits) }
        raw.pointee.thread_count = 1
        raw.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) | Int32(AV_CODEC_FLAG_BITEXACT)
        raw.pointee.ch_layout.set(edit: channels)
        try open(options: encoding.codec.options, failing: MediaError.encoding)
    }
}

extension AudioEncoding.Codec {
    /// The library's private settings of the encoder.
    fileprivate var options: [String: String] {
        switch self {
        // FFmpeg's default search for quantisers (`twoloop`) clicks and its tools for low bit rates (noise substitution,
        // intensity stereo, noise shaping in time) replace what was heard (docs/design/sound.md, "Encoding").
        case .aac: ["aac_coder": "fast", "aac_pns": "0", "aac_is": "0", "aac_tns": "0"]
        case .ac3, .alac, .flac, .mp3, .opus, .pcm16, .pcm24, .pcm32, .pcmFloat: [:]
        }
    }
}
