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
        var misfits: [String] = []
        for stream in wanted where !held.contains(where: { $0.index == stream.index }) {
            misfits.append(Self.words(stream, format, source.name))
        }
        for stream in held where stream.kind == .picture && !format.hasEditLists {
            guard let facts = source.facts.video.first(where: { $0.streamIndex == stream.index }),
                facts.orientation != .upright
            else { continue }
            misfits.append(
                "\(source.name): \(stream.name) is turned \(facts.orientation.degrees)° for display, which "
                    + "\(format.words) cannot say; write .mp4 or .mov"
            )
        }
        keepsChapters = format != .mpegts
        if !keepsChapters, demuxer.raw.pointee.nb_chapters > 0 {
            misfits.append("\(source.name) has chapters, which \(format.words) cannot hold; write .mkv or .mp4")
        }
        guard !held.isEmpty || misfits.isEmpty else { throw .misfit(misfits.joined(separator: "\n")) }
        guard misfits.isEmpty || request.dropsUnfit else {
            let advice = "; or leave it out with --drop-unfit."
            throw .misfit(misfits.map { $0 + advice }.joined(separator: "\n"))
        }
        let rewritten = held.filter { SubtitleText($0, format) != nil }.map { stream in
            let other = stream.codec == "mov_text" ? "SubRip" : "timed text (mov_text)"
            return "\(source.name): \(stream.words) is written as \(other), without styles."
        }
        notes = misfits.map { "\($0); it is left out." } + rewritten
        streams = held
    }

    private static func words(_ stream: ExportStream, _ format: ExportFormat, _ name: String) -> String {
        let other = ExportFit.other(than: format, for: stream)
        let advice = other.map { "write .\($0.endings[0])" } ?? "no other container that is written holds it either"
        return "\(name): \(stream.words) does not fit \(format.words); \(advice)"
    }
}
