import CLibAV
import Foundation

/// Owner of one AVCodecContext: an encoder or a decoder.
final class CodecContext {
    let raw: UnsafeMutablePointer<AVCodecContext>
    let loggedErrors = LoggedErrors()

    init(codec: UnsafePointer<AVCodec>) throws(MediaError) {
        LibAV.prepare()
        guard let raw = avcodec_alloc_context3(codec) else { throw .decoding("No memory for a codec.") }
        self.raw = raw
        raw.pointee.opaque = UnsafeMutableRawPointer(loggedErrors.counter)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = raw
        avcodec_free_context(&pointer)
    }

    /// Opens it with private `options`.
    /// - Throws: `failing` with what went wrong, also when an option is unknown to the codec.
    func open(options: [String: String], failing: (String) -> MediaError) throws(MediaError) {
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        let name = raw.pointee.codec.map { String(cString: $0.pointee.name) } ?? "codec"
        try LibAV.check(avcodec_open2(raw, nil, &dictionary), failing, "\(name) cannot be opened")
        if let unused = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX) {
            throw failing("This FFmpeg's \(name) has no option “\(String(cString: unused.pointee.key))”.")
        }
    }

    /// Copies `data` as the codec's extradata, with the padding that readers of bits need.
    func setExtradata(_ data: Data) throws(MediaError) {
        guard !data.isEmpty else { return }
        let size = data.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let memory = av_mallocz(size)?.assumingMemoryBound(to: UInt8.self) else {
            throw .decoding("No memory for a codec's extradata.")
        }
        data.copyBytes(to: memory, count: data.count)
        raw.pointee.extradata = memory
        raw.pointee.extradata_size = Int32(data.count)
    }

    var extradata: Data {
        guard let bytes = raw.pointee.extradata else { return Data() }
        return Data(bytes: bytes, count: Int(raw.pointee.extradata_size))
    }

    /// All packets that the encoder has ready.
    func receivePackets(into packet: Packet) throws(MediaError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        while true {
            let code = avcodec_receive_packet(raw, packet.raw)
            if code == CUT_AVERROR_EAGAIN || code == CUT_AVERROR_EOF { return packets }
            try LibAV.check(code, MediaError.encoding, "Encoding")
            packets.append(packet.encoded())
            packet.clear()
        }
    }

    /// The next decoded frame, nil when the decoder needs another packet or is drained.
    func receiveFrame() throws(MediaError) -> Frame? {
        let frame = try Frame()
        let code = avcodec_receive_frame(raw, frame.raw)
        if code == CUT_AVERROR_EAGAIN || code == CUT_AVERROR_EOF { return nil }
        try LibAV.check(code, MediaError.decoding, "Decoding")
        return frame
    }
}
