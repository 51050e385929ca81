import CompositionModel
import Timing
import WireProtocol

// This extension looks at the finished file.
extension ExportRun {
    /// Probes the finished file as any source is probed, and requires that it presents what was planned.
    /// - Throws: ``MediaError/writing(_:)`` otherwise.
    func verify() throws {
        let facts = try AssetProbe.probe(FileByteSource(path: request.output)).facts
        func check(_ stream: ExportStream, _ what: String, _ found: Int64?, _ wanted: Int64) throws {
            guard found != wanted else { return }
            let words = "\(found.map { "\($0)" } ?? "no") \(what) of \(stream.name) and not \(wanted)"
            throw MediaError.writing("The exported file presents \(words), so it was thrown away.")
        }
        for (number, stream) in selection.streams.filter({ $0.kind == .picture }).enumerated() {
            let wanted = parts.reduce(Int64(0)) { $0 + Int64($1.picture(named: stream.name)?.cut.frames.count ?? 0) }
            let found = facts.video.indices.contains(number) ? facts.video[number].frameCount : nil
            try check(stream, "frames", found, wanted)
        }
        guard request.isExact, parts.count == 1 else { return }
        for (number, stream) in selection.streams.filter({ $0.kind == .sound }).enumerated() {
            guard let lane = lanes[stream.name], lane.firstDTS != nil else { continue }
            let found = facts.audio.indices.contains(number) ? facts.audio[number].sampleCount : nil
            try check(stream, "samples", found, Int64(lane.presented.count))
        }
    }

    func report() throws -> ExportReport {
        let last = parts[parts.count - 1]
        let lead = selection.streams.first { $0.kind == .picture && parts[0].lead == $0.index }
        let frames = lead.map { lead in
            parts.reduce(Int64(0)) { $0 + Int64($1.picture(named: lead.name)?.cut.frames.count ?? 0) }
        }
        let start = parts[0].start
        let duration = try last.place.adding(last.end.subtracting(last.start))
        return ExportReport(
            range: try TimeRange(start: start, duration: duration),
            frameCount: frames,
            streams: selection.streams.map(\.words),
            notes: notes,
            warnings: warnings
        )
    }
}
