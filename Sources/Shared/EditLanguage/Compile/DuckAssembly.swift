import CompositionModel

/// Puts the tracks of sound together: which are left out by `solo`, and which are ducked under which.
struct DuckAssembly {
    let log: FindingLog
    private let written: [EditTrack]
    private let hasSolo: Bool
    private var sounds: [(track: PlacedTrack, sounds: [AudioTrack])] = []

    init(_ tracks: [EditTrack], log: FindingLog) {
        (written, self.log) = (tracks, log)
        hasSolo = tracks.contains { $0.solo?.value == true }
    }

    /// - Parameter tracks: what is heard of `track`.
    mutating func append(_ tracks: [AudioTrack], of track: PlacedTrack) {
        let isHeard = !hasSolo || track.track.solo?.value == true
        sounds.append((track, isHeard ? tracks : []))
    }

    func tracks() -> [AudioTrack] {
        var places: [String: [Int]] = [:]
        var count = 0
        for (track, own) in sounds {
            places[track.id] = Array(count..<count + own.count)
            count += own.count
        }
        var tracks: [AudioTrack] = []
        for (track, own) in sounds {
            let under = track.track.duck.map { others($0, of: track, places) } ?? []
            for var sound in own {
                if under.isEmpty { sound.duck = nil } else { sound.duck?.under = under }
                tracks.append(sound)
            }
        }
        return tracks
    }

    /// Empty after a finding, and when the other track is not heard.
    private func others(_ duck: EditDuck, of track: PlacedTrack, _ places: [String: [Int]]) -> [Int] {
        let name = duck.under.value
        guard name != track.id else {
            log.error(duck.under.mark, .unknownTrack, "a track cannot be ducked under itself")
            return []
        }
        if let places = places[name] { return places }
        let ids = written.filter { $0.kind != .title }.compactMap(\.id?.value).filter { $0 != track.id }
        let known = ids.isEmpty ? "no other track has an id" : "only " + DeclaredNames.list(ids)
        log.error(
            duck.under.mark,
            .unknownTrack,
            "there is no track with the id \(JSONText.quoted(name)), \(known)",
            suggestion: Spelling.nearest(to: name, in: ids).map(JSONText.quoted)
        )
        return []
    }
}
