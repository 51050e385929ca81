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

    private func track(_ written: JSONNode) -> EditTrack? {
        guard let (node, kind) = classified(written) else { return nil }
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

    /// A track that has a key `kind`, and its kind. Where the kind is missing or misspelt, the finding is made, and the
    /// most likely one stands for it, so that the rest of the track is looked at too.
    /// - Returns: nil when `written` is no object.
    private func classified(_ written: JSONNode) -> (node: JSONNode, kind: EditTrack.Kind)? {
        guard case .object(var members) = written.value else {
            context.wrongType(written, wanted: "a track")
            return nil
        }
        var node = written
        if node["kind"] == nil { node = respelt(node, ["kind"]) { "a track has no key \"\($0)\"" } }
        guard let kind = node["kind"] else {
            let probable = probableKind(node)
            let suggestion = "\"kind\": \"\(probable.rawValue)\""
            context.report(.missingKey, node.mark, "a track says its kind", suggestion: suggestion)
            let added = JSONNode(value: .string(probable.rawValue), mark: node.mark)
            members.append(JSONMember(key: "kind", keyMark: node.mark, node: added))
            return (JSONNode(value: .object(members), mark: node.mark), probable)
        }
        let read: Marked<EditTrack.Kind>? = context.word(kind, "kind of track")
        return (node, read?.value ?? probableKind(node))
    }

    /// The kind that a track most likely has: the one nearest to what it says, else one that fits its segments.
    private func probableKind(_ node: JSONNode) -> EditTrack.Kind {
        if case .string(let text)? = node["kind"]?.value,
            let nearest = Spelling.nearest(to: text, in: EditTrack.Kind.allCases.map(\.rawValue)),
            let meant = EditTrack.Kind(rawValue: nearest)
        {
            return meant
        }
        guard case .array(let items) = node["segments"]?.value else { return .video }
        return items.contains { $0["text"] != nil || $0["layers"] != nil } ? .title : .video
    }

    /// `node` with one of `keys`, where that is misspelt; the finding is made.
    /// - Parameter message: what is said of the key that is written.
    private func respelt(_ node: JSONNode, _ keys: [String], _ message: (String) -> String) -> JSONNode {
        guard case .object(var members) = node.value else { return node }
        for index in members.indices {
            let member = members[index]
            guard !keys.contains(member.key), member.key.count > 2,
                let meant = Spelling.nearest(to: member.key, in: keys)
            else { continue }
            let suggestion = JSONText.quoted(meant)
            context.report(.unknownKey, member.keyMark, message(member.key), suggestion: suggestion)
            members[index].key = meant
            return JSONNode(value: .object(members), mark: node.mark)
        }
        return node
    }

    /// `node`, a segment that names an asset, without the keys of a transition and a gap; the finding is made.
    private func separated(_ node: JSONNode) -> JSONNode {
        guard case .object(let members) = node.value else { return node }
        // Nearly no segment has one of them, and there may be hundreds of thousands.
        guard members.contains(where: { $0.key == "transition" || $0.key == "gap" }) else { return node }
        let examples = ["transition": #"{ "transition": "dissolve", "duration": "1s" }"#, "gap": #"{ "gap": "2s" }"#]
        for member in members {
            guard let example = examples[member.key] else { continue }
            let message =
                "a \(member.key) is no part of a segment, but an entry of its own in the list, before or after it"
            context.report(.contradiction, member.keyMark, message, suggestion: example)
        }
        return JSONNode(value: .object(members.filter { examples[$0.key] == nil }), mark: node.mark)
    }

    private func item(_ written: JSONNode, of kind: EditTrack.Kind) -> EditItem? {
        let keys = ["transition", "gap"]
        var node = written
        if node["asset"] != nil {
            node = separated(node)
        } else if keys.allSatisfy({ node[$0] == nil }) {
            node = respelt(node, keys) { "a list of segments has no entry with the key \"\($0)\"" }
        }
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
