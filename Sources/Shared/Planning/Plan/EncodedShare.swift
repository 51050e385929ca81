package import CompositionModel

/// How many frames of an output are encoded, although pictures are copied where they can be, for one reason.
package struct EncodedShare: Sendable, Hashable, Codable {
    package var reason: EncodingReason
    /// The frames of the output.
    package var frames: Int64

    package init(reason: EncodingReason, frames: Int64) {
        self.reason = reason
        self.frames = frames
    }
}

/// Why a frame of an output is encoded and not copied.
package enum EncodingReason: Sendable, Hashable {
    case gap, title, transition, layers, retimed, changed, blended, nested
    case codec, rate, rotated, mirrored, pixelAspect, size, color, format, parameterSets
    /// The frame stands before the first key picture behind a cut, or behind the last place before one at which a copy
    /// may end.
    case border
    /// The coded pictures cannot be copied.
    case source(CopyRefusal)

    /// The reason as the end of a sentence that begins "… frames are encoded: ".
    package var words: String {
        switch self {
        case .gap: "nothing is shown"
        case .title: "a title is drawn"
        case .transition: "a transition is drawn"
        case .layers: "several pictures are seen"
        case .retimed: "the clip plays at another speed"
        case .changed: "the picture is placed, cropped, faded or has an effect"
        case .blended: "frames are blended"
        case .nested: "a nested edit is composed by itself"
        case .codec: "the source has another codec than the output"
        case .rate: "the source has another frame rate than the edit, or a variable one"
        case .rotated: "the source has another rotation than the output"
        case .mirrored: "the source is mirrored"
        case .pixelAspect: "the source has another pixel aspect than the output"
        case .size: "the source has another size than the output"
        case .color: "the source has another colour than the output"
        case .format: "the source has a profile, chroma format or depth that the output does not have"
        case .parameterSets: "more kinds of parameter sets are used than one track can hold"
        case .border: "between a cut and a key picture"
        case .source(let refusal): refusal.words
        }
    }
}

extension EncodingReason: Codable {
    private static let codes: [EncodingReason: String] = [
        .gap: "gap", .title: "title", .transition: "transition", .layers: "layers", .retimed: "retimed",
        .changed: "changed", .blended: "blended", .nested: "nested", .codec: "codec",
        .rate: "rate", .rotated: "rotated", .mirrored: "mirrored", .pixelAspect: "pixelAspect", .size: "size",
        .color: "color", .format: "format",
        .parameterSets: "parameterSets", .border: "border",
    ]

    /// The reason in JSON: one word, or `source.` and why the source cannot be copied.
    package var code: String {
        if case .source(let refusal) = self { return "source." + refusal.rawValue }
        return Self.codes[self] ?? ""
    }

    /// - Throws: `DecodingError` for a reason that this version does not know.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let code = try container.decode(String.self)
        if let known = Self.codes.first(where: { $0.value == code })?.key {
            self = known
        } else if code.hasPrefix("source."), let refusal = CopyRefusal(rawValue: String(code.dropFirst(7))) {
            self = .source(refusal)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(code)” is no reason to encode")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
