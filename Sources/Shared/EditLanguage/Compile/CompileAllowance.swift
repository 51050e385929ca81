import CompositionModel

/// How much an edit and all edits nested in it may still come to together: small texts multiply.
final class CompileAllowance {
    /// The number of frames over which speeds may still change, in every run of a segment that is looped.
    var rampSteps = Limits.rampFrames
    /// The number of times that pictures may still be repeated.
    var loopRuns = Limits.loopRuns
    /// The number of keys, properties, effects and processors that may still come in runs of what is looped.
    var loopedWords = Limits.loopedWords
    /// The number of instructions and of their layers that may still come.
    var pieces: Int
    /// ``pieces`` at the beginning.
    let mostPieces: Int
    /// The number of segments, titles, instructions and layers that one composition may have.
    let mostPiecesOfComposition: Int

    /// - Parameter itemCount: the segments, titles, gaps and transitions that were written: a text may come to more the
    ///   longer it is.
    init(itemCount: Int = 0, mostPiecesOfComposition: Int = Limits.mostSegments) {
        self.mostPiecesOfComposition = mostPiecesOfComposition
        mostPieces = min(Limits.mostSegments, Limits.segmentsOfAnyText + Limits.segmentsOfAnItem * itemCount)
        pieces = mostPieces
    }
}

extension EditDocument {
    /// The items of all tracks.
    var itemCount: Int {
        guard case .edit(let edit) = self else { return 0 }
        return edit.tracks.reduce(0) { $0 + $1.items.count + $1.titles.count }
    }
}

extension NestedEdit {
    /// The items of this edit and of all that it uses.
    var itemCount: Int { nested.values.reduce(read.document?.itemCount ?? 0) { $0 + $1.itemCount } }
}
