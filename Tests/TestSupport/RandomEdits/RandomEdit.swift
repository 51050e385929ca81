package import CompositionModel

/// A small edit of many features at once, made from its seed alone, over the media of ``RandomMedia``.
///
/// ```
/// titles   gap |== title ==| |== layers ==|
/// upper    gap  /\== clip ==\X/== clip ==\/
/// lower   |== clip ==\X/== clip ==\X/== clip ==| gap |== clip ==|
/// sound   |== music ==\X/== voice ==|
/// ```
package struct RandomEdit: Sendable {
    package let seed: Int
    /// JSON; its paths are relative to the media's folder.
    package let text: String
    package let frameCount: Int
    /// Of the output, where that is not the edit's.
    package let outputSize: PictureSize?
    /// Where each feature is at work.
    package let spans: [FeatureSpan]

    package init(seed: Int) {
        self.seed = seed
        var scene = RandomScene(seed: seed)
        let (lower, lowerEnd) = scene.lowerTrack()
        let (upper, upperEnd) = scene.upperTrack()
        let (titles, titlesEnd) = scene.titleTrack()
        let end = max(lowerEnd, upperEnd, titlesEnd)
        let sounds = scene.soundTrack(end)
        let assets = scene.sources.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \($0.value)" }
        let color = scene.color()
        text = """
            { "schema": "edit/1",
              "format": { "size": [\(scene.size.width), \(scene.size.height)], "frameRate": "\(scene.rateText)",
                          "sampleRate": 48000, "channels": \(seed % 5 == 0 ? 1 : 2), "background": \(color) },
              "assets": {
            \(assets.joined(separator: ",\n"))
              },
              "tracks": [
            \([lower, upper, titles, sounds].joined(separator: ",\n"))
              ],
              "outputs": [{ "preset": "lossless", "file": "out.mkv" }] }

            """
        frameCount = end
        outputSize = scene.outputSize
        scene.mark("rate " + scene.rateText, 0..<end)
        if scene.size.width > 192 { scene.mark("more than 192 pixels wide", 0..<end) }
        if RandomEdit.isH264(seed) { scene.mark("H.264", 0..<end) }
        if outputSize != nil { scene.mark("output of another size", 0..<end) }
        spans = scene.spans
    }

    /// Whether the edit is to be made in H.264 too.
    package var isH264: Bool { RandomEdit.isH264(seed) }

    private static func isH264(_ seed: Int) -> Bool { seed % 4 == 3 }

    /// Features of `edits` that none of them has.
    package static func missing(from edits: [RandomEdit]) -> [String] {
        let found = Set(edits.flatMap(\.spans).map(\.feature))
        return features.filter { !found.contains($0) }
    }

    /// Those of ``features`` that a few edits must have too.
    package static let common =
        RandomScene.rateNames.map { "rate " + $0 } + [
            "more than 192 pixels wide", "H.264", "sound of a clip", "sound of a clip of six channels", "gap",
            "gap of sound", "loop", "loop of sound",
        ]

    /// Everything that an edit may have, in the order of a report.
    package static let features: [String] = {
        let tables = [
            RandomWords.clip, RandomWords.track, RandomWords.title, RandomWords.text, RandomWords.boxes,
            RandomWords.layers, RandomWords.layer, RandomWords.subtitles,
        ]
        var features = RandomSource.all.map { "source " + $0.name } + RandomScene.retimes.map { "retime " + $0 }
        features += TransitionKind.allCases.map { "transition " + $0.rawValue }
        let keys = Set(TransitionKind.allCases.flatMap(\.rule.keys)).subtracting(["shape"])
        features += keys.sorted().map { "transition with " + $0 }
        features += RandomScene.shapes.map { "iris " + $0 } + RandomScene.eases.map { "ease " + $0 }
        features += tables.flatMap { $0.map(\.feature) } + RandomWords.texts.map { "script " + $0.0 }
        features += RandomWords.moves.flatMap { ["enter " + $0, "exit " + $0] }
        features += RandomSource.cues.map { "subtitles " + $0.name } + ["subtitles in"]
        features += ["nested retimed", "nested backwards"]
        features += ["blending", "blending retimed", "blending backwards", "output of another size"] + common
        return features
    }()
}

