/// Writes the edit lists of a finished MP4 or QuickTime file anew, because libavformat's writer presents each track up to
/// its last sample: ours end where the export ends.
///
/// The lists keep their length, one entry, or two of which the first is empty, so nothing in the file moves. Durations of
/// `tkhd` and `mvhd` follow (ISO/IEC 14496-12, 8.2.2, 8.3.2 and 8.6.6).
struct EditList: Equatable {
    /// Ticks of the movie before the track is presented.
    var delay: Int64
    /// The time in the track's media from which on it is presented, in the track's ticks.
    var mediaTime: Int64
    /// Ticks of the movie for which it is presented.
    var duration: Int64

    /// - Parameters:
    ///   - path: the file.
    ///   - lists: by number of the track in the file's order; tracks without one stay as they are.
    /// - Throws: ``MediaError/writing(_:)`` when the file has other boxes than expected, or cannot be written.
    static func write(_ lists: [Int: EditList], to path: String) throws(MediaError) {
        let source = try FileByteSource(path: path)
        let reader = ISOBoxReader(source)
        guard let movie = try reader.boxes(at: "moov").first else { throw missing }
        var patches: [FilePatch] = []
        var longest = lists.values.map { $0.delay + $0.duration }.max() ?? 0
        guard let movieHead = try reader.boxes(at: ["mvhd"], in: movie).first else { throw missing }
        let movieScale = try Field(movieHead, reader, narrow: 12, wide: 20, isDuration: false).value(source)
        let tracks = try reader.boxes(in: movie).filter { $0.type == "trak" }
        for (number, track) in tracks.enumerated() {
            guard let head = try reader.boxes(at: ["tkhd"], in: track).first else { throw missing }
            let place = try Field(head, reader, narrow: 20, wide: 28)
            guard let list = lists[number] else {
                if try isTimecode(track, reader, source) {
                    patches.append(try place.patch(min(longest, place.value(source))))
                    patches += try timecode(of: track, reader, source, atMost: longest, movieScale)
                } else {
                    longest = max(longest, try place.value(source))
                }
                continue
            }
            guard let box = try reader.boxes(at: ["edts", "elst"], in: track).first else { throw missing }
            patches += try list.patches(box, source)
            patches.append(try place.patch(list.delay + list.duration))
        }
        patches.append(try Field(movieHead, reader, narrow: 16, wide: 24).patch(longest))
        try FilePatch.apply(patches, to: path)
    }

    private static func isTimecode(
        _ track: ISOBoxReader.Box,
        _ reader: ISOBoxReader,
        _ source: FileByteSource
    ) throws(MediaError) -> Bool {
        guard let handler = try reader.boxes(at: ["mdia", "hdlr"], in: track).first else { return false }
        return try source.bytes(at: handler.content.lowerBound + 8, count: 4).elementsEqual("tmcd".utf8)
    }

    /// A track of timecode is one sample, which the writer makes as long as the track that it belongs to, with what is
    /// hidden behind its end.
    /// - Parameter longest: ticks of the movie.
    private static func timecode(
        of track: ISOBoxReader.Box,
        _ reader: ISOBoxReader,
        _ source: FileByteSource,
        atMost longest: Int64,
        _ movieScale: Int64
    ) throws(MediaError) -> [FilePatch] {
        guard let head = try reader.boxes(at: ["mdia", "mdhd"], in: track).first,
            let table = try reader.boxes(at: ["mdia", "minf", "stbl", "stts"], in: track).first, movieScale > 0
        else { return [] }
        let scale = try Field(head, reader, narrow: 12, wide: 20, isDuration: false).value(source)
        let place = try Field(head, reader, narrow: 16, wide: 24)
        let (product, overflows) = longest.multipliedReportingOverflow(by: scale)
        let count = try source.bytes(at: table.content.lowerBound + 4, count: 8)
        guard !overflows, product / movieScale < (try place.value(source)), ISOBoxReader.number(count[0..<4]) == 1,
            ISOBoxReader.number(count[4..<8]) == 1
        else { return [] }
        let duration = product / movieScale
        return [
            try place.patch(duration), FilePatch(offset: table.content.lowerBound + 12, bytes: bytes(duration, 4)),
        ]
    }

    private func patches(_ box: ISOBoxReader.Box, _ source: FileByteSource) throws(MediaError) -> [FilePatch] {
        let start = box.content.lowerBound
        let head = try source.bytes(at: start, count: 8)
        guard head.count == 8 else { throw Self.missing }
        let isWide = head[0] == 1
        let entries = delay > 0 ? [(delay, Int64(-1)), (duration, mediaTime)] : [(duration, mediaTime)]
        guard ISOBoxReader.number(head[4..<8]) == UInt64(entries.count) else { throw Self.missing }
        var patches: [FilePatch] = []
        for (number, entry) in entries.enumerated() {
            let width = isWide ? 8 : 4
            guard isWide || entry.0 <= Int64(UInt32.max) && entry.1 <= Int64(Int32.max) else { throw Self.missing }
            let bytes = Self.bytes(entry.0, width) + Self.bytes(entry.1, width)
            patches.append(FilePatch(offset: start + 8 + Int64(number * (2 * width + 4)), bytes: bytes))
        }
        return patches
    }

    /// A duration in `tkhd`, `mdhd` or `mvhd`, whose place and width depend on the version, or a time scale, whose place
    /// does.
    private struct Field {
        let offset: Int64
        let width: Int

        init(
            _ box: ISOBoxReader.Box,
            _ reader: ISOBoxReader,
            narrow: Int64,
            wide: Int64,
            isDuration: Bool = true
        ) throws(MediaError) {
            let isWide = try reader.content(of: box).first == 1
            (offset, width) = (box.content.lowerBound + (isWide ? wide : narrow), isWide && isDuration ? 8 : 4)
        }

        func value(_ source: FileByteSource) throws(MediaError) -> Int64 {
            Int64(clamping: ISOBoxReader.number(try source.bytes(at: offset, count: width)[...]))
        }

        func patch(_ duration: Int64) throws(MediaError) -> FilePatch {
            guard width == 8 || duration <= Int64(UInt32.max) else { throw EditList.missing }
            return FilePatch(offset: offset, bytes: EditList.bytes(duration, width))
        }
    }

    private static func bytes(_ value: Int64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
    }

    private static var missing: MediaError { .writing("The edit lists of the file are not where they should be.") }
}
