package import CompositionModel

/// How many samples of an output's sound are encoded, although sound is copied where it can be, for one reason.
package struct EncodedSoundShare: Sendable, Hashable, Codable {
    package var reason: SoundEncodingReason
    /// The samples per channel of the output.
    package var samples: Int64

    package init(reason: SoundEncodingReason, samples: Int64) {
        (self.reason, self.samples) = (reason, samples)
    }
}

/// Why sound of an output is encoded and not copied.
package enum SoundEncodingReason: Sendable, Hashable {
    case gap, mixed, master, processed, level, retimed, nested, rate, layout
    /// The sound cannot be divided into pieces.
    case undivided
    /// The container does not state the priming of AAC.
    case matroska
    /// The packets begin elsewhere in the output than those of most sound that is copied.
    case grid
    /// The sound lies between a cut and a packet, or is too short.
    case border
    /// The packets cannot be copied.
    case source(SoundCopyRefusal)

    /// The reason as the end of a sentence that begins "… of sound are encoded: ".
    package var words: String {
        switch self {
        case .gap: "nothing is heard"
        case .mixed: "several sounds are mixed"
        case .master: "the sum of all tracks is processed, or brought to a loudness"
        case .processed: "the clip or its track is processed or ducked"
        case .level: "the clip or its track is faded, panned or has another volume"
        case .retimed: "the clip plays at another speed, or begins between two samples"
        case .nested: "a nested edit has another sample rate or other channels"
        case .rate: "the source has another sample rate than the edit"
        case .layout: "the source has other channels than the edit"
        case .undivided: "the sound is made by one task"
        case .matroska: "Matroska does not state the priming of AAC, so that all sound is written as 24-bit PCM"
        case .grid: "the packets begin elsewhere than those of most of the sound that is copied"
        case .border: "beside a cut or a join, or fewer than 12 packets on one grid"
        case .source(let refusal): refusal.words
        }
    }
}

extension SoundEncodingReason: RawRepresentable, Codable {
    /// The reasons that are one word in JSON.
    private static let plain: [SoundEncodingReason] = [
        .gap, .mixed, .master, .processed, .level, .retimed, .nested, .rate, .layout, .undivided, .matroska, .grid,
        .border,
    ]

    /// The reason in JSON: one word, or `source.` and why the source cannot be copied.
    package var rawValue: String {
        switch self {
        case .gap: "gap"
        case .mixed: "mixed"
        case .master: "master"
        case .processed: "processed"
        case .level: "level"
        case .retimed: "retimed"
        case .nested: "nested"
        case .rate: "rate"
        case .layout: "layout"
        case .undivided: "undivided"
        case .matroska: "matroska"
        case .grid: "grid"
        case .border: "border"
        case .source(let refusal): "source." + refusal.rawValue
        }
    }

    /// - Returns: nil for a reason that this version does not know.
    package init?(rawValue: String) {
        if let known = Self.plain.first(where: { $0.rawValue == rawValue }) {
            self = known
        } else if rawValue.hasPrefix("source."), let refusal = SoundCopyRefusal(rawValue: String(rawValue.dropFirst(7)))
        {
            self = .source(refusal)
        } else {
            return nil
        }
    }
}
