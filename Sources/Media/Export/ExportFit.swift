import CLibAV
import WireProtocol

/// Whether a container can hold a stream.
enum ExportFit {
    /// Codecs that MPEG-TS has a stream type or a registered descriptor for (ISO/IEC 13818-1, 2.4.4.9; ETSI EN 300 468);
    /// libavformat would write any other as private data that nobody reads.
    private static let transport: Set = [
        "h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4", "aac", "aac_latm", "mp1", "mp2", "mp3", "ac3", "eac3",
        "dts", "truehd", "opus", "s302m", "dvb_subtitle", "dvb_teletext", "hdmv_pgs_subtitle", "klv", "timed_id3",
    ]

    /// - Returns: whether the container's writer takes the stream.
    static func holds(_ format: ExportFormat, _ stream: ExportStream) -> Bool {
        switch stream.kind {
        case .attachment: return format == .matroska
        case .cover where format == .matroska: return true
        case .cover where format == .webm || format == .mpegts: return false
        case .picture where format == .m4a: return false
        case .subtitles where SubtitleText(stream, format) != nil: return true
        default: break
        }
        if format == .mpegts { return transport.contains(stream.codec) }
        guard let trial = try? ExportContext(format, path: nil), (try? trial.add(stream, format)) != nil else {
            return false
        }
        return trial.acceptsHeader()
    }
}
