extension EditReading {
    mutating func item(_ node: JSONNode, of kind: EditTrack.Kind) -> EditItem? {
        if node["transition"] != nil { return transition(node, on: kind).map(EditItem.transition) }
        if node["gap"] != nil { return gap(node).map(EditItem.gap) }
        // A title asks for no asset: that it has none would be a second finding for one mistake.
        if node["asset"] == nil, let title = ["text", "layers"].compactMap({ node[$0] }).first {
            report(.contradiction, title.mark, "a title belongs on a track of kind \"title\"")
            return nil
        }
        return segment(node, of: kind).map(EditItem.segment)
    }

    mutating func gap(_ node: JSONNode) -> EditGap? {
        guard let fields = fields(node, as: .gap), let duration = time(fields["gap"], .gap) else { return nil }
        return EditGap(duration: duration, mark: node.mark)
    }

    private mutating func segment(_ node: JSONNode, of kind: EditTrack.Kind) -> EditSegment? {
        guard let fields = fields(node, as: kind == .video ? .videoSegment : .audioSegment) else { return nil }
        checkSpan(fields)
        if kind == .video { checkFreeze(fields) }
        var segment = EditSegment(
            asset: text(fields["asset"]) ?? Marked("", node.mark),
            start: time(fields["in"], .inPoint),
            duration: time(fields["duration"], .length),
            range: range(fields["range"], start: .inPoint),
            speed: speed(fields["speed"]),
            at: time(fields["at"], .place),
            track: sourceTrack(fields["track"], of: kind),
            language: language(fields["language"]),
            volume: volume(fields["volume"]),
            snap: word(fields["snap"], "rule to snap"),
            mark: node.mark
        )
        segment.channels = channelMap(fields["channels"])
        segment.loop = loop(fields["loop"], of: kind)
        if kind == .audio { segment.until = word(fields["until"], "end") }
        segment.sounds = sound(fields)
        segment.pitch = word(fields["pitch"], "rule for the pitch")
        if kind == .video {
            (segment.sound, segment.holdsSound) = ownSound(fields)
            segment.fit = word(fields["fit"], "fit")
            segment.freeze = time(fields["freeze"], .inPoint)
            segment.appearance = appearance(fields)
            segment.blending = word(fields["blending"], "way of blending frames")
        }
        if !segment.asset.value.isEmpty { usedAssets.append(segment.asset) }
        return segment
    }

    /// `in` and `range` say the same thing twice.
    private mutating func checkSpan(_ fields: EditFields) {
        if let range = fields["range"], let speed = fields["speed"], case .array = speed.value {
            let message = "a speed that changes goes with \"in\" and \"duration\", not with \"range\""
            report(.contradiction, range.mark, message)
        }
        if let range = fields["range"], fields["in"] != nil {
            report(.contradiction, range.mark, "\"range\" already says where the segment begins; write it or \"in\"")
        }
    }

    /// A held frame has a length and nothing else.
    private mutating func checkFreeze(_ fields: EditFields) {
        guard let freeze = fields["freeze"] else { return }
        for key in ["in", "range", "speed", "loop"] where fields[key] != nil {
            report(.contradiction, freeze.mark, "\"freeze\" holds one frame; leave out \"\(key)\"")
        }
        if fields["duration"] == nil {
            let message = "\"freeze\" holds one frame: write for how long"
            report(.missingKey, freeze.mark, message, suggestion: "\"duration\": \"2s\"")
        }
    }

    /// `true`, `false`, or `"hold"` of a held frame.
    private mutating func ownSound(_ fields: EditFields) -> (isHeard: Marked<Bool>?, holds: Bool) {
        guard let node = fields["sound"], case .string(let word) = node.value else {
            return (flag(fields["sound"]), false)
        }
        guard word == "hold" else {
            unknownValue(Marked(word, node.mark), "word for sound", known: ["hold"])
            return (nil, false)
        }
        if fields["freeze"] == nil, !keepsPitch(atChangingSpeed: fields) {
            let message = "\"hold\" is for the sound of a frame that \"freeze\" holds"
            report(.contradiction, node.mark, message + ", or for speed keys with \"pitch\": \"keep\"")
        }
        return (Marked(true, node.mark), true)
    }

    private func keepsPitch(atChangingSpeed fields: EditFields) -> Bool {
        guard case .array = fields["speed"]?.value, case .string("keep") = fields["pitch"]?.value else { return false }
        return true
    }

    private mutating func loop(_ node: JSONNode?, of kind: EditTrack.Kind) -> Marked<LoopRule>? {
        guard let node else { return nil }
        if case .string(let word) = node.value, word == EndRule.picture.rawValue {
            if kind == .audio { return Marked(.picture, node.mark) }
            report(.contradiction, node.mark, "only sound loops until the picture ends; write how often this is shown")
            return nil
        }
        guard case .number = node.value else {
            wrongType(node, wanted: kind == .audio ? "a number of runs, or \"picture\"" : "a number of runs")
            return nil
        }
        let runs = integer(node, in: LoopRule.counts, of: "the number of runs")
        return runs.map { Marked(.runs($0.value), $0.mark) }
    }

    private mutating func language(_ node: JSONNode?) -> Marked<String>? {
        text(node).map { Marked($0.value.lowercased(), $0.mark) }
    }

    private mutating func sourceTrack(_ node: JSONNode?, of kind: EditTrack.Kind) -> Marked<SourceTrack>? {
        guard let text = text(node) else { return nil }
        let parts = text.value.split(separator: "/", omittingEmptySubsequences: false)
        let digits = parts.last?.utf8.allSatisfy { (48...57).contains($0) } ?? false
        guard parts.count == 2, digits, let source = EditTrack.Kind(rawValue: String(parts[0])), source != .title,
            let number = Int(parts[1])
        else {
            let message = "“\(text.value.prefix(40))” is no track of an asset; write \"video/0\" or \"audio/1\""
            report(.unknownValue, text.mark, message)
            return nil
        }
        guard kind == .video || source == .audio else {
            report(
                .contradiction,
                text.mark,
                "a track of sound cannot play \"\(text.value)\"",
                suggestion: "\"audio/0\""
            )
            return nil
        }
        return Marked(SourceTrack(kind: source, number: number), text.mark)
    }
}
