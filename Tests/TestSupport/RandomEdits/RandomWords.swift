import CompositionModel

/// The tables of what an item of a random edit may say. A new feature is a new line.
enum RandomWords {
    /// Of a clip of picture.
    static let clip: [RandomWord] =
        Fit.allCases.map { RandomWord("fit \($0)", "fit", "\"fit\": \"\($0.rawValue)\"") } + blends("clip")
        + properties("clip", PictureProperty.allCases) + effects

    /// Of a track of picture. Its keys count from the timeline's zero.
    static let track: [RandomWord] =
        blends("track") + properties("track", PictureProperty.allCases) + someEffects("track")

    /// Of a title and of a layer in one.
    static let title = blends("title") + properties("title", PictureProperty.allCases) + someEffects("title")
    static let layer = properties("layer", PictureProperty.allCases) + timings + someEffects("layer")

    // MARK: Appearance

    private static func blends(_ owner: String) -> [RandomWord] {
        BlendMode.allCases.map { RandomWord("\(owner) blend \($0.rawValue)", "blend", "\"blend\": \"\($0.rawValue)\"") }
    }

    /// Each property once as a value and once with keys.
    private static func properties(_ owner: String, _ all: [PictureProperty]) -> [RandomWord] {
        all.flatMap { property in
            let name = property.rawValue
            return [
                RandomWord("\(owner) \(name)", name) { scene, _ in "\"\(name)\": \(value(property, &scene))" },
                RandomWord("\(owner) \(name) animated", name) { scene, frames in
                    "\"\(name)\": \(scene.keys(frames) { value(property, &$0) })"
                },
            ]
        }
    }

