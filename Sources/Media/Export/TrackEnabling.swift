import CLibAV

/// Switches the subtitles of a finished MP4 or QuickTime file off again that were off in their source: libavformat's writer
/// enables the first track of each kind where none is a default one, and players then show it.
enum TrackEnabling {
    /// - Parameter streams: the source of each track, in the file's order.
    /// - Throws: ``MediaError/writing(_:)``.
    static func write(_ streams: [ExportStream], to path: String) throws(MediaError) {
        try FilePatch.apply(toTracksOf: path, streams) { (track, stream, reader, source) throws(MediaError) in
            guard stream.kind == .subtitles, stream.stream.pointee.disposition & AV_DISPOSITION_DEFAULT == 0,
                let head = try reader.boxes(at: ["tkhd"], in: track).first,
                let flags = try source.bytes(at: head.content.lowerBound + 3, count: 1).first
            else { return nil }
            // Track_enabled (ISO/IEC 14496-12, 8.3.2).
            return FilePatch(offset: head.content.lowerBound + 3, bytes: [flags & ~1])
        }
    }
}
