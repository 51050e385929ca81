import CLibAV
import Foundation

/// Owner of an AVFormatContext that reads one ``ByteSource`` and nothing else.
final class Demuxer {
    /// Real containers only: no playlist, no script, no device, nothing that opens another file.
    static let formats = [
        "mov", "mp4", "matroska", "webm", "mpegts", "mpeg", "mpegvideo", "avi", "flv", "mxf", "asf", "nut", "ivf",
        "wav", "w64", "aiff", "caf", "au", "mp3", "flac", "ogg", "aac", "ac3", "eac3", "amr", "ape", "wv", "tta",
        "h264", "hevc", "m4v", "obu", "av1", "yuv4mpegpipe", "dv", "png_pipe", "jpeg_pipe", "webp_pipe",
    ]

    let raw: UnsafeMutablePointer<AVFormatContext>
    private let io: SourceIO
    private let loggedErrors = LoggedErrors()
    private var vorbisTimes: [Int: VorbisTimes] = [:]
    /// Errors that the demuxer met, behind the file's head. It reads ahead: of a place they say nothing.
    var loggedErrorCount: Int64 { loggedErrors.count }

    /// Opens `source` and finds out what its streams are.
    /// - Throws: whatever ``AssetProbe/probe(_:)`` does for a file that cannot be read.
    init(_ source: any ByteSource) throws(MediaError) {
        try ContainerCheck(source).run()
        io = try SourceIO(source)
        raw = try open(io)
        raw.pointee.opaque = UnsafeMutableRawPointer(loggedErrors.counter)
        let code = avformat_find_stream_info(raw, nil)
        if let failure = io.failure { throw failure }
        guard code >= 0 else { throw .notMedia("No stream of the file can be understood: \(LibAV.text(code)).") }
        guard raw.pointee.nb_streams <= MediaLimits.streams else {
            throw .limitExceeded(
                "The file has \(raw.pointee.nb_streams) streams; at most \(MediaLimits.streams) are read."
            )
        }
        for index in 0..<streamCount {
            vorbisTimes[index] = stream(index).flatMap { VorbisTimes($0, container: container) }
        }
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFormatContext>? = raw
        avformat_close_input(&pointer)
    }

    var container: String { String(cString: raw.pointee.iformat.pointee.name) }
    /// The major brand of an ISO base media file; nil of any other file.
    var brand: String? {
        guard isMOV, let entry = av_dict_get(raw.pointee.metadata, "major_brand", nil, 0) else { return nil }
        return String(cString: entry.pointee.value)
    }
    var isMOV: Bool { container.hasPrefix("mov,") }
    var byteCount: Int64 { io.source.byteCount }
    var streamCount: Int { Int(raw.pointee.nb_streams) }

    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        index < streamCount ? raw.pointee.streams[index] : nil
    }

    /// Reads packets of `wanted` streams only; the others' bytes are skipped where the container allows it.
    func select(_ wanted: Set<Int>) {
        for index in 0..<streamCount {
            raw.pointee.streams[index]?.pointee.discard = wanted.contains(index) ? AVDISCARD_NONE : AVDISCARD_ALL
        }
    }

    /// - Returns: false at the end.
    /// - Throws: ``MediaError/protected(_:)`` for an encrypted packet, ``MediaError/unsupported(_:)`` for times beyond
    ///   ``MediaLimits``, so that nobody else has to look.
    func next(into packet: Packet) throws(MediaError) -> Bool {
        while true {
            packet.clear()
            let code = av_read_frame(raw, packet.raw)
            if code >= 0 {
                if packet.isEmpty { continue }
                try Protection.refuse(packet)
                try checkTimes(packet)
                vorbisTimes[packet.streamIndex]?.mend(packet)
                try hidePriming(packet)
                return true
            }
            if let failure = io.failure { throw failure }
            if code == CUT_AVERROR_EOF { return false }
            guard code == CUT_AVERROR_EAGAIN else {
                throw .truncated(
                    "The file cannot be read to its end (\(LibAV.text(code))); copy or record it again."
                )
            }
        }
    }

    /// An edit list begins at 0: what lies before it is not heard (ISO/IEC 14496-12, 8.6.6). libavformat leaves it out in
    /// movies with one table, and forgets it in fragments.
    private func hidePriming(_ packet: Packet) throws(MediaError) {
        guard isMOV, let pts = packet.pts, pts < 0, !packet.isDiscarded,
            packet.sideData(AV_PKT_DATA_SKIP_SAMPLES) == nil,
            let stream = stream(packet.streamIndex), let parameters = stream.pointee.codecpar,
            parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, parameters.pointee.sample_rate > 0
        else { return }
        let samples = av_rescale_q(
            -pts,
            stream.pointee.time_base,
            AVRational(num: 1, den: parameters.pointee.sample_rate)
        )
        if samples > 0 { try packet.markHidden(start: samples, end: 0) }
    }

    private func checkTimes(_ packet: Packet) throws(MediaError) {
        let times = [packet.pts ?? 0, packet.dts ?? 0, packet.raw.pointee.duration]
        guard times.allSatisfy({ $0.magnitude <= MediaLimits.ticks.magnitude }) else {
            throw .unsupported("Stream \(packet.streamIndex) has impossible times; remux the file with ffmpeg -c copy.")
        }
    }

    /// - Returns: whether the demuxer went somewhere; where to is for the caller to find out.
    func seek(stream: Int, timestamp: Int64, flags: Int32) throws(MediaError) -> Bool {
        for index in vorbisTimes.keys { vorbisTimes[index]?.jump() }
        let code = av_seek_frame(raw, Int32(stream), timestamp, flags)
        if let failure = io.failure { throw failure }
        return code >= 0
    }
}

private func open(_ io: SourceIO) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
    guard let context = avformat_alloc_context() else { throw .unreadable("No memory to open a source.") }
    context.pointee.pb = io.context
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.probesize = MediaLimits.probeBytes
    context.pointee.max_analyze_duration = MediaLimits.probeDuration
    context.pointee.max_streams = Int32(MediaLimits.streams)
    cut_deny_opening(context)
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "format_whitelist", Demuxer.formats.joined(separator: ","), 0)
    av_dict_set(&options, "protocol_whitelist", "", 0)
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    let code = avformat_open_input(&opened, nil, nil, &options)
    if let failure = io.failure { throw failure }
    guard code >= 0, let opened else {
        throw .notMedia(
            "This is no movie, sound or picture file that can be read; convert movies to MP4 or Matroska, pictures to PNG."
        )
    }
    return opened
}
