/// Why a subtitle file cannot be used.
public struct SubtitleProblem: Error, Sendable, Hashable {
    /// From 1; nil is about the whole file.
    public let line: Int?
    /// One sentence without its full stop.
    public let message: String

    init(_ line: Int?, _ message: String) {
        self.line = line
        self.message = message
    }

    /// Stable code and sentence for the farm and its clients.
    public var failure: Failure {
        let place = line.map { "line \($0): " } ?? ""
        return Failure(code: "subtitles_unreadable", message: "\(place)\(message).", isPermanent: true)
    }
}

/// How a subtitle file is written.
public enum SubtitleFormat: String, Sendable, Hashable, Codable {
    case subrip, webvtt, ass

    public var name: String {
        switch self {
        case .subrip: "SubRip"
        case .webvtt: "WebVTT"
        case .ass: "ASS"
        }
    }
}