extension RandomScene {
    /// Clips one after the other, the last behind a gap. - Returns: the track, and its length in frames.
    fileprivate mutating func lowerTrack() -> (String, end: Int) {
        var (items, at): ([String], Int) = ([], 0)
        for number in 0..<4 {
            let count = 14 + random.below(5)
            if number == 3, once(in: 2) {
                let gap = 3 + random.below(4)
                items.append("{ \"gap\": \"\(gap)f\" }")
                mark("gap", at - 1..<at + gap + 1)
                at += gap
            } else if number > 0 {
                let length = 4 + random.below(3)
                at -= length
                items.append(transition(at, length))
            }
            items.append(clip(at, count, words: 2))
            at += count
        }
        // The clips were made with sound; here it is silenced, or not.
        let isSilent = once(in: 4)
        if isSilent { forgetClipSound() }
        let sound = isSilent ? "\"sound\": false, " : "\"volume\": \(volume(at)), "
        return (track("video", sound, items), at)
    }

    /// Two clips above it that come and go with transitions, with an appearance of the whole track now and then.
    fileprivate mutating func upperTrack() -> (String, end: Int) {
        var at = 2 + random.below(6)
        var items = ["{ \"gap\": \"\(at)f\" }"]
        for number in 0..<2 {
            let (before, count) = (4 + random.below(3), 15 + random.below(4))
            if number == 1 { at -= before }
            items.append(transition(at, before))
            items.append(clip(at, count, words: 4))
            at += count
        }
        let last = 4 + random.below(2)
        items.append(transition(at - last, last))
        let words = members("track", RandomWords.track, 2, 0..<at, cards: 2)
        return (track("video", words.map { $0 + ", " }.joined(), items), at)
    }

    fileprivate mutating func titleTrack() -> (String, end: Int) {
        var at = random.below(4)
        var items = at == 0 ? [] : ["{ \"gap\": \"\(at)f\" }"]
        for _ in 0..<2 {
            let count = 16 + random.below(4)
            items.append(title(at, count))
            at += count
        }
        return (track("title", "", items), at)
    }

    fileprivate mutating func soundTrack(_ end: Int) -> String {
        let (first, second, shared) = (end / 2, end / 3, 3 + random.below(4))
        var items = [
            "{ \"asset\": \(use(RandomSource.sounds[0])), \"in\": \"\(random.below(900))ms\", \"duration\": \"\(first)f\" }",
            "{ \"transition\": \"dissolve\", \"duration\": \"\(shared)f\" }",
            "{ \"asset\": \(use(RandomSource.sounds[1])), \"duration\": \"\(second)f\", \"volume\": \(volume(second)) }",
        ]
        var at = first + second - shared
        let gap = 2 + random.below(3)
        if at + gap + 12 <= end {
            let (part, times) = (2 + random.below(3), 2 + random.below(2))
            mark("gap of sound", at - 1..<at + gap + 1)
            at += gap
            mark("loop of sound", at..<at + part * times)
            let sound = use(RandomSource.sounds[random.below(2)])
            let range = "\"range\": [\"\(random.below(900))ms\", \"\(part)f\"]"
            items.append("{ \"gap\": \"\(gap)f\" }")
            items.append("{ \"asset\": \(sound), \(range), \"loop\": \(times) }")
        }
        return track("audio", "\"volume\": \"-6dB\", ", items)
    }

    private func track(_ kind: String, _ members: String, _ items: [String]) -> String {
        "    { \"kind\": \"\(kind)\", \(members)\"segments\": [\n      \(items.joined(separator: ",\n      ")) ] }"
    }
}
