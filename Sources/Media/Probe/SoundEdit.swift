/// Where the sound of an MP4 or QuickTime track ends by its own tables (ISO/IEC 14496-12: `stts` 8.6.1.2, `elst` 8.6.6).
///
/// libavformat bounds a track by the shorter of its edit and its `mdhd`, and takes what is left for the length of its
/// last packet. That is wrong where the edit begins behind priming or behind a wait, or where `mdhd` says nothing.
/// ```
/// media     |priming|----------- sound -----------|      `stts` ends here
/// edit              |media_time                     …|   its duration, rounded up to the movie's ticks
/// heard             |-----------------------------|
/// ```
struct SoundEdit: Equatable {
    /// Ticks of the track at which the sound ends, on the clock of libavformat's pts.
    let end: Int64

    /// - Parameter trackID: the track_ID that the track's `tkhd` names.
    /// - Returns: nil for fragments, for a list of several parts of the media or of none, and for tables that cannot be
    ///   understood: then libavformat's word counts.
    static func read(_ source: any ByteSource, trackID: Int) throws(MediaError) -> SoundEdit? {
        let reader = ISOBoxReader(source)
        guard let moov = try reader.boxes(at: "moov").first, try reader.boxes(at: ["mvex"], in: moov).isEmpty,
            let movie = try reader.timescale(of: "mvhd", in: moov)
        else { return nil }
        for track in try reader.boxes(at: ["trak"], in: moov) {
            guard try reader.trackID(of: track) == trackID else { continue }
            guard let media = try reader.boxes(at: ["mdia"], in: track).first,
                let ticks = try reader.timescale(of: "mdhd", in: media),
                let length = try reader.mediaLength(of: track)
            else { return nil }
            return SoundEdit(entries: try reader.edits(of: track), length: length, ticks: ticks, movie: movie)
        }
        return nil
    }

    /// An entry of an edit list.
    struct Entry {
        /// Ticks of the movie.
        var duration: Int64
        /// Ticks of the track; −1 where nothing is heard.
        var mediaTime: Int64
    }

    /// - Parameters:
    ///   - entries: the edit list, empty where the track has none.
    ///   - length: the length of the media, in ticks of the track.
    ///   - ticks: ticks of the track in a second.
    ///   - movie: ticks of the movie in a second.
    init?(entries: [Entry], length: Int64, ticks: Int64, movie: Int64) {
        guard let last = entries.last else {
            end = length
            return
        }
        let wait = entries.dropLast().reduce(Int64(0)) { $0 + $1.duration }
        guard entries.dropLast().allSatisfy({ $0.mediaTime == -1 }), last.mediaTime >= 0, last.duration > 0 else {
            return nil
        }
        func rescaled(_ duration: Int64) -> Int64 {
            Int64(clamping: (Int128(duration) * Int128(ticks) + Int128(movie / 2)) / Int128(movie))
        }
        let heard = min(rescaled(last.duration), length - last.mediaTime)
        guard heard > 0 else { return nil }
        end = rescaled(wait) + heard
    }
}

extension ISOBoxReader {
    /// The largest table that is read, in bytes.
    private static let mostBytes: Int64 = 64 << 20

    /// The content of the only box at `path` below `box`, with version and flags.
    private func table(at path: String..., in box: Box) throws(MediaError) -> [UInt8]? {
        guard let found = try boxes(at: path, in: box).first, found.content.count <= Self.mostBytes else { return nil }
        let bytes = try content(of: found)
        return bytes.count >= 8 ? bytes : nil
    }

    private func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        bytes.count >= range.upperBound ? Int64(clamping: Self.number(bytes[range])) : nil
    }

    /// The ticks in a second that `mvhd` or `mdhd` names; nil where there is no such box, and for 0. The box's times
    /// before it have 32 bits, or 64 in version 1.
    fileprivate func timescale(of type: String, in box: Box) throws(MediaError) -> Int64? {
        guard let header = try table(at: type, in: box) else { return nil }
        let place = header[0] == 1 ? 20 : 12
        return number(header, place..<place + 4).flatMap { $0 > 0 ? $0 : nil }
    }

    fileprivate func trackID(of track: Box) throws(MediaError) -> Int? {
        guard let header = try table(at: "tkhd", in: track) else { return nil }
        let place = header[0] == 1 ? 20 : 12
        return number(header, place..<place + 4).map(Int.init)
    }

    /// The sum of all durations in `stts`, if it stays within ``MediaLimits/ticks``.
    fileprivate func mediaLength(of track: Box) throws(MediaError) -> Int64? {
        guard let table = try table(at: "mdia", "minf", "stbl", "stts", in: track), let count = number(table, 4..<8),
            table.count >= 8 + 8 * count
        else { return nil }
        var length: Int64 = 0
        for place in stride(from: 8, to: 8 + 8 * Int(count), by: 8) {
            guard let samples = number(table, place..<place + 4), let ticks = number(table, place + 4..<place + 8)
            else { return nil }
            length += samples * ticks
            guard length <= MediaLimits.ticks else { return nil }
        }
        return length
    }

    /// The entries of the track's edit list, in order; empty where the track has none.
    fileprivate func edits(of track: Box) throws(MediaError) -> [SoundEdit.Entry] {
        guard let table = try table(at: "edts", "elst", in: track), let count = number(table, 4..<8) else { return [] }
        let (width, size) = table[0] == 1 ? (8, 20) : (4, 12)
        var entries: [SoundEdit.Entry] = []
        for place in stride(from: 8, to: table.count - size + 1, by: size) where entries.count < count {
            let time = Self.number(table[place + width..<place + 2 * width])
            entries.append(
                SoundEdit.Entry(
                    duration: min(number(table, place..<place + width) ?? 0, MediaLimits.ticks),
                    mediaTime: width == 4
                        ? Int64(Int32(truncatingIfNeeded: time)) : Int64(truncatingIfNeeded: time)
                )
            )
        }
        return entries
    }
}
