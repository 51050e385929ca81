import CLibAV

/// Recognises encrypted streams: nothing of them is ever queued.
enum Protection {
    /// Sample entries of ISO/IEC 14496-12 8.12 and of FairPlay.
    private static let tags = ["encv", "enca", "encs", "encu", "drms", "drmi", "drmt", "aavd"]

    /// - Throws: ``MediaError/protected(_:)`` when any picture or sound stream is encrypted.
    static func refuse(_ demuxer: Demuxer) throws(MediaError) {
        for index in 0..<demuxer.streamCount {
            guard let stream = demuxer.stream(index), let parameters = stream.pointee.codecpar else { continue }
            let type = parameters.pointee.codec_type
            guard type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO else { continue }
            let isTagged = tags.contains { cut_tag($0) == parameters.pointee.codec_tag }
            let hasKeyID = av_dict_get(stream.pointee.metadata, "enc_key_id", nil, 0) != nil
            if isTagged || hasKeyID || hasInitialisation(stream) { throw error(index) }
        }
    }

    /// - Throws: ``MediaError/protected(_:)`` for an encrypted packet.
    static func refuse(_ packet: Packet) throws(MediaError) {
        if packet.sideData(AV_PKT_DATA_ENCRYPTION_INFO) != nil { throw error(packet.streamIndex) }
    }

    private static func hasInitialisation(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        var size = 0
        return cut_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, &size) != nil
    }

    private static func error(_ stream: Int) -> MediaError {
        .protected("Stream \(stream) is encrypted and cannot be read; use a copy without protection.")
    }
}
