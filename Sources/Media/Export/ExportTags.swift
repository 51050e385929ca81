import CLibAV
import CompositionModel
import Timing

/// What the metadata of an exported file says.
enum ExportTags {
    /// Words about the file that is read, which are wrong of the one that is written: brands, the program that wrote it,
    /// and the statistics of mkvmerge and libavformat, which count bytes and frames.
    private static func isOfTheSource(_ key: String) -> Bool {
        let key = key.lowercased()
        if ["major_brand", "minor_version", "compatible_brands", "encoder", "duration"].contains(key) { return true }
        let statistics = ["bps", "duration-", "number_of_frames", "number_of_bytes", "_statistics_", "bps-"]
        return statistics.contains(where: key.hasPrefix)
    }

    /// The tags of a file or a stream.
    /// - Parameters:
    ///   - frames: pictures by which the beginning moves, and their rate: timecode moves with it; nil without pictures.
    static func kept(_ dictionary: OpaquePointer?, from frames: (count: Int64, rate: FrameRate)?) -> Tags {
        var tags = Tags(dictionary)
        tags.removeAll(where: isOfTheSource)
        if let written = tags["timecode"], let frames { tags["timecode"] = moved(written, by: frames) ?? written }
        return tags
    }

    /// A timecode later by so many frames, within a day; nil for a text that is no timecode.
    static func moved(_ text: String, by frames: (count: Int64, rate: FrameRate)) -> String? {
        // A point before the frames means drop frame too (SMPTE ST 12-1 says both).
        guard case .timecode(let label)? = try? TimeText.read(text.replacing(".", with: ";")),
            let first = try? label.frame(at: frames.rate),
            let day = try? Timecode.day(like: label, at: frames.rate)
        else { return nil }
        let frame = (first + frames.count) % max(1, day)
        return Timecode(frame: frame, at: frames.rate, isDropFrame: label.isDropFrame).description
    }

    /// The keys of global tags that the writer of MP4 has a place for in iTunes' list; others need the list of
    /// QuickTime's keys.
    private static let known: Set = [
        "title", "artist", "album_artist", "composer", "album", "date", "comment", "genre", "copyright", "grouping",
        "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords", "episode_sort",
        "season_number", "media_type", "hd_video", "gapless_playback", "compilation", "track", "disc", "tempo",
        "creation_time", "timecode", "language",
    ]

    /// The keys that iTunes' list has no place for.
    static func unknown(_ tags: Tags) -> [String] { tags.pairs.map(\.key).filter { !known.contains($0.lowercased()) } }
}

extension Timecode {
    /// The frames of a day in labels like this one.
    fileprivate static func day(like label: Timecode, at rate: FrameRate) throws(TimeTextError) -> Int64 {
        guard case .timecode(let midnight)? = try? TimeText.read(label.isDropFrame ? "24:00:00;00" : "24:00:00:00")
        else {
            return 0
        }
        return try midnight.frame(at: rate)
    }
}
