import CompositionModel

extension EditObject {
    static let editKeys = [
        EditKey("schema", .words([Edit.schemaName]), required: #""edit/1""#, "The language of this file."),
        EditKey("format", .object(.format), "Of picture and sound; what is missing comes from the first video asset."),
        EditKey(
            "assets",
            .map(
                .anyOf([
                    .text, .object(.source), .object(.generated), .object(.generatedSound), .object(.nestedEdit),
                ])
            ),
            "Name → path relative to this file, URL, sha256:…, what to generate, or another edit."
        ),
        EditKey("params", .map(.object(.parameter)), "Name → typed value, used by {\"$param\": name} and {{name}}."),
        EditKey("snap", snap, "What becomes of times that fall between two frames."),
        EditKey(
            "tracks",
            .list(.anyOf([.object(.videoTrack), .object(.audioTrack), .object(.titleTrack)])),
            required: #"[{ "kind": "video", "segments": [{ "asset": "clip" }] }]"#,
            "The first is at the bottom."
        ),
        EditKey("master", .object(.master), "What is done to the sum of all sound."),
        EditKey("outputs", .list(.object(.output)), "Files to render."),
    ]

    static let formatKeys = [
        EditKey("size", .tuple([side, side]), "Width and height in pixels, both even."),
        EditKey("frameRate", .pattern(#"^[0-9]+(\.[0-9]+|/[0-9]+)?$"#), "Frames per second, such as \"30000/1001\"."),
        EditKey("sampleRate", .integer(Limits.sampleRates), "Samples per second."),
        EditKey("channels", .anyOf([.integer(Limits.channels), .words(channelNames)]), "Of the sound."),
        EditKey("color", .words(["bt709"]), "Colour space of the picture, limited range."),
        EditKey("background", .pattern("^#[0-9a-fA-F]{6}$"), "What is seen where no picture is."),
    ]

    private static let channelNames = ChannelLayout.editNames.sorted { $0.key < $1.key }.map(\.value)

    static let sourceKeys = [
        EditKey(
            "src",
            .text,
            required: #""clip.mp4""#,
            "Path, URL or sha256:… of the file; frame_%04d.png names many."
        ),
        EditKey("frameRate", rate, "Of numbered pictures; the edit's, or 25."),
        EditKey("raw", .object(.raw), "What a file without a header holds."),
        EditKey("digest", .pattern("^sha256:[0-9a-f]{64}$"), "Of the bytes of a file named by its address."),
        EditKey("etag", .text, "Entity tag that a file named by its address must have."),
        EditKey("version", .text, "Version of an object of a bucket; the latest."),
    ]

    static let rawKeys = [
        EditKey("pixelFormat", .words(RawPixelFormat.allCases.map(\.rawValue)), "Of pictures, as FFmpeg calls it."),
        EditKey("size", .tuple([side, side]), "Width and height of pictures."),
        EditKey("frameRate", rate, "Of pictures."),
        EditKey("sampleFormat", .words(RawSampleFormat.allCases.map(\.rawValue)), "Of sound, interleaved."),
        EditKey("sampleRate", .integer(Limits.sampleRates), "Of sound."),
        EditKey("channels", .integer(RawSound.channelCounts), "Of sound."),
    ]

    static let generatedKeys = [
        EditKey(
            "generate",
            .words(GeneratedPicture.Kind.allCases.map(\.rawValue)),
            required: #""bars""#,
            "What is drawn."
        ),
        EditKey("size", .tuple([side, side]), "Width and height; the edit's, or 1280 and 720."),
        EditKey("color", .pattern("^#[0-9a-fA-F]{6}$"), "Of solid; black."),
        EditKey(
            "colors",
            .tuple([.pattern("^#[0-9a-fA-F]{6}$"), .pattern("^#[0-9a-fA-F]{6}$")]),
            "Of gradient: from the one to the other; black and white."
        ),
        EditKey("direction", .words(GeneratedPicture.Direction.allCases.map(\.rawValue)), "Of gradient; right."),
        EditKey("frameRate", rate, "Of pattern; the edit's, or 25."),
        EditKey("duration", .time, "Of pattern; one minute."),
    ]

    static let nestedEditKeys = [
        EditKey("edit", .text, required: #""intro.json""#, "The file of another edit, relative to this file."),
        EditKey("params", .map(.anyOf([.text, .decimal])), "Name → value, in place of the defaults of its params."),
    ]

    static let parameterKeys = [
        EditKey(
            "type",
            .words(ParameterType.allCases.map(\.rawValue)),
            required: #""string""#,
            "What the value must be."
        ),
        EditKey("default", .anything, "The value when the command gives none."),
    ]

    static func trackKeys(_ segment: EditObject) -> [EditKey] {
        let kind: EditTrack.Kind = segment == .videoSegment ? .video : .audio
        let items: [EditShape] = [.object(segment), .object(.gap), .object(.transition)]
        return [
            EditKey("kind", .words([kind.rawValue]), required: #""\#(kind)""#, "What the track holds."),
            EditKey("id", .text, "Unique among the tracks."),
            EditKey("segments", .list(.anyOf(items)), required: #"[{ "asset": "clip" }]"#, "They follow each other."),
            EditKey("volume", volume, "Of the track's sound; keys count from the timeline's zero."),
        ]
    }

    static let segmentKeys =
        [
            EditKey("asset", .text, required: #""clip""#, "A name in assets."),
            EditKey("in", .time, "Source time of the first frame; \"#120\" is its frame 120."),
            EditKey("duration", .time, "On the timeline; to the asset's end when missing."),
            EditKey("range", .tuple([.time, .time]), "Start and duration in source time; with duration it is fitted."),
            EditKey(
                "speed",
                .anyOf([speed, .list(.object(.speedKey))]),
                "How fast the source runs; below 0 backwards."
            ),
            EditKey("at", .time, "Place on the timeline; behind what came before when missing."),
            EditKey("track", .pattern("^(video|audio)/[0-9]+$"), "Which of the asset's tracks, such as \"audio/1\"."),
            EditKey("language", .text, "Chooses the asset's track of this language."),
            EditKey("volume", volume, "Of the segment's sound; keys count from its start."),
            EditKey("snap", snap, "For this segment's times."),
            EditKey(
                "loop",
                .anyOf([.integer(LoopRule.counts), .words(EndRule.allCases.map(\.rawValue))]),
                "How often it is played; of sound also until the picture ends."
            ),
            pitchKey, channelsKey,
        ] + soundPlaceKeys

    static let untilKey =
        EditKey("until", .words(EndRule.allCases.map(\.rawValue)), "It is cut where the picture ends.")

    static let pictureKeys =
        [segmentSoundKey, fitKey, freezeKey, blendingKey] + PictureProperty.allCases.map(pictureKey) + [
            blendKey, effectsKey,
        ]
    static let pictureTrackKeys = [soundKey] + PictureProperty.allCases.map(pictureKey) + [blendKey, effectsKey]

    static let effectsKey =
        EditKey("effects", .list(.object(.effect)), "What is done to the picture, in this order.")
    private static let blendKey =
        EditKey("blend", .words(BlendMode.allCases.map(\.rawValue)), "How its colours meet those below.")

    private static let blendingKey = EditKey(
        "blending",
        .words(FrameBlending.allCases.map(\.rawValue)),
        "Between two frames of the source their mean is shown."
    )
    private static let freezeKey = EditKey("freeze", .time, "Source time of a frame that is held for duration.")
    static let soundKey = EditKey("sound", .flag, "Whether the video's own sound is heard.")
    private static let segmentSoundKey = EditKey(
        "sound",
        .anyOf([.flag, .words(["hold"])]),
        "Whether the video's own sound is heard; hold goes on with that of a held frame."
    )
    private static let fitKey = EditKey("fit", .words(Fit.allCases.map(\.rawValue)), "As CSS's object-fit.")

    static let transitionKeys = [
        EditKey(
            "transition",
            .words(TransitionName.all),
            required: #""dissolve""#,
            "Its kind; docs/transitions.md shows them all."
        ),
        EditKey("duration", .time, required: #""15f""#, "How long both segments are seen."),
        EditKey("audio", .words(Crossfade.Shape.allCases.map(\.rawValue)), "How the sound changes over."),
        EditKey("ease", .text, "How the way is shaped, such as inOutCubic."),
        EditKey("direction", .words(TransitionDirection.allCases.map(\.rawValue)), "The way things or the edge move."),
        EditKey("shape", .words(TransitionShape.allCases.map(\.rawValue)), "The outline of an iris."),
        EditKey("count", .integer(1...200), "Teeth, blades, stripes, lines or boxes."),
        EditKey("color", colorPattern, "What fadeThrough goes through."),
        EditKey("map", .text, "A name in assets: the edge runs as its first picture's brightness says, black first."),
        EditKey("softness", .decimal, "Width of a soft edge, 0 to 1 of its way over the frame."),
        EditKey("border", .decimal, "Width of a band along the edge, 0 to 1 of its way over the frame."),
        EditKey("borderColor", colorPattern, "Of the band; white when missing."),
        EditKey("reversed", .flag, "The edge runs the other way round; a zoom goes outwards."),
        EditKey("counterclockwise", .flag, "Hands turn against the clock."),
        EditKey("centered", .flag, "A fan stands in the middle of the frame."),
    ]

    private static let colorPattern = EditShape.pattern("^#[0-9a-fA-F]{6}$")

    static let volumeKeys = [
        EditKey("at", .time, required: #""0s""#, "From the start of the item."),
        EditKey("value", level, required: "1", "Linear, or decibels as in \"-14dB\"."),
        EditKey("ease", .text, "How the way to the next key is shaped, such as inOutCubic."),
    ]

    static let speedKeys = [
        EditKey("at", .time, required: #""0s""#, "From the start of the segment."),
        EditKey("value", speed, required: #""2""#, "From 1/20 to 20; below 0 backwards; 0 holds."),
        EditKey("ease", .text, "The way to the next key."),
    ]

    static let outputKeys = [
        EditKey("preset", .text, required: #""h264""#, "Such as h264, h264-720p or lossless."),
        EditKey("file", .text, "Relative to where the command runs."),
        EditKey("range", .tuple([.time, .time]), "Start and duration on the timeline."),
        EditKey("match", .text, "With the preset match: the asset that it follows."),
        EditKey(
            "dither",
            .words(AudioEncoding.Dither.allCases.map(\.rawValue)),
            "Noise of a step that is added to sound before it is rounded to integers; none."
        ),
    ]

    private static let speed = EditShape.anyOf([.decimal, .pattern(#"^-?[0-9]+(\.[0-9]+|/[0-9]+)?$"#)])
    private static let rate = EditShape.pattern(#"^[0-9]+(\.[0-9]+|/[0-9]+)?$"#)
    private static let side = EditShape.integer(2...Limits.longestSide)
    private static let snap = EditShape.words(SnapRule.allCases.map(\.rawValue))
    private static let level = EditShape.anyOf([.decimal, .pattern(#"^[-+]?[0-9]+(\.[0-9]+)? ?dB$"#)])
    static let volume = EditShape.anyOf([level, .list(.object(.volumeKey))])
}
