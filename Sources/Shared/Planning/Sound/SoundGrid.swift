import CompositionModel

/// Where the sound of an output is cut into pieces that are mixed and encoded by themselves.
///
/// Borders depend on the output alone. Each is a border of packets too, so that the joined packets are those of one
/// stream.
struct SoundGrid {
    /// Samples of a piece, 88 s at 48 kHz: a multiple of what packets of sound hold (1024, 1152, 1536, 4096; 960).
    /// Twice as many where an encoder has to hear much of what lies before.
    static let length: Int64 = 4_239_360

    let borders: [Int64]

    /// - Parameter count: for tests: so many equal parts, where that changes no sample.
    init(sampleCount: Int64, encoding: AudioEncoding, count: Int?) {
        guard let joining = encoding.codec.joining else {
            borders = [0, sampleCount]
            return
        }
        if joining.isExact, let count {
            let parts = max(1, min(Int64(count), sampleCount))
            borders = (0...parts).map { Int64(Int128(sampleCount) * Int128($0) / Int128(parts)) }
        } else {
            // The last piece is half to one and a half times as long as the others.
            let length = joining.preRoll * 20 > Self.length ? 2 * Self.length : Self.length
            let parts = max(1, (sampleCount + length / 2) / length)
            borders = (0..<parts).map { $0 * length } + [sampleCount]
        }
    }
}

extension AudioEncoding.Codec {
    /// How sound is encoded in pieces whose packets are joined (docs/design/sound.md, "Encoding").
    struct Joining {
        /// Samples that are encoded before and after a piece and dropped, so that its packets are, to what can be
        /// heard, those of one encoder for all.
        var preRoll: Int64
        var postRoll: Int64
        /// Its bytes are the same for any pieces.
        var isExact: Bool { preRoll == 0 && postRoll == 0 }
    }

    /// Nil for codecs that have to be encoded in one go.
    var joining: Joining? {
        switch self {
        // Its rate control takes half a minute to come to where it would have been (docs/design/sound.md).
        case .aac: Joining(preRoll: 1410 * 1024, postRoll: 2 * 1024)
        case .ac3: Joining(preRoll: 4 * 1536, postRoll: 1536)
        case .pcm16, .pcm24, .pcm32, .pcmFloat: Joining(preRoll: 0, postRoll: 0)
        // Bits are kept for later packets (MP3, Opus), packets are numbered (FLAC), or end early at a border (ALAC).
        case .mp3, .opus, .flac, .alac: nil
        }
    }
}
