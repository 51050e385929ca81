import CompositionModel

/// The choice of one of the audio tracks of a media file.
struct AudioTrackChoice {
    private let facts: AssetFacts
    /// The path of the file, as the user gave it.
    private let path: String

    init(_ facts: AssetFacts, of path: String) { (self.facts, self.path) = (facts, path) }

    /// The number of a track, counted from 0.
    /// - Parameter track: the name that edits and `probe` use, such as `audio/0`.
    /// - Throws: ``CommandFailure`` that lists the tracks when there is none of this name.
    func number(_ track: String) throws(CommandFailure) -> Int {
        guard !facts.audio.isEmpty else {
            throw CommandFailure(.usage, "There is no sound in \(path), so it has no track \(track).")
        }
        guard let number = facts.audio.indices.first(where: { AudioStreamFacts.trackName($0) == track }) else {
            throw CommandFailure(.usage, "--track \(track): \(path) has \(list); write one of these.")
        }
        return number
    }

    /// A note about the other tracks; none for a file with one.
    var notes: [String] {
        guard facts.audio.count > 1 else { return [] }
        let heard = facts.audio.firstIndex { $0 == facts.defaultAudio } ?? 0
        return ["it has \(list); \(AudioStreamFacts.trackName(heard)) is heard, and --track says another"]
    }

    /// All tracks, such as `audio/0 (English, stereo), audio/1 (5.1)`.
    private var list: String {
        facts.audio.enumerated().map { number, stream in
            let words = [stream.language, stream.layoutWords].compactMap(\.self).joined(separator: ", ")
            return "\(AudioStreamFacts.trackName(number)) (\(words))"
        }.joined(separator: ", ")
    }
}
