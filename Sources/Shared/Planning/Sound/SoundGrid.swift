import CompositionModel

/// The borders at which the sound of an output is divided into pieces that are mixed and encoded separately.
///
/// Borders depend only on the output. Each is a packet border too, so that the joined packets form one stream.
struct SoundGrid {
    /// The samples in a piece, 88 s at 48 kHz: a multiple of the frame lengths of sound codecs (1024, 1152, 1536, 4096;
    /// 960). Pieces are twice as long where the encoder needs a long pre-roll.
    static let length: Int64 = 4_239_360

    /// The borders in samples per channel, ascending from 0 to the sample count.
    let borders: [Int64]
    /// Whether the output is one piece because it is short; also of a codec whose pieces cannot be joined.
    let isShort: Bool

    /// Chooses the borders of an output of `sampleCount` samples per channel.
    /// - Parameter count: The number of equal parts, for tests; ignored where it would change a byte. Nil chooses by
    ///   length.
    init(sampleCount: Int64, encoding: AudioEncoding, count: Int?) {
        guard let joining = encoding.codec.joining else {
            borders = [0, sampleCount]
            isShort = Self.pieceCount(sampleCount, Self.length) == 1
            return
        }
        if joining.isExact, let count {
            let parts = max(1, min(Int64(count), sampleCount))
            borders = (0...parts).map { Int64(Int128(sampleCount) * Int128($0) / Int128(parts)) }
        } else {
            // The last piece is half to one and a half times as long as the others.
            let length = joining.preRoll * 20 > Self.length ? 2 * Self.length : Self.length
            let parts = Self.pieceCount(sampleCount, length)
            borders = (0..<parts).map { $0 * length } + [sampleCount]
        }
        isShort = borders.count == 2
    }

    private static func pieceCount(_ sampleCount: Int64, _ length: Int64) -> Int64 {
        max(1, (sampleCount + length / 2) / length)
    }
}

extension AudioEncoding.Codec {
    /// How sound is encoded in pieces whose packets are joined (docs/design/sound.md, "Encoding").
    struct Joining {
        /// The samples encoded before a piece and dropped, so that its packets sound like those of one encoder for the
        /// whole.
        var preRoll: Int64
        /// The samples encoded after a piece and dropped, for the encoder's lookahead.
        var postRoll: Int64
        /// Whether the bytes are the same for any division into pieces.
        var isExact: Bool { preRoll == 0 && postRoll == 0 }
    }

    /// How the codec's pieces are joined; nil for codecs that encode the whole at once.
    var joining: Joining? {
        switch self {
        // AAC's rate control takes half a minute to reach the state that it would have had (docs/design/sound.md).
        case .aac: Joining(preRoll: 1410 * 1024, postRoll: 2 * 1024)
        case .ac3: Joining(preRoll: 4 * 1536, postRoll: 1536)
        case .pcm16, .pcm24, .pcm32, .pcmFloat: Joining(preRoll: 0, postRoll: 0)
        // MP3 and Opus keep bits for later packets, FLAC numbers its packets, and ALAC ends a packet early at a border.
        case .mp3, .opus, .flac, .alac: nil
        }
    }
}
