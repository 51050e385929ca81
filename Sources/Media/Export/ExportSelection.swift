import CLibAV
import CompositionModel
import WireProtocol

/// The streams of the first file that are copied, and what is left out.
struct ExportSelection {
    /// In the file's order.
    let streams: [ExportStream]
    /// What is left out because the container cannot hold it, a sentence for each.
    let notes: [String]
    let keepsChapters: Bool

    var names: Set<String> { Set(streams.map(\.name)) }

    /// - Throws: ``MediaError/misfit(_:)`` with a sentence for each thing that the container cannot hold, unless they are
    ///   to be left out; ``MediaError/outOfRange(_:)`` for a name that no stream has.
    init(_ demuxer: Demuxer, _ source: ExportSource, _ request: ExportRequest) throws(MediaError) {
        let all = ExportStream.list(demuxer, source.facts)
        for name in request.without where !all.contains(where: { $0.name == name }) {
            let list = all.map(\.words).joined(separator: ", ")
            throw .outOfRange("--without \(name): \(source.name) has \(list); write one of these.")
        }
        let wanted = all.filter { !request.without.contains($0.name) }
        let format = request.format
        let held = wanted.filter { ExportFit.holds(format, $0) }
        let misfits = ExportMisfit.all(wanted, held, demuxer, source, request)
        keepsChapters = format != .mpegts
        guard !held.isEmpty || misfits.isEmpty else {
            throw .misfit(misfits.map { "\($0.sentence)." }.joined(separator: "\n"))
        }
        guard misfits.isEmpty || request.dropsUnfit else {
            let lines = misfits.map { "\($0.sentence), or \($0.loss) with --drop-unfit." }
            throw .misfit(lines.joined(separator: "\n"))
        }
        let rewritten = held.filter { SubtitleText($0, format) != nil }.map { stream in
            let other = stream.codec == "mov_text" ? "SubRip" : "timed text (mov_text)"
            return "\(source.name): \(stream.words) is written as \(other), without styles."
        }
        notes = misfits.map(\.note) + rewritten
        streams = held
    }
}
