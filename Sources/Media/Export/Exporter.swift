import CLibAV
import Timing
package import WireProtocol

/// Copies coded streams of files into one file, without encoding (docs/export.md).
package struct Exporter {
    private let request: ExportRequest
    private let sources: [ExportSource]

    /// - Parameters:
    ///   - sources: the files of the request, in order.
    ///   - progress: told 0 … 1000.
    /// - Returns: what was written.
    /// - Throws: ``MediaError/misfit(_:)`` and ``MediaError/needsEncoding(_:)`` with the reason why something cannot be
    ///   copied; what reading and writing throw.
    package static func export(
        _ request: ExportRequest,
        sources: [ExportSource],
        progress: (Int) -> Void
    ) throws(MediaError) -> ExportReport {
        guard !sources.isEmpty, sources.count == request.sources.count else {
            throw .invalidIndex("An export needs the facts of each of its files.")
        }
        return try Exporter(request: request, sources: sources).export(progress)
    }

    private func export(_ progress: (Int) -> Void) throws(MediaError) -> ExportReport {
        var demuxer = try Demuxer(sources[0].bytes)
        try Protection.refuse(demuxer)
        var selection = try ExportSelection(demuxer, sources[0], request)
        let inspections = try inspect(demuxer, selection.names)
        let parts = try ExportPlanner(request: request, names: selection.names).parts(sources)
        if parts[0].source.bytes !== sources[0].bytes {
            // The range begins in another file, whose streams are like the first one's.
            demuxer = try Demuxer(parts[0].source.bytes)
            selection = try ExportSelection(demuxer, parts[0].source, request)
        }
        do {
            var run = try ExportRun(request, selection, inspections, parts, demuxer)
            try run.write(progress)
            try run.verify()
            progress(1000)
            return try run.report()
        } catch let error as MediaError {
            throw error
        } catch {
            throw .unsupported("The files' times are impossible; remux them with ffmpeg -c copy.")
        }
    }

    /// Looks at every file, and refuses those that cannot follow the first.
    private func inspect(_ first: Demuxer, _ names: Set<String>) throws(MediaError) -> [ExportInspection] {
        var found = [try ExportInspection(first, sources[0], names: names)]
        for source in sources.dropFirst() {
            let demuxer = try Demuxer(source.bytes)
            try Protection.refuse(demuxer)
            let inspection = try ExportInspection(demuxer, source, names: names)
            if let why = found[0].difference(from: inspection, names: (sources[0].name, source.name)) {
                throw .misfit("\(why), so the files cannot be joined without encoding.")
            }
            found.append(inspection)
        }
        return found
    }
}
