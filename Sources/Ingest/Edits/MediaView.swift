import Foundation
package import Timing

/// The part of a media file that is shown when the file is used without an edit.
package enum MediaView: Sendable {
    /// The whole picture with its sound, in frames per second. A rate of nil is the one that an edit takes from the
    /// file.
    case movie(FrameRate?)
    /// A still picture, for one frame.
    case picture
    /// The sound alone.
    case sound
    /// The frames of these numbers, counted from 0, each held for a thousandth of a second.
    case frames([Int64])

    /// The text of the edit that shows `media`.
    /// - Parameter media: a path as it is written in an edit.
    func text(of media: String, _ sound: MediaSound) -> String {
        let path = (try? JSONEncoder().encode(media)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        return """
            { "schema": "edit/1", "snap": "nearest", "assets": { "file": \(path) },
              "format": { \(format(sound)) }, "tracks": [{ "kind": "\(kind)", "segments": [\(segments(sound))] }] }
            """
    }

    private var kind: String { if case .sound = self { "audio" } else { "video" } }

    private func format(_ sound: MediaSound) -> String {
        var words: [String] = []
        switch self {
        case .movie(let rate?): words.append("\"frameRate\": \"\(rate)\"")
        case .frames: words.append("\"frameRate\": \"1000\"")
        case .movie(nil), .picture, .sound: break
        }
        if let channels = sound.channels { words.append("\"channels\": \(channels)") }
        if case .track(_, _, let rate) = sound { words.append("\"sampleRate\": \(rate ?? 48_000)") }
        return words.joined(separator: ", ")
    }

    private func segments(_ sound: MediaSound) -> String {
        switch self {
        case .movie, .sound:
            var words = ["\"asset\": \"file\""]
            if case .none = sound { words.append("\"sound\": false") }
            if case .track(let number, _, _) = sound { words.append("\"track\": \"audio/\(number)\"") }
            if let channels = sound.channels, channels > 2 { words.append("\"channels\": \(Array(0..<channels))") }
            return "{ \(words.joined(separator: ", ")) }"
        case .picture: return #"{ "asset": "file", "duration": "1f" }"#
        case .frames(let frames):
            let segments = frames.map { frame in
                "{ \"asset\": \"file\", \"freeze\": \"#\(frame)\", \"duration\": \"1f\", \"sound\": false }"
            }
            return segments.joined(separator: ",\n")
        }
    }
}
