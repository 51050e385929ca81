import CLibAV
import CompositionModel

extension AudioEncoding.Codec {
    /// libavcodec's encoder; nil for PCM, which needs none.
    var libraryName: String? {
        switch self {
        case .aac: "aac"
        case .opus: "libopus"
        case .mp3: "libmp3lame"
        case .ac3: "ac3"
        case .flac: "flac"
        case .alac: "alac"
        case .pcm16, .pcm24, .pcm32, .pcmFloat: nil
        }
    }

    var identifier: AVCodecID {
        switch self {
        case .aac: AV_CODEC_ID_AAC
        case .opus: AV_CODEC_ID_OPUS
        case .mp3: AV_CODEC_ID_MP3
        case .ac3: AV_CODEC_ID_AC3
        case .flac: AV_CODEC_ID_FLAC
        case .alac: AV_CODEC_ID_ALAC
        case .pcm16: AV_CODEC_ID_PCM_S16LE
        case .pcm24: AV_CODEC_ID_PCM_S24LE
        case .pcm32: AV_CODEC_ID_PCM_S32LE
        case .pcmFloat: AV_CODEC_ID_PCM_F32LE
        }
    }

    var sampleFormat: AVSampleFormat {
        switch self {
        case .aac, .mp3, .ac3: AV_SAMPLE_FMT_FLTP
        case .opus, .pcmFloat: AV_SAMPLE_FMT_FLT
        case .flac, .pcm24, .pcm32: AV_SAMPLE_FMT_S32
        case .alac: AV_SAMPLE_FMT_S32P
        case .pcm16: AV_SAMPLE_FMT_S16
        }
    }

    /// Whether each channel has memory of its own.
    var isPlanar: Bool { av_sample_fmt_is_planar(sampleFormat) != 0 }

    var isPCM: Bool { libraryName == nil }
}
