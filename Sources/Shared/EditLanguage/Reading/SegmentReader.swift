import CompositionModel

/// Reads a segment of a track of picture or sound: which asset, from where (`in`), how long, how fast and where.
struct SegmentReader {
    let context: ReadingContext

    /// - Parameter kind: what the track holds, which decides what a segment may say.
    func read(_ node: JSONNode, of kind: EditTrack.Kind) -> EditSegment? {
        guard let fields = context.fields(node, as: kind == .video ? .videoSegment : .audioSegment) else { return nil }
        checkSpan(fields)
        if kind == .video { checkFreeze(fields) }
        var segment = EditSegment.Keys(
            asset: context.text(fields["asset"]) ?? Marked("", node.mark),
            start: context.time(fields["in"], .inPoint),
            duration: context.time(fields["duration"], .length),
            range: context.range(fields["range"], start: .inPoint),
            speed: SpeedReader(context: context).read(fields["speed"]),
            at: context.time(fields["at"], .place),
            track: sourceTrack(fields["track"], of: kind),
            language: language(fields["language"]),
            volume: VolumeReader(context: context).read(fields["volume"]),
            snap: context.word(fields["snap"], "rule to snap"),
            mark: node.mark
        )
        segment.channels = ChannelMapReader(context: context).read(fields["channels"])
        segment.loop = loop(fields["loop"], of: kind)
        if kind == .audio { segment.until = context.word(fields["until"], "end") }
        segment.sounds = PanAndProcessorsReader(context: context).read(fields)
        segment.pitch = context.word(fields["pitch"], "rule for the pitch")
        if kind == .video {
            (segment.sound, segment.holdsSound) = ownSound(fields)
            segment.fit = context.word(fields["fit"], "fit")
            segment.freeze = context.time(fields["freeze"], .inPoint)
            segment.appearance = AppearanceReader(context: context).read(fields)
            segment.blending = context.word(fields["blending"], "way of blending frames")
        }
        if !segment.asset.value.isEmpty { context.usedAssets.append(segment.asset) }
        return EditSegment(segment)
    }

    /// `in` and `range` say the same thing twice.
    private func checkSpan(_ fields: EditFields) {
        if let range = fields["range"], let speed = fields["speed"], case .array = speed.value {
            let message = "a speed that changes goes with \"in\" and \"duration\", not with \"range\""
            context.report(.contradiction, range.mark, message)
        }
        if let range = fields["range"], fields["in"] != nil {
            let message = "\"range\" already says where the segment begins; write it or \"in\""
            context.report(.contradiction, range.mark, message)
        }
    }

    /// A held frame has a length and nothing else.
    private func checkFreeze(_ fields: EditFields) {
        guard let freeze = fields["freeze"] else { return }
        for key in ["in", "range", "speed", "loop"] where fields[key] != nil {
            context.report(.contradiction, freeze.mark, "\"freeze\" holds one frame; leave out \"\(key)\"")
        }
        if fields["duration"] == nil {
            let message = "\"freeze\" holds one frame: write for how long"
            context.report(.missingKey, freeze.mark, message, suggestion: "\"duration\": \"2s\"")
        }
    }

    /// `true`, `false`, or `"hold"` of a held frame.
    private func ownSound(_ fields: EditFields) -> (isHeard: Marked<Bool>?, holds: Bool) {
        guard let node = fields["sound"], case .string(let word) = node.value else {
            return (context.flag(fields["sound"]), false)
        }
        guard word == "hold" else {
            context.unknownValue(Marked(word, node.mark), "word for sound", known: ["hold"])
            return (nil, false)
        }
        if fields["freeze"] == nil, !keepsPitch(atChangingSpeed: fields) {
            let message = "\"hold\" is for the sound of a frame that \"freeze\" holds"
            context.report(.contradiction, node.mark, message + ", or for speed keys with \"pitch\": \"keep\"")
        }
        return (Marked(true, node.mark), true)
    }

    private func keepsPitch(atChangingSpeed fields: EditFields) -> Bool {
        guard case .array = fields["speed"]?.value, case .string("keep") = fields["pitch"]?.value else { return false }
        return true
    }

    private func loop(_ node: JSONNode?, of kind: EditTrack.Kind) -> Marked<LoopRule>? {
        guard let node else { return nil }
        if case .string(let word) = node.value, word == EndRule.picture.rawValue {
            if kind == .audio { return Marked(.picture, node.mark) }
            context.report(
                .contradiction,
                node.mark,
                "only sound loops until the picture ends; write how often this is shown"
            )
            return nil
        }
        guard case .number = node.value else {
            context.wrongType(node, wanted: kind == .audio ? "a number of runs, or \"picture\"" : "a number of runs")
            return nil
        }
        let runs = context.integer(node, in: LoopRule.counts, of: "the number of runs")
        return runs.map { Marked(.runs($0.value), $0.mark) }
    }

    private func language(_ node: JSONNode?) -> Marked<String>? {
        context.text(node).map { Marked($0.value.lowercased(), $0.mark) }
    }

    private func sourceTrack(_ node: JSONNode?, of kind: EditTrack.Kind) -> Marked<SourceTrack>? {
        guard let text = context.text(node) else { return nil }
        let parts = text.value.split(separator: "/", omittingEmptySubsequences: false)
        let digits = parts.last?.utf8.allSatisfy { (48...57).contains($0) } ?? false
        guard parts.count == 2, digits, let source = EditTrack.Kind(rawValue: String(parts[0])), source != .title,
            let number = Int(parts[1])
        else {
            let message = "“\(text.value.prefix(40))” is no track of an asset; write \"video/0\" or \"audio/1\""
            context.report(.unknownValue, text.mark, message)
            return nil
        }
        guard kind == .video || source == .audio else {
            context.report(
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
