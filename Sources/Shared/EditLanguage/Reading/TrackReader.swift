import CompositionModel

/// Reads `tracks`: each track, and what stands in its list.
struct TrackReader {
    let context: ReadingContext

    /// The tracks from the bottom up; those that could not be read are left out.
    func read(_ node: JSONNode?) -> [EditTrack] {
        let items = context.list(node)
        if let node, case .array = node.value, items.isEmpty {
            context.report(.missingKey, node.mark, "an edit has at least one track")
        }
        let tracks = items.compactMap { track($0) }
        var lines: [String: Int] = [:]
        for id in tracks.compactMap(\.id) {
            if let line = lines[id.value] {
                let message = "the track on line \(line) already has the id “\(id.value)”"
                context.report(.duplicateIdentifier, id.mark, message)
            }
            lines[id.value] = id.mark.line
        }
        return tracks
    }

    private func track(_ node: JSONNode) -> EditTrack? {
        guard let kind = trackKind(node) else { return nil }
        guard kind != .title else { return titleTrack(node) }
        guard let fields = context.fields(node, as: kind == .video ? .videoTrack : .audioTrack)
        else { return nil }
        var track = EditTrack(
            kind: kind,
            id: context.text(fields["id"]),
            items: context.list(fields["segments"]).compactMap { item($0, of: kind) },
            sound: kind == .video ? context.flag(fields["sound"]) : nil,
            volume: VolumeReader(context: context).read(fields["volume"]),
            mark: node.mark
        )
        track.sounds = PanAndProcessorsReader(context: context).read(fields)
        track.duck = DuckReader(context: context).read(fields["duck"])
        (track.mute, track.solo) = (context.flag(fields["mute"]), context.flag(fields["solo"]))
        if kind == .video { track.appearance = AppearanceReader(context: context).read(fields) }
        checkTransitions(of: track)
        return track
    }

    private func titleTrack(_ node: JSONNode) -> EditTrack? {
        guard let fields = context.fields(node, as: .titleTrack) else { return nil }
        let id = context.text(fields["id"])
        let titles = context.list(fields["segments"]).compactMap { TitleReader(context: context).read($0) }
        return EditTrack(kind: .title, id: id, items: [], titles: titles, mark: node.mark)
    }

    private func trackKind(_ node: JSONNode) -> EditTrack.Kind? {
        guard case .object = node.value else {
            context.wrongType(node, wanted: "a track")
            return nil
        }
        guard let kind = node["kind"] else {
            context.report(.missingKey, node.mark, "a track says its kind", suggestion: "\"kind\": \"video\"")
            return nil
        }
        return context.word(kind, "kind of track")?.value
    }

    private func item(_ node: JSONNode, of kind: EditTrack.Kind) -> EditItem? {
        if node["transition"] != nil {
            return TransitionReader(context: context).read(node, on: kind).map(EditItem.transition)
        }
        if node["gap"] != nil { return GapReader(context: context).read(node).map(EditItem.gap) }
        // A title asks for no asset: that it has none would be a second finding for one mistake.
        if node["asset"] == nil, let title = ["text", "layers"].compactMap({ node[$0] }).first {
            context.report(.contradiction, title.mark, "a title belongs on a track of kind \"title\"")
            return nil
        }
        return SegmentReader(context: context).read(node, of: kind).map(EditItem.segment)
    }

    /// A transition has a segment on at least one side and no other transition beside it.
    private func checkTransitions(of track: EditTrack) {
        for (index, item) in track.items.enumerated() {
            guard case .transition = item else { continue }
            let before = index > 0 ? track.items[index - 1] : nil
            let after = index + 1 < track.items.count ? track.items[index + 1] : nil
            if case .transition = before {
                let message = "two transitions follow each other; a segment belongs between them"
                context.report(.transitionPlace, item.mark, message)
            } else if !Self.isSegment(before), !Self.isSegment(after) {
                if case .transition = after { continue }
                context.report(.transitionPlace, item.mark, "the transition has no segment beside it")
            }
        }
    }

    private static func isSegment(_ item: EditItem?) -> Bool {
        if case .segment = item { true } else { false }
    }
}
