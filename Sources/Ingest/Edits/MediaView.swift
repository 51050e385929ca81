import Foundation
public import Shared

/// What of a media file's sound is heard, when it is used without an edit.
public enum MediaSound: Sendable {
    /// As an edit takes it: mono as it is, else stereo.
    case usual
    /// So many channels, each as it is.
    case each(Int)
    /// The file's sound of this number, from 0, as it is: nil is at 48000 Hz.
    case track(Int, channels: Int, sampleRate: Int?)
    case none
}

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

extension MediaSound {
    /// That are written; nil follows the file.
    fileprivate var channels: Int? {
        switch self {
        case .each(let channels), .track(_, let channels, _): channels
        case .usual, .none: nil
        }
    }
}
