package import Timing

// A parent sends this request to `cutfarm-render` to copy coded streams into another file without encoding.

/// The container of an exported file.
package enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case mp4, m4a, mov, matroska, webm, mpegts

    /// The endings of file names that mean this container; the first is the usual one.
    package var endings: [String] {
        switch self {
        case .mp4: ["mp4", "m4v"]
        case .m4a: ["m4a", "m4b"]
        case .mov: ["mov"]
        case .matroska: ["mkv", "mka", "mk3d"]
        case .webm: ["webm"]
        case .mpegts: ["ts", "mts", "m2ts"]
        }
    }

    /// The container's name in messages.
    package var words: String {
        switch self {
        case .mp4: "MP4"
        case .m4a: "M4A"
        case .mov: "QuickTime"
        case .matroska: "Matroska"
        case .webm: "WebM"
        case .mpegts: "MPEG-TS"
        }
    }

    /// Whether the container has edit lists, which hide coded pictures and samples.
    package var hasEditLists: Bool { [.mp4, .m4a, .mov].contains(self) }

    /// The container that files with this ending have; nil for an ending of none.
    package init?(ending: String) {
        guard let format = ExportFormat.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
        self = format
    }
}

/// Copies the streams of files into one file, one file behind the other, without encoding anything. The result is
/// ``RenderResult/export(_:)``.
package struct ExportRequest: Sendable, Hashable, Codable {
    /// The files, in order, each with its facts and frame indexes.
    package var sources: [SourceFile]
    /// The name of each file in messages.
    package var names: [String]
    /// The part of the joined timeline to keep, in seconds from the first picture of the first file; nil for all.
    package var range: TimeRange?
    /// Whether exactly the pictures and samples of the range are presented; otherwise it begins and ends where the coded
    /// pictures allow it.
    package var isExact: Bool
    package var format: ExportFormat
    /// The streams to leave out, by name, such as `audio/1`.
    package var without: [String]
    /// Whether what the container cannot hold is left out with a note; otherwise it is refused.
    package var dropsUnfit: Bool
    /// The file to write, in a folder that the child may write.
    package var output: String

    package init(
        sources: [SourceFile],
        names: [String],
        range: TimeRange?,
        isExact: Bool,
        format: ExportFormat,
        without: [String],
        dropsUnfit: Bool,
        output: String
    ) {
        self.sources = sources
        self.names = names
        self.range = range
        self.isExact = isExact
        self.format = format
        self.without = without
        self.dropsUnfit = dropsUnfit
        self.output = output
    }
}

/// What an export wrote.
package struct ExportReport: Sendable, Hashable, Codable {
    /// The part of the joined timeline that is presented: pictures from their first to the end of their last.
    package var range: TimeRange
    /// The number of pictures presented of the first picture stream; nil for sound alone.
    package var frameCount: Int64?
    /// The streams written, such as `video/0 (h264)`.
    package var streams: [String]
    /// What was left out or could not be kept, a sentence for each.
    package var notes: [String]
    /// What is damaged in the sources and was copied as it is, a sentence for each.
    package var warnings: [String]

    package init(
        range: TimeRange,
        frameCount: Int64?,
        streams: [String],
        notes: [String],
        warnings: [String] = []
    ) {
        self.range = range
        self.frameCount = frameCount
        self.streams = streams
        self.notes = notes
        self.warnings = warnings
    }
}
