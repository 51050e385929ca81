import CompositionModel

// The keys of titles.
extension EditObject {
    static let titleTrackKeys = [
        EditKey("kind", .words([EditTrack.Kind.title.rawValue]), required: #""title""#, "What the track holds."),
        EditKey("id", .text, "Unique among the tracks."),
        EditKey(
            "segments",
            .list(.anyOf([.object(.title), .object(.gap)])),
            required: #"[{ "text": "Hello", "duration": "3s" }]"#,
            "They follow each other."
        ),
    ]

    static let titleKeys =
        [
            EditKey("duration", .time, required: #""3s""#, "On the timeline."),
            EditKey("at", .time, "Place on the timeline; behind what came before when missing."),
            EditKey("enter", move, "How it comes."),
            EditKey("exit", move, "How it goes."),
            EditKey("snap", .words(SnapRule.allCases.map(\.rawValue)), "For this segment's times."),
            EditKey("subtitles", .text, "A name in assets: a SubRip, WebVTT or ASS file, in place of a text."),
            EditKey("in", .time, "Time of the subtitle file at the start; its beginning when missing."),
            EditKey("layers", layers, "Texts, shapes, images and groups from the bottom up, in place of a text."),
        ] + textKeys + appearanceKeys

    static let textLayerKeys = [layerKey("text")] + textKeys + appearanceKeys + timingKeys

    static let shapeLayerKeys =
        [
            layerKey("shape"),
            EditKey(
                "shape",
                .words(TitleShape.Kind.allCases.map(\.rawValue)),
                required: #""rectangle""#,
                "What it is."
            ),
            EditKey("size", .tuple([length, length]), required: "[200, 100]", "Width and height."),
            EditKey("radius", length, "Of a rectangle's corners."),
            EditKey("color", color, "White when missing."),
            EditKey("box", .object(.titleBox), "Where it stands."),
        ] + appearanceKeys + timingKeys

    static let imageLayerKeys =
        [
            layerKey("image"),
            EditKey("asset", .text, required: #""logo""#, "A name in assets; its first picture is shown."),
            EditKey("width", length, "The picture's own when missing, or as height wants it."),
            EditKey("height", length, "The picture's own when missing, or as width wants it."),
            EditKey("box", .object(.titleBox), "Where it stands."),
        ] + appearanceKeys + timingKeys

    static let groupLayerKeys =
        [
            layerKey("group"),
            EditKey("layers", layers, required: #"[{ "layer": "text", "text": "Hello" }]"#, "From the bottom up."),
        ] + appearanceKeys
        + timingKeys

    /// The objects of layers by what they say they are.
    static let layerObjects: [(name: String, object: EditObject)] = [
        ("text", .textLayer), ("shape", .shapeLayer), ("image", .imageLayer), ("group", .groupLayer),
    ]

    private static let layers = EditShape.list(.anyOf(layerObjects.map { .object($0.object) }))

    private static func layerKey(_ name: String) -> EditKey {
        EditKey("layer", .words([name]), required: "\"\(name)\"", "What the layer is.")
    }

    static let textKeys = [
        EditKey("text", .text, "What it says; lines end at \\n."),
        EditKey("font", .object(.font), "Which face, and how large."),
        EditKey("color", color, "Of the letters."),
        EditKey("align", .words(TitleText.Alignment.allCases.map(\.rawValue)), "How lines lie in the box."),
        EditKey("language", .text, "BCP 47, such as \"ja\": chooses between forms of one character."),
        EditKey("lineSpacing", .decimal, "Factor of the distance of lines that the font wants."),
        EditKey("letterSpacing", length, "Added between letters."),
        EditKey("box", .object(.titleBox), "Where the text stands, and how wide it is."),
        EditKey("outline", .object(.titleOutline), "A line around the letters."),
        EditKey("shadow", .object(.titleShadow), "What the letters cast."),
    ]

    private static let appearanceKeys =
        PictureProperty.allCases.map(pictureKey) + [
            EditKey("blend", .words(BlendMode.allCases.map(\.rawValue)), "How its colours meet those below."),
            effectsKey,
        ]

    private static let timingKeys = [
        EditKey("beginTime", .time, "Where its own time begins; 0 when missing."),
        EditKey("duration", .time, "Its own time of one run; it runs on when missing."),
        EditKey("speed", .anyOf([.decimal, .text]), "Its own seconds for a second, 1/20 to 20."),
        EditKey(
            "repeat",
            .anyOf([.decimal, .time, .words(["forever"])]),
            "How often or how long it runs; once when missing."
        ),
        EditKey("autoreverse", .flag, "Whether every run is followed by one backwards."),
    ]

    static let fontKeys = [
        EditKey("family", .anyOf([.text, .list(.text)]), "A family's name, or several: the first that is there."),
        EditKey("asset", .anyOf([.text, .list(.text)]), "Font files in assets, in place of the machine's fonts."),
        EditKey("weight", .anyOf([.integer(100...900), .words(FontWeight.names)]), "400 is regular, 700 bold."),
        EditKey("style", .words(["normal", "italic"]), "Upright when missing."),
        EditKey("size", length, "Of the em square; 6% of the frame's height when missing."),
    ]

    static let titleBoxKeys = [
        EditKey("anchor", .words(TitleBox.Anchor.allCases.map(\.rawValue)), "Which part of the frame it is put to."),
        EditKey("margin", pair, "Between the text and the frame's edges; a pair is across and down."),
        EditKey("width", length, "Lines are broken at it."),
        EditKey("background", .anyOf([color, .object(.titleBackground)]), "A plain box behind the text."),
    ]

    static let titleBackgroundKeys = [
        EditKey("color", color, required: "\"#000000\"", "Of the box."),
        EditKey("padding", pair, "By which the box is larger than the text; a pair is across and down."),
        EditKey("radius", length, "Of its corners."),
    ]

    static let titleOutlineKeys = [
        EditKey("width", length, required: "4", "Of the line."), EditKey("color", color, "Black when missing."),
    ]

    static let titleShadowKeys = [
        EditKey("offset", pair, "To the right and down; 4 and 4 when missing."),
        EditKey("blur", length, "Standard deviation; 4 when missing."),
        EditKey("color", color, "Half transparent black when missing."),
    ]

    static let titleMoveKeys = [
        EditKey("move", moves, required: #""fade""#, "Its kind."),
        EditKey("duration", .time, "Half a second when missing, at most half of the title."),
        EditKey("from", .words(EditTitleMove.Side.allCases.map(\.rawValue)), "The side of a slide; left when missing."),
        EditKey("ease", ease, "How it runs."),
    ]

    private static let color = EditShape.pattern("^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$")
    private static let pair = EditShape.anyOf([length, .tuple([length, length])])
    private static let moves = EditShape.words(EditTitleMove.Kind.allCases.map(\.rawValue))
    private static let move = EditShape.anyOf([moves, .object(.titleMove)])
}

/// Weights that have a name (CSS Fonts 4).
enum FontWeight: Int, CaseIterable {
    case thin = 100
    case extralight = 200
    case light = 300
    case regular = 400
    case medium = 500
    case semibold = 600
    case bold = 700
    case extrabold = 800
    case black = 900

    static let names = allCases.map { "\($0)" }
}
