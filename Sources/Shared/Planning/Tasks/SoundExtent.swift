/// Whether a sound task makes its output by itself, or a piece that is joined to others.
public enum SoundExtent: Sendable, Hashable {
    /// Nothing but the task's own samples is heard: an output that is made in one go, or a piece of one whose codec
    /// remembers nothing and that is brought to no loudness.
    case whole
    case piece(SoundPiece)

    /// `piece`, or the whole where a piece needs nothing beside its own samples.
    public init(_ piece: SoundPiece) { self = piece.isAlone ? .whole : .piece(piece) }

    /// Samples of each channel that are encoded before the task's own and dropped, at least 0.
    public var preRoll: Int64 { piece?.preRoll ?? 0 }
    /// Samples of each channel that are encoded after the task's own and dropped, at least 0.
    public var postRoll: Int64 { piece?.postRoll ?? 0 }
    /// The programme whose loudness, measured before, sets the gain of this piece; nil for what needs no measuring.
    public var programme: SoundProgramme? { piece?.programme }

    private var piece: SoundPiece? { if case .piece(let piece) = self { piece } else { nil } }

    /// The same piece of a programme that is measured before.
    public func measured(as programme: SoundProgramme?) -> SoundExtent {
        SoundExtent(SoundPiece(preRoll: preRoll, postRoll: postRoll, programme: programme))
    }
}

/// What a piece of sound hears beside its own samples.
public struct SoundPiece: Sendable, Hashable {
    /// Samples of each channel before the piece, for the encoder's memory; 0 where the output begins.
    public var preRoll: Int64
    /// Samples of each channel after the piece, for the encoder's lookahead; 0 where the output ends.
    public var postRoll: Int64
    /// The programme whose loudness, measured before, sets the gain of this piece; nil when no loudness is asked for.
    public var programme: SoundProgramme?

    public init(preRoll: Int64 = 0, postRoll: Int64 = 0, programme: SoundProgramme? = nil) {
        self.preRoll = preRoll
        self.postRoll = postRoll
        self.programme = programme
    }

    fileprivate var isAlone: Bool { preRoll == 0 && postRoll == 0 && programme == nil }
}
