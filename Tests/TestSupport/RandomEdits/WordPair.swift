import CompositionModel

/// One word of the random edits' tables, in an edit of one clip over another or of a title over one: 12 frames that it
/// must change.
package struct WordPair: Sendable {
    /// What has the word.
    private enum Owner: String {
        case clip, track, text, layered, group, wording, subtitles
    }

    private let owner: Owner
    private let word: RandomWord

    package var name: String { "\(word.feature) of \(owner.rawValue)" }

    /// Words that say what is so without them.
    private static let silent: Set = ["fit contain", "clip blend normal", "track blend normal", "title blend normal"]
    private static let moves = RandomWords.moves.flatMap { move in
        ["enter", "exit"].map { side in
            RandomWord("\(side) \(move)", side, "\"\(side)\": { \"move\": \"\(move)\", \"duration\": \"6f\" }")
        }
    }
    private static let tables: [(Owner, [RandomWord])] = [
        (.clip, RandomWords.clip), (.track, RandomWords.track), (.text, RandomWords.title),
        (.layered, RandomWords.title), (.group, RandomWords.layer),
        (.wording, RandomWords.text + RandomWords.boxes + moves), (.subtitles, RandomWords.subtitles),
    ]

    package static let all: [WordPair] = tables.flatMap { owner, words in
        words.filter { !silent.contains($0.feature) }.map { WordPair(owner: owner, word: $0) }
    }

    /// The edit without the word and with it. Its parameters are chosen by `seed`.
    package func texts(seed: Int) -> (without: String, with: String) {
        // All have ten frames in a second of 160 × 90 pixels.
        var scene = RandomScene(seed: RandomScene.period * seed)
        let text = word.text(&scene, 0..<12)
        let written = word.key == "effects" ? "\"effects\": [\(text)]" : text
        // An anchor says only about which point a layer is turned.
        let turn = word.key == "anchor" ? ["\"rotate\": 20"] : []
        return (edit(turn, &scene), edit(turn + [written], &scene, without: word.key))
    }

    /// - Parameter key: what `members` say and the rest shall not.
    private func edit(_ members: [String], _ scene: inout RandomScene, without key: String? = nil) -> String {
        var members = members
        if owner == .wording || owner == .subtitles {
            // Lines of a length each, in a font that is not the first one.
            let own = [
                "text": #""text": "Cut & Paste again\n直 too""#, "font": #""font": { "size": "12%" }"#,
                "color": ##""color": "#c06030""##, "subtitles": #""subtitles": "srt""#,
            ]
            let keys = owner == .wording ? ["text", "font", "color"] : ["subtitles", "font", "color"]
            members += keys.filter { $0 != key }.compactMap { own[$0] }
        }
        let words = members.map { $0 + ", " }.joined()
        let sources = RandomSource.all.filter { ["plain", "ntsc"].contains($0.name) } + RandomSource.cues.prefix(1)
        for source in sources { _ = scene.use(source) }
        let assets = scene.sources.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return """
            { "schema": "edit/1",
              "format": { "size": [\(scene.size.width), \(scene.size.height)], "frameRate": "\(scene.rateText)",
                          "sampleRate": 48000, "channels": 2, "background": "#203040" },
              "assets": { \(assets.joined(separator: ", ")) },
              "tracks": [
                { "kind": "video", "segments": [{ "asset": "plain", "duration": "12f" }] },
                \(upper(words)) ],
              "outputs": [{ "preset": "lossless" }] }
            """
    }

    /// A track that leaves some of what lies below it to be seen.
    private func upper(_ words: String) -> String {
        let clip = #""asset": "ntsc", "duration": "12f""#
        let text = ##""text": "Cut & Paste", "color": "#c06030", "font": { "size": "20%" }"##
        let box = ##"{ "layer": "shape", "shape": "rectangle", "size": [150, 84], "color": "#3060c0" }"##
        let path = #"[{ "at": "0s", "value": [40, 45] }, { "at": "12f", "value": [120, 45] }]"#
        return switch owner {
        case .clip: "{ \"kind\": \"video\", \"segments\": [{ \(words)\(clip) }] }"
        case .track: "{ \"kind\": \"video\", \(words)\"segments\": [{ \(clip) }] }"
        case .text: "{ \"kind\": \"title\", \"segments\": [{ \(words)\(text), \"duration\": \"12f\" }] }"
        case .wording, .subtitles: "{ \"kind\": \"title\", \"segments\": [{ \(words)\"duration\": \"12f\" }] }"
        case .layered:
            """
            { "kind": "title", "segments": [{ \(words)"duration": "12f", "layers": [
              \(box), { "layer": "text", \(text) }] }] }
            """
        case .group:
            """
            { "kind": "title", "segments": [{ "duration": "12f", "layers": [{ "layer": "group", \(words)"layers": [
              \(box), { "layer": "text", \(text), "position": \(path) }] }] }] }
            """
        }
    }
}
