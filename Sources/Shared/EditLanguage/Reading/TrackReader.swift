extension EditReading {
    mutating func tracks(_ node: JSONNode?) -> [EditTrack] {
        let items = list(node)
        if let node, case .array = node.value, items.isEmpty {
            report(.missingKey, node.mark, "an edit has at least one track")
        }
        let tracks = items.compactMap { track($0) }
        var lines: [String: Int] = [:]
        for id in tracks.compactMap(\.id) {
            if let line = lines[id.value] {
                report(.duplicateIdentifier, id.mark, "the track on line \(line) already has the id “\(id.value)”")
            }
            lines[id.value] = id.mark.line
        }
        return tracks
    }

    private mutating func track(_ node: JSONNode) -> EditTrack? {
        guard let kind = trackKind(node) else { return nil }
        guard kind != .title else { return titleTrack(node) }
        guard let fields = fields(node, as: kind == .video ? .videoTrack : .audioTrack)
        else { return nil }
        var track = EditTrack(
            kind: kind,
            id: text(fields["id"]),
            items: list(fields["segments"]).compactMap { item($0, of: kind) },
            sound: kind == .video ? flag(fields["sound"]) : nil,
            volume: volume(fields["volume"]),
            mark: node.mark
        )
        track.sounds = sound(fields)
        track.duck = duck(fields["duck"])
        (track.mute, track.solo) = (flag(fields["mute"]), flag(fields["solo"]))
        if kind == .video { track.appearance = appearance(fields) }
        checkTransitions(of: track)
        return track
    }

    private mutating func titleTrack(_ node: JSONNode) -> EditTrack? {
        guard let fields = fields(node, as: .titleTrack) else { return nil }
        let id = text(fields["id"])
        let titles = list(fields["segments"]).compactMap { titleItem($0) }
        return EditTrack(kind: .title, id: id, items: [], titles: titles, mark: node.mark)
    }

    private mutating func trackKind(_ node: JSONNode) -> EditTrack.Kind? {
        guard case .object = node.value else {
            wrongType(node, wanted: "a track")
            return nil
        }
        guard let kind = node["kind"] else {
            report(.missingKey, node.mark, "a track says its kind", suggestion: "\"kind\": \"video\"")
            return nil
        }
        return word(kind, "kind of track")?.value
    }

    /// A transition has a segment on at least one side and no other transition beside it.
    private mutating func checkTransitions(of track: EditTrack) {
        for (index, item) in track.items.enumerated() {
            guard case .transition = item else { continue }
            let before = index > 0 ? track.items[index - 1] : nil
            let after = index + 1 < track.items.count ? track.items[index + 1] : nil
            if case .transition = before {
                report(.transitionPlace, item.mark, "two transitions follow each other; a segment belongs between them")
            } else if !EditReading.isSegment(before), !EditReading.isSegment(after) {
                if case .transition = after { continue }
                report(.transitionPlace, item.mark, "the transition has no segment beside it")
            }
        }
    }

    private static func isSegment(_ item: EditItem?) -> Bool {
        if case .segment = item { true } else { false }
    }
}
