import CLibAV

/// The choice of the decoder that reads a stream of a source.
enum SourceCodec {
    /// The decoder of `stream`: FFmpeg's first for its codec, but for VP8 and VP9 with alpha, whose second picture only
    /// libvpx's decoders put beside the first. Nil when there is none.
    static func decoder(of stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
        guard let parameters = stream.pointee.codecpar else { return nil }
        return alphaDecoder(of: stream) ?? avcodec_find_decoder(parameters.pointee.codec_id)
    }

    /// Whether the pictures of `stream` have an alpha that its parameters do not tell of.
    static func addsAlpha(to stream: UnsafeMutablePointer<AVStream>) -> Bool { alphaDecoder(of: stream) != nil }

    /// WebM's AlphaMode (webmproject.org, "Alpha channel in VP8"): the alpha of each picture is a picture of its own,
    /// in a BlockAdditional.
    private static func alphaDecoder(of stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
        guard let entry = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
            String(cString: entry.pointee.value) == "1"
        else { return nil }
        switch stream.pointee.codecpar?.pointee.codec_id {
        case AV_CODEC_ID_VP8: return avcodec_find_decoder_by_name("libvpx")
        case AV_CODEC_ID_VP9: return avcodec_find_decoder_by_name("libvpx-vp9")
        default: return nil
        }
    }
}