    private static func value(_ property: PictureProperty, _ scene: inout RandomScene) -> String {
        let (width, height) = (Double(scene.size.width), Double(scene.size.height))
        func pair(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> String {
            let numbers = [scene.number(x.lowerBound, x.upperBound), scene.number(y.lowerBound, y.upperBound)]
            return "[\(numbers.joined(separator: ", "))]"
        }
        switch property {
        case .position where scene.once(in: 3):
            return "[\"\(scene.number(10, 90))%\", \"\(scene.number(10, 90))%h\"]"
        case .position: return pair(0...width, 0...height)
        case .anchor: return pair(0...width / 2, 0...height / 2)
        case .scale where scene.once(in: 3): return scene.number(0.3, 2)
        case .scale: return pair(-1.5...1.8, 0.2...1.5)
        case .rotate: return scene.number(-200, 400)
        case .rotateX, .rotateY: return scene.number(-75, 75)
        case .skew: return pair(-40...40, -30...30)
        case .crop: return "[\((0..<4).map { _ in scene.number(0, 11) }.joined(separator: ", "))]"
        case .opacity: return scene.number(0.1, 0.95)
        }
    }

    // MARK: Effects

    private static let effects = PictureEffect.Name.allCases.flatMap { effect in
        [
            RandomWord("effect \(effect)", "effects") { scene, _ in written(effect, &scene) { value($0, &$1) } },
            RandomWord("effect \(effect) animated", "effects") { scene, frames in
                written(effect, &scene) { parameter, scene in scene.keys(frames) { value(parameter, &$0) } }
            },
        ]
    }

    /// Of what is no clip: a table, a mask, and any effect.
    private static func someEffects(_ owner: String) -> [RandomWord] {
        let sourced = [PictureEffect.Name.lut, .mask].map { effect in
            RandomWord("\(owner) \(effect)", "effects") { scene, _ in written(effect, &scene) { value($0, &$1) } }
        }
        return sourced + [anyEffect(owner)]
    }

    private static func anyEffect(_ owner: String) -> RandomWord {
        RandomWord("\(owner) effects", "effects") { scene, frames in
            let all = PictureEffect.Name.allCases
            return written(all[scene.random.below(all.count)], &scene) { parameter, scene in
                scene.once(in: 2) ? value(parameter, &scene) : scene.keys(frames) { value(parameter, &$0) }
            }
        }
    }

    private static func written(
        _ effect: PictureEffect.Name,
        _ scene: inout RandomScene,
        _ value: (EffectParameter, inout RandomScene) -> String
    ) -> String {
        var members = ["\"effect\": \"\(effect.rawValue)\""]
        switch effect.assetRole {
        case nil: break
        case .lut: members.append("\"asset\": \(scene.use(.table))")
        case .mask:
            members.append("\"asset\": \(scene.use(RandomSource.masks[scene.random.below(RandomSource.masks.count)]))")
            if scene.once(in: 2) { members.append("\"channel\": \"luma\"") }
        }
        if effect.standardColor != nil { members.append("\"color\": \(scene.color())") }
        for (place, parameter) in effect.parameters.enumerated() where place == 0 || !scene.once(in: 3) {
            members.append("\"\(parameter.key.name)\": \(value(parameter, &scene))")
        }
        return "{ \(members.joined(separator: ", ")) }"
    }

    private static func value(_ parameter: EffectParameter, _ scene: inout RandomScene) -> String {
        // Lengths of some pixels, factors about one: what is seen in a small picture.
        let most =
            if case .length = parameter.form.unit { 9.0 } else { 1.9 }
        let range = parameter.form.range
        let (low, high) = (max(Double(range.lowerBound), -most), min(Double(range.upperBound), most))
        let numbers = (0..<parameter.form.count).map { _ in scene.number(low, high) }
        return numbers.count == 1 ? numbers[0] : "[\(numbers.joined(separator: ", "))]"
    }

    // MARK: Titles

    /// What a text says, by its script.
    static let texts = [
        ("latin", "Cut & Paste"), ("accents", "Élan çà Å\\nfi ffl"), ("arabic", "مرحبا بالعالم"), ("hindi", "नमस्ते दुनिया"),
        ("thai", "สวัสดีชาวโลก"), ("emoji", "Go 🎬🚀"), ("cjk", "映画の編集"), ("long", "One two three four five six seven"),
    ]

    /// Of a text.
    static let text: [RandomWord] = [
        RandomWord("text bold", "font") { scene, _ in font("\"weight\": \"bold\"", &scene) },
        RandomWord("text weight", "font") { scene, _ in font("\"weight\": \(scene.random.below(800) + 100)", &scene) },
        RandomWord("text family", "font") { scene, _ in font("\"family\": [\"None\", \"DejaVu Sans\"]", &scene) },
        RandomWord("text italic", "font") { scene, _ in font("\"style\": \"italic\"", &scene) },
        RandomWord("text color", "color") { scene, _ in "\"color\": \(scene.color())" },
        RandomWord("text clear color", "color", ##""color": "#ffd07090""##),
        RandomWord("text align left", "align", #""align": "left""#),
        RandomWord("text align end", "align", #""align": "end""#),
        RandomWord("text justify", "align", #""align": "justify", "box": { "width": "50%" }"#),
        RandomWord("text language", "language", #""language": "zh-cn""#),
        RandomWord("text line spacing", "lineSpacing") { scene, _ in "\"lineSpacing\": \(scene.number(0.7, 1.6))" },
        RandomWord("text letter spacing", "letterSpacing") { scene, _ in
            "\"letterSpacing\": \(scene.number(-0.9, 4))"
        },
        RandomWord("text outline", "outline") { scene, _ in
            "\"outline\": { \"width\": \(scene.number(0.3, 5)), \"color\": \(scene.color()) }"
        },
        RandomWord("text shadow", "shadow") { scene, _ in
            "\"shadow\": { \"offset\": [\(scene.number(-4, 4)), 2], \"blur\": \(scene.number(0, 4)) }"
        },
    ]

    /// Where a text stands.
    static let boxes: [RandomWord] = [
        RandomWord("box bottom", "box", #""box": { "anchor": "bottom", "margin": "5%" }"#),
        RandomWord("box corner", "box", #""box": { "anchor": "topLeft", "margin": [3, 2.5] }"#),
        RandomWord("box wrapped", "box", #""box": { "width": "40%w" }"#),
        RandomWord("box background", "box", ##""box": { "background": "#204060" }"##),
        RandomWord("box round background", "box") { scene, _ in
            "\"box\": { \"anchor\": \"right\", \"background\": { \"color\": \"#30405080\", "
                + "\"padding\": [\(scene.number(0, 6)), 3], \"radius\": \(scene.number(0.5, 6)) } }"
        },
    ]

    static let moves = ["fade", "rise", "slide", "type", "pop"]

    /// Of subtitles that have no styles of their own.
    static let subtitles: [RandomWord] = [
        RandomWord("cues font", "font") { scene, _ in font("\"weight\": \"bold\"", &scene) },
        RandomWord("cues family", "font", #""font": { "size": "9%", "family": ["None", "DejaVu Sans"] }"#),
        RandomWord("cues color", "color") { scene, _ in "\"color\": \(scene.color())" },
        RandomWord("cues outline", "outline") { scene, _ in
            "\"outline\": { \"width\": \(scene.number(0, 3)), \"color\": \(scene.color()) }"
        },
        RandomWord("cues top", "box", #""box": { "anchor": "topLeft", "margin": [4, "10%"] }"#),
        RandomWord("cues wrapped", "box", #""box": { "width": "35%" }"#),
        RandomWord("cues background", "box", ##""box": { "background": { "color": "#20306080", "padding": 3 } }"##),
    ]

    private static func font(_ member: String, _ scene: inout RandomScene) -> String {
        "\"font\": { \"size\": \"\(scene.number(7, 22))%\", \(member) }"
    }

    /// How a layer's own time runs.
    private static let timings: [RandomWord] = [
        RandomWord("layer begin", "beginTime", #""beginTime": "3f""#),
        RandomWord("layer speed", "speed", #""speed": 1.7"#),
        RandomWord("layer repeat", "duration", #""duration": "4f", "repeat": 2.5"#),
        RandomWord("layer forever", "duration", #""duration": "5f", "repeat": "forever", "autoreverse": true"#),
        RandomWord("layer autoreverse", "duration", #""duration": "4f", "repeat": "9f", "autoreverse": true"#),
    ]

    /// What a layer may be; the members beside `layer`.
    static let layers: [RandomWord] = [
        RandomWord("layer text", "layer") { scene, frames in
            let members = scene.text(frames, words: 1)
            return "\"layer\": \"text\", " + members.joined(separator: ", ")
        },
        RandomWord("layer rectangle", "layer") { scene, _ in
            "\"layer\": \"shape\", \"shape\": \"rectangle\", \"size\": [\(scene.number(20, 120)), \"30%\"], "
                + "\"color\": \(scene.color())"
        },
        RandomWord("layer round rectangle", "layer") { scene, _ in
            "\"layer\": \"shape\", \"shape\": \"rectangle\", \"size\": [\(scene.number(20, 120)), 31.5], "
                + "\"radius\": \(scene.number(0.3, 15)), \"color\": \"#ff8020c0\""
        },
        RandomWord("layer ellipse", "layer") { scene, _ in
            "\"layer\": \"shape\", \"shape\": \"ellipse\", \"size\": [\(scene.number(20, 120)), "
                + "\(scene.number(10, 60))], \"color\": \(scene.color()), \"box\": { \"anchor\": \"left\" }"
        },
        RandomWord("layer image", "layer") { scene, _ in
            let source = scene.draw("image", RandomSource.all.filter { ["logo", "photo"].contains($0.name) }, cards: 1)
            return "\"layer\": \"image\", \"asset\": \(scene.use(source)), \"width\": \(scene.number(20, 60))"
        },
        RandomWord("layer group", "layer") { scene, frames in
            "\"layer\": \"group\", \"layers\": [\(scene.layers(frames, count: 2, from: Array(layers.dropLast())))]"
        },
    ]
}
