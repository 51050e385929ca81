import CLibAV
import CompositionModel
import WireProtocol

/// A thing of a source that the container cannot hold.
struct ExportMisfit {
    /// What it is, with the file's name; what to do follows.
    var what: String
    /// The containers to write instead; empty when none holds everything.
    var others: [ExportFormat]
    /// What happens with `--drop-unfit`, as an order.
    var loss: String
    /// The same as a statement.
    var result: String

    /// The sentence that refuses it, without its end.
    var sentence: String {
        let endings = others.map { ".\($0.endings[0])" }.joined(separator: " or ")
        return others.isEmpty
            ? "\(what); no container that is written holds all of the file" : "\(what); write \(endings)"
    }

    /// The sentence that tells what was lost.
    var note: String { "\(what); \(result)." }

    /// All such things of a source.
    /// - Parameters:
    ///   - wanted: the streams that shall be copied.
    ///   - held: those of them that the container holds.
    static func all(
        _ wanted: [ExportStream],
        _ held: [ExportStream],
        _ demuxer: Demuxer,
        _ source: ExportSource,
        _ request: ExportRequest
    ) -> [ExportMisfit] {
        let turned = held.filter { turn(of: $0, source) != nil }
        let others = [ExportFormat.mp4, .mov, .matroska].filter { other in
            other != request.format && wanted.allSatisfy { ExportFit.holds(other, $0) }
                && (other.hasEditLists || turned.isEmpty && !request.isExact)
        }
        let unheld = wanted.filter { stream in !held.contains { $0.index == stream.index } }
        var misfits = unheld.map { ExportMisfit(stream: $0, source.name, request.format, others) }
        if !request.format.hasEditLists {
            misfits += turned.map { ExportMisfit(turned: $0, source, request.format, others) }
        }
        if request.format == .mpegts, demuxer.raw.pointee.nb_chapters > 0 {
            misfits.append(ExportMisfit(chaptersOf: source.name, request.format, others))
        }
        return misfits
    }

    /// How a picture stream is turned for display; nil for one that is upright, and for other streams.
    private static func turn(of stream: ExportStream, _ source: ExportSource) -> Orientation? {
        guard stream.kind == .picture else { return nil }
        let facts = source.facts.video.first { $0.streamIndex == stream.index }
        return facts.flatMap { $0.orientation == .upright ? nil : $0.orientation }
    }
}

extension ExportMisfit {
    private init(stream: ExportStream, _ name: String, _ format: ExportFormat, _ others: [ExportFormat]) {
        what = "\(name): \(stream.words) does not fit \(format.words)"
        self.others = Array(others.prefix(1))
        (loss, result) = ("leave this stream out", "the stream is left out")
    }

    private init(turned stream: ExportStream, _ source: ExportSource, _ format: ExportFormat, _ others: [ExportFormat])
    {
        let degrees = Self.turn(of: stream, source)?.degrees ?? 0
        what = "\(source.name): \(stream.name) is turned \(degrees)° for display, which \(format.words) cannot say"
        self.others = Array(others.prefix(2))
        (loss, result) = ("copy its pictures unturned", "its pictures are copied unturned")
    }

    private init(chaptersOf name: String, _ format: ExportFormat, _ others: [ExportFormat]) {
        what = "\(name) has chapters, which \(format.words) cannot hold"
        self.others = Array(others.prefix(2))
        (loss, result) = ("leave the chapters out", "the chapters are left out")
    }
}
