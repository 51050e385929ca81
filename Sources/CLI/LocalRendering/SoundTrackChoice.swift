import Shared

/// Which of the tracks of sound of a media file is heard.
struct SoundTrackChoice {
    private let facts: AssetFacts
    /// Of the file.
    private let path: String

    init(_ facts: AssetFacts, of path: String) { (self.facts, self.path) = (facts, path) }

    /// The number of `track`, which is `audio/0` as in an edit.
    /// - Throws: ``CommandFailure`` with the tracks that there are.
    func number(_ track: String) throws(CommandFailure) -> Int {
        guard !facts.audio.isEmpty else {
            throw CommandFailure(.usage, "There is no sound in \(path), so it has no track \(track).")
        }
        guard let number = facts.audio.indices.first(where: { Self.name($0) == track }) else {
            throw CommandFailure(.usage, "--track \(track): \(path) has \(list); write one of these.")
        }
        return number
    }

    /// That there are others.
    var notes: [String] {
        guard facts.audio.count > 1 else { return [] }
        let heard = facts.audio.firstIndex { $0 == facts.defaultAudio } ?? 0
        return ["it has \(list); \(Self.name(heard)) is heard, and --track says another"]
    }

    /// `audio/0 (English, stereo), audio/1 (5.1)`.
    private var list: String {
        facts.audio.enumerated().map { number, stream in
            let words = [stream.language, stream.layoutWords].compactMap(\.self).joined(separator: ", ")
            return "\(Self.name(number)) (\(words))"
        }.joined(separator: ", ")
    }

    /// As edits and `probe` call it.
    static func name(_ number: Int) -> String { "audio/\(number)" }
}
