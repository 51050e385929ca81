import CLibAV

/// Switches the subtitles of a finished MP4 or QuickTime file off again that were off in their source: libavformat's writer
/// enables the first track of each kind where none is a default one, and players then show it.
enum TrackEnabling {
    /// - Parameter streams: the source of each track, in the file's order.
    /// - Throws: ``MediaError/writing(_:)``.
    static func write(_ streams: [ExportStream], to path: String) throws(MediaError) {
        let source = try FileByteSource(path: path)
        let reader = ISOBoxReader(source)
        guard let movie = try reader.boxes(at: "moov").first else { return }
        var patches: [FilePatch] = []
        for (track, stream) in zip(try reader.boxes(in: movie).filter { $0.type == "trak" }, streams) {
            guard stream.kind == .subtitles, stream.stream.pointee.disposition & AV_DISPOSITION_DEFAULT == 0,
                let head = try reader.boxes(at: ["tkhd"], in: track).first,
                let flags = try source.bytes(at: head.content.lowerBound + 3, count: 1).first
            else { continue }
            // Track_enabled (ISO/IEC 14496-12, 8.3.2).
            patches.append(FilePatch(offset: head.content.lowerBound + 3, bytes: [flags & ~1]))
        }
        try FilePatch.apply(patches, to: path)
    }
}
