package import CompositionModel

/// Why media could not be read or written.
package enum MediaError: Error, Sendable, Hashable {
    /// No container we open, or nothing in it that can be shown or heard.
    case notMedia(String)
    /// Encrypted; there is no key.
    case protected(String)
    /// A playlist or live stream, not a file with an end.
    case endless(String)
    /// Bytes that the file's own tables promise are missing.
    case truncated(String)
    /// Real media, but of a kind that this renderer does not read.
    case unsupported(String)
    /// The file asks for more than the limits of ``MediaLimits``.
    case limitExceeded(String)
    /// The bytes of a source could not be had; another try may succeed.
    case unreadable(String)
    /// A ``ByteSource`` failed with its own words.
    case source(Failure)
    /// A decoder refused, or a wanted picture did not come out of it.
    case decoding(String)
    /// An encoder refused.
    case encoding(String)
    /// A movie could not be written (disk, format).
    case writing(String)
    /// The disk of the file that is written is full.
    case noSpace(String)
    /// A stored frame index is of another version or damaged: probe the asset again.
    case invalidIndex(String)
    /// A library asked for memory and got none. No property of the file alone: another machine may have more.
    case outOfMemory(String)
    /// The asked time or number lies outside the stream.
    case outOfRange(String)
    /// What was asked for cannot be had without encoding.
    case needsEncoding(String)
    /// A stream does not fit the container, or streams of several files do not fit each other.
    case misfit(String)

    /// Whether the bytes of the file that was read are the cause. Not what a machine lacks, nor how the bytes came, nor
    /// what was noted of them before.
    package var liesInTheBytes: Bool {
        switch self {
        case .notMedia, .protected, .endless, .truncated, .unsupported, .limitExceeded, .decoding, .outOfRange,
            .needsEncoding, .misfit:
            true
        case .unreadable, .source, .encoding, .writing, .noSpace, .invalidIndex, .outOfMemory: false
        }
    }

    /// The farm's form: a stable code and one sentence.
    package var failure: Failure {
        switch self {
        case .notMedia(let text): Failure(code: "asset_not_media", message: text, isPermanent: true)
        case .protected(let text): Failure(code: "asset_protected", message: text, isPermanent: true)
        case .endless(let text): Failure(code: "asset_endless", message: text, isPermanent: true)
        case .truncated(let text): Failure(code: "asset_truncated", message: text, isPermanent: true)
        case .unsupported(let text): Failure(code: "asset_unsupported", message: text, isPermanent: true)
        case .limitExceeded(let text): Failure(code: "asset_limit", message: text, isPermanent: true)
        case .unreadable(let text): Failure(code: "asset_unreadable", message: text, isPermanent: false)
        case .source(let failure): failure
        case .decoding(let text): Failure(code: "decode_failed", message: text, isPermanent: true)
        case .encoding(let text): Failure(code: "encode_failed", message: text, isPermanent: true)
        case .writing(let text): Failure(code: "write_failed", message: text, isPermanent: false)
        case .noSpace(let text): Failure(code: "no_space", message: text, isPermanent: false)
        case .invalidIndex(let text): Failure(code: "index_invalid", message: text, isPermanent: false)
        case .outOfMemory(let text): Failure(code: "render_out_of_memory", message: text, isPermanent: false)
        case .outOfRange(let text): Failure(code: "out_of_range", message: text, isPermanent: true)
        case .needsEncoding(let text): Failure(code: "needs_encoding", message: text, isPermanent: true)
        case .misfit(let text): Failure(code: "export_misfit", message: text, isPermanent: true)
        }
    }
}
