/// Whether a sound task makes its output by itself, or a piece that is joined to others.
package enum SoundExtent: Sendable, Hashable {
    /// The task mixes nothing but its own samples: it is the whole output, or a piece whose codec keeps no state and
    /// whose loudness is not normalised.
    case whole
    /// The task also mixes pre-roll and post-roll, or needs the loudness of its programme.
    case piece(SoundPiece)

    /// Makes `.piece`, or `.whole` when `piece` needs nothing beside its own samples.
    package init(_ piece: SoundPiece) { self = piece.isAlone ? .whole : .piece(piece) }

    /// Samples per channel encoded before the task's own and dropped, at least 0.
    package var preRoll: Int64 { piece?.preRoll ?? 0 }
    /// Samples per channel encoded after the task's own and dropped, at least 0.
    package var postRoll: Int64 { piece?.postRoll ?? 0 }
    /// The programme whose loudness, measured earlier, sets the gain of this piece; nil when no measurement is needed.
    package var programme: SoundProgramme? { piece?.programme }

    private var piece: SoundPiece? { if case .piece(let piece) = self { piece } else { nil } }

    /// Returns the same piece as part of `programme`, whose loudness is measured earlier; nil removes the programme.
    package func measured(as programme: SoundProgramme?) -> SoundExtent {
        SoundExtent(SoundPiece(preRoll: preRoll, postRoll: postRoll, programme: programme))
    }
}

/// What a piece of sound needs beside its own samples.
package struct SoundPiece: Sendable, Hashable {
    /// Samples per channel before the piece, for the encoder's memory; 0 where the output begins.
    package var preRoll: Int64
    /// Samples per channel after the piece, for the encoder's lookahead; 0 where the output ends.
    package var postRoll: Int64
    /// The programme whose loudness, measured earlier, sets the gain of this piece; nil when no loudness is asked for.
    package var programme: SoundProgramme?

    package init(preRoll: Int64 = 0, postRoll: Int64 = 0, programme: SoundProgramme? = nil) {
        self.preRoll = preRoll
        self.postRoll = postRoll
        self.programme = programme
    }

    fileprivate var isAlone: Bool { preRoll == 0 && postRoll == 0 && programme == nil }
}
