package import CompositionModel
package import Timing

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
    /// Frames of a source of variable rate do not follow one by one at the edit's rate.
    case variableRate
    case codec, rotated, mirrored, pixelAspect, size, format, parameterSets
    /// The source has another colour than the output: ``ColorDescription/words``, and whether it is guessed because the
    /// file does not say it.
    case color(String, isGuessed: Bool)
    /// The source has another frame rate than the edit; both are given.
    case rate(of: FrameRate, edit: FrameRate)
    /// The frame stands before the first place behind a cut at which a copy may begin, behind the last one before a cut
    /// at which it may end, or between two copies of which the second begins anew.
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
        case .variableRate: "the source's frame rate varies, so that a frame is shown twice or left out nearby"
        case .rate(let own, let edit): "the source has another frame rate than the edit (\(own) and \(edit))"
        case .rotated: "the source has another rotation than the output"
        case .mirrored: "the source is mirrored"
        case .pixelAspect: "the source has another pixel aspect than the output"
        case .size: "the source has another size than the output"
        case .color(let name, let isGuessed):
            "the source has another colour than the output (\(name)\(isGuessed ? ", guessed from its height" : ""))"
        case .format: "the source has a profile, chroma format or depth that the output does not have"
        case .parameterSets: "more kinds of parameter sets are used than one track can hold"
        case .border: "beside what can be copied, which begins with a key picture and has 12 frames or more"
        case .source(let refusal): refusal.words
        }
    }
}

extension EncodingReason: RawRepresentable, Codable {
    /// The reasons that are one word in JSON.
    private static let plain: [EncodingReason] = [
        .gap, .title, .transition, .layers, .retimed, .changed, .blended, .nested, .codec, .variableRate, .rotated,
        .mirrored, .pixelAspect, .size, .format, .parameterSets, .border,
    ]

    /// The reason in JSON: one word; `rate.` and the rates of source and edit; `color.`, `stated.` or `guessed.` and
    /// the source's colour; or `source.` and why the source cannot be copied.
    package var rawValue: String {
        switch self {
        case .gap: "gap"
        case .title: "title"
        case .transition: "transition"
        case .layers: "layers"
        case .retimed: "retimed"
        case .changed: "changed"
        case .blended: "blended"
        case .nested: "nested"
        case .codec: "codec"
        case .variableRate: "variableRate"
        case .rate(let own, let edit):
            "rate.\(own.numerator).\(own.denominator).\(edit.numerator).\(edit.denominator)"
        case .rotated: "rotated"
        case .mirrored: "mirrored"
        case .pixelAspect: "pixelAspect"
        case .size: "size"
        case .color(let name, let isGuessed): "color.\(isGuessed ? "guessed" : "stated").\(name)"
        case .format: "format"
        case .parameterSets: "parameterSets"
        case .border: "border"
        case .source(let refusal): "source." + refusal.rawValue
        }
    }

    /// - Returns: nil for a reason that this version does not know.
    package init?(rawValue: String) {
        if let known = Self.plain.first(where: { $0.rawValue == rawValue }) {
            self = known
            return
        }
        let words = rawValue.split(separator: ".").map(String.init)
        let numbers = words.dropFirst().compactMap(Int64.init)
        if words.first == "source", words.count == 2, let refusal = CopyRefusal(rawValue: words[1]) {
            self = .source(refusal)
        } else if words.first == "rate", words.count == 5, numbers.count == 4,
            let own = try? FrameRate(numbers[0], numbers[1]), let edit = try? FrameRate(numbers[2], numbers[3])
        {
            self = .rate(of: own, edit: edit)
        } else if words.first == "color", words.count == 3, ["guessed", "stated"].contains(words[1]) {
            self = .color(words[2], isGuessed: words[1] == "guessed")
        } else {
            return nil
        }
    }
}
