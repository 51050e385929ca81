import Foundation
public import Shared

/// What of a media file is shown, when it is used without an edit.
public enum MediaView: Sendable {
    /// All of its picture with its sound; nil is the rate that an edit takes of it.
    case movie(FrameRate?)
    /// A still picture, for one frame.
    case picture
    case sound
    /// Some of its frames by number, each held for a thousandth of a second, however long it lasts.
    case frames([Int64])

    /// The edit that shows it.
    func text(of media: String) -> String {
        let path = (try? JSONEncoder().encode(media)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        return """
            { "schema": "edit/1", "snap": "nearest", "assets": { "file": \(path) },\(format)
              "tracks": [{ "kind": "\(kind)", "segments": [\(segments)] }] }
            """
    }

    private var kind: String { if case .sound = self { "audio" } else { "video" } }

    private var format: String {
        switch self {
        case .movie(let rate?): " \"format\": { \"frameRate\": \"\(rate)\" },"
        case .frames: " \"format\": { \"frameRate\": \"1000\" },"
        case .movie(nil), .picture, .sound: ""
        }
    }

    private var segments: String {
        switch self {
        case .movie, .sound: return #"{ "asset": "file" }"#
        case .picture: return #"{ "asset": "file", "duration": "1f" }"#
        case .frames(let frames):
            let segments = frames.map { frame in
                "{ \"asset\": \"file\", \"freeze\": \"#\(frame)\", \"duration\": \"1f\", \"sound\": false }"
            }
            return segments.joined(separator: ",\n")
        }
    }
}
