extension AudioEncoding.Codec {
    /// The bit rates allowed, in bits per second; nil for a lossless codec.
    package var bitRates: ClosedRange<Int>? {
        switch self {
        case .aac, .opus: 8_000...512_000
        case .mp3: 32_000...320_000
        case .ac3: 32_000...640_000
        case .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat: nil
        }
    }

    /// Whether decoding returns exactly the samples that were encoded, without priming or padding.
    package var isLossless: Bool { bitRates == nil }

    /// The sample rates that the codec supports, in Hz; nil means any.
    package var sampleRates: [Int]? {
        switch self {
        // ISO/IEC 14496-3, samplingFrequencyIndex.
        case .aac: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
        case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        case .ac3: [32_000, 44_100, 48_000]
        case .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat: nil
        }
    }

    /// Whether the codec does not support `sampleRate`, in Hz.
    package func lacks(_ sampleRate: Int) -> Bool { sampleRates.map { !$0.contains(sampleRate) } ?? false }

    /// The channel counts of edits for which the codec has a layout (``ChannelLayout/editNames``).
    package var channelCounts: [Int] {
        switch self {
        case .mp3: [1, 2]
        case .ac3: [1, 2, 3, 4, 5, 6]
        case .aac: [1, 2, 5, 6, 8]
        case .opus: [1, 2, 4, 6, 8]
        case .alac: [1, 2, 5, 6]
        case .flac, .pcm16, .pcm24, .pcm32, .pcmFloat: Array(Limits.channels)
        }
    }

    /// The name of the codec in messages.
    package var title: String {
        switch self {
        case .aac: "AAC"
        case .opus: "Opus"
        case .mp3: "MP3"
        case .ac3: "AC-3"
        case .flac: "FLAC"
        case .alac: "ALAC"
        case .pcm16, .pcm24, .pcm32, .pcmFloat: "PCM"
        }
    }

    /// The bits of the integer samples that the codec holds; nil for floats.
    package var bits: Int? {
        switch self {
        case .pcm16: 16
        case .pcm24, .flac, .alac: 24
        case .pcm32: 32
        case .aac, .opus, .mp3, .ac3, .pcmFloat: nil
        }
    }
}
