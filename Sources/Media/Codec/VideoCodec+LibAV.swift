import CLibAV
import CompositionModel

extension VideoEncoding.Codec {
    /// libavcodec's name of the codec.
    var identifier: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .ffv1: AV_CODEC_ID_FFV1
        case .hevc: AV_CODEC_ID_HEVC
        case .prores: AV_CODEC_ID_PRORES
        case .dnxhd: AV_CODEC_ID_DNXHD
        case .mjpeg: AV_CODEC_ID_MJPEG
        }
    }

    /// libavcodec's name of the encoder; nil for a codec that is only copied.
    var encoder: String? {
        switch self {
        case .h264: "libx264"
        case .ffv1: "ffv1"
        case .hevc: "libx265"
        case .prores, .dnxhd, .mjpeg: nil
        }
    }
}
