import CompositionModel
import EditLanguage
import Ingest

extension LocalRendering {
    /// The lines to print before frames are used: what the edit implied, or how the file's frames are handed out.
    /// - Parameters:
    ///   - isRead: whether all frames are handed out one after the other.
    ///   - isOnFarm: whether a farm makes them.
    func notes(isRead: Bool, isOnFarm: Bool = false) -> [String] {
        guard let footage else { return FindingsPrinter.lines(compiled.findings, file: file.path) }
        return footage.notes(isRead: isRead, isOnFarm: isOnFarm, size: compiled.composition.format.size)
    }

    /// The lines to print before samples are used: everything about a media file's sound, and what is damaged in the
    /// files of an edit.
    var soundNotes: [String] {
        footage?.soundNotes(sampleRate: compiled.composition.format.sampleRate)
            ?? FindingsPrinter.lines(compiled.findings.filter { $0.breaks(.damagedSound) }, file: file.path)
    }
}
