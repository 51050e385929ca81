import CLibAV
import WireProtocol

/// Owner of an AVFormatContext that writes copied streams.
final class ExportContext {
    let raw: UnsafeMutablePointer<AVFormatContext>
    private let path: String?
    private var isMemory = false

    /// - Parameter path: the file; nil for a trial in memory.
    /// - Throws: ``MediaError/writing(_:)``.
    init(_ format: ExportFormat, path: String?) throws(MediaError) {
        LibAV.prepare()
        self.path = path
        var made: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_alloc_output_context2(&made, nil, format.writer, path.map { "file:" + $0 })
        guard let made else { throw .writing("No writer for \(format.words): \(LibAV.text(code)).") }
        raw = made
        raw.pointee.flags |= AVFMT_FLAG_BITEXACT
        // FFmpeg 5.1 calls FLAC in MP4 experimental, later versions no longer; Dolby Vision's box is unofficial.
        raw.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        // The distance from a picture's arrival to its decoding in MPEG-TS, as ffmpeg sets it.
        raw.pointee.max_delay = 700_000
    }

    deinit {
        closeMemory()
        avio_closep(&raw.pointee.pb)
        avformat_free_context(raw)
    }

    /// Adds a stream like one of a source, with everything that is known of it beside its packets and tags.
    @discardableResult
    func add(_ stream: ExportStream, _ format: ExportFormat) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        guard let made = avformat_new_stream(raw, nil), let parameters = made.pointee.codecpar else {
            throw .writing("No memory for a track.")
        }
        try check(avcodec_parameters_copy(parameters, stream.parameters), "a track")
        try check(cut_copy_stream_side_data(made, stream.stream), "a track")
        parameters.pointee.codec_tag = cut_muxer_tag(raw.pointee.oformat, stream.parameters)
        // Apple's players take HEVC only with its parameter sets in the sample entry.
        if parameters.pointee.codec_id == AV_CODEC_ID_HEVC, format.hasEditLists, parameters.pointee.codec_tag == 0 {
            parameters.pointee.codec_tag = cut_tag("hvc1")
        }
        try SubtitleText(stream, format)?.describe(parameters)
        let aspect = av_guess_sample_aspect_ratio(nil, stream.stream, nil)
        made.pointee.sample_aspect_ratio = aspect
        if parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO { parameters.pointee.sample_aspect_ratio = aspect }
        made.pointee.avg_frame_rate = stream.stream.pointee.avg_frame_rate
        made.pointee.r_frame_rate = stream.stream.pointee.r_frame_rate
        // The writer of MP4 knows artwork by this mark alone.
        made.pointee.disposition =
            stream.kind == .cover ? AV_DISPOSITION_ATTACHED_PIC : stream.stream.pointee.disposition
        if stream.kind == .sound {
            made.pointee.time_base = AVRational(num: 1, den: max(1, parameters.pointee.sample_rate))
        }
        return made
    }

    /// Whether the container's writer takes the streams that were added; the context is of no use afterwards.
    func acceptsHeader() -> Bool {
        guard avio_open_dyn_buf(&raw.pointee.pb) >= 0 else { return false }
        isMemory = true
        return avformat_write_header(raw, nil) >= 0
    }

    /// Creates the file and writes its header.
    func open(_ options: [String: String]) throws(MediaError) {
        try check(avio_open(&raw.pointee.pb, "file:" + (path ?? ""), AVIO_FLAG_WRITE), "the file")
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        try check(avformat_write_header(raw, &dictionary), "the header")
        if let unused = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX) {
            throw .writing("This FFmpeg's writer has no option “\(String(cString: unused.pointee.key))”.")
        }
    }

    /// Writes a packet, whose bytes it takes over, among those of the other streams.
    /// - Returns: whether the container's writer takes what is in it.
    /// - Throws: ``MediaError/writing(_:)`` when the file cannot be written.
    func write(_ packet: Packet) throws(MediaError) -> Bool {
        let code = av_interleaved_write_frame(raw, packet.raw)
        guard code != CUT_AVERROR_INVALIDDATA else { return false }
        try check(code, "a packet")
        return true
    }

    /// Writes the index and closes the file.
    func finish() throws(MediaError) {
        try check(av_write_trailer(raw), "the index")
        try check(avio_closep(&raw.pointee.pb), "the end")
    }

    private func closeMemory() {
        guard isMemory else { return }
        var bytes: UnsafeMutablePointer<UInt8>?
        _ = avio_close_dyn_buf(raw.pointee.pb, &bytes)
        av_free(bytes)
        raw.pointee.pb = nil
    }

    @discardableResult
    private func check(_ code: Int32, _ what: String) throws(MediaError) -> Int32 {
        try LibAV.check(code, MediaError.writing, "The file cannot be written (\(what))")
    }
}

extension ExportFormat {
    /// libavformat's name of the writer.
    var writer: String {
        switch self {
        case .mp4: "mp4"
        case .m4a: "ipod"
        case .mov: "mov"
        case .matroska: "matroska"
        case .webm: "webm"
        case .mpegts: "mpegts"
        }
    }
}
