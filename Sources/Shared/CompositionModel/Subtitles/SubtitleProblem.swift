/// The reason why a subtitle file cannot be used.
package struct SubtitleProblem: Error, Sendable, Hashable {
    /// The number of the line at fault, from 1; nil when the problem concerns the whole file.
    package let line: Int?
    /// The problem as one sentence without its full stop.
    package let message: String

    init(_ line: Int?, _ message: String) {
        self.line = line
        self.message = message
    }

    /// The problem as a failure for the farm and its clients, with the code `subtitles_unreadable`.
    package var failure: Failure {
        let place = line.map { "line \($0): " } ?? ""
        return Failure(code: "subtitles_unreadable", message: "\(place)\(message).", isPermanent: true)
    }
}

/// The format of a subtitle file.
package enum SubtitleFormat: String, Sendable, Hashable, Codable {
    case subrip, webvtt, ass

    /// The name of the format in messages.
    package var name: String {
        switch self {
        case .subrip: "SubRip"
        case .webvtt: "WebVTT"
        case .ass: "ASS"
        }
    }
}
