import CompositionModel

extension EditObject {
    static let soundPlaceKeys = [
        EditKey("pan", position, "Of the sound, −1 left to 1 right; keys as those of the volume."),
        EditKey("balance", position, "Lowers the other side: −1 is left alone, 1 right alone; likewise."),
        EditKey("processors", .list(.object(.processor)), "What is done to the sound, in this order."),
    ]

    static let pitchKey =
        EditKey("pitch", .words(PitchRule.allCases.map(\.rawValue)), "Whether the pitch follows the speed; it does.")

    static let channelsKey = EditKey(
        "channels",
        .list(.anyOf([.integer(0...63), .words(["none"]), .list(.decimal)])),
        "What each channel of the edit gets: one of the source, from 0, none, or so much of each."
    )

    static let soundTrackKeys =
        soundPlaceKeys + [
            EditKey("duck", .object(.duck), "Lowers the track while another one is heard."),
            EditKey("mute", .flag, "Leaves the track's sound out."),
            EditKey("solo", .flag, "Leaves the sound of all tracks out that have no solo."),
        ]

    /// The name, and the parameters of all processors: which belong to which is found when an edit is read.
    static let processorKeys: [EditKey] =
        [
            EditKey(
                "processor",
                .words(SoundProcessor.Name.allCases.map(\.rawValue)),
                required: #""compressor""#,
                "Which it is."
            ),
            EditKey("after", .words(["volume"]), "Comes behind volume and pan of its place; else before them."),
            EditKey("bands", .list(.object(.equalizerBand)), "Of equalizer, one behind the other."),
        ] + parameterNames.map { EditKey($0, quantity, summary($0)) }

    /// What messages suggest where an equalizer lacks its bands.
    static let exampleBand = #""bands": [{ "band": "peak", "frequency": "1kHz", "gain": "3dB" }]"#

    static let bandKeys = [
        EditKey("band", .words(EqualizerBand.Kind.allCases.map(\.rawValue)), required: #""peak""#, "Its shape."),
        EditKey("frequency", quantity, required: #""1000Hz""#, "Of its middle or its edge, 10 to 20000 Hz."),
        EditKey("gain", quantity, "−40 to 40 dB; of a peak or a shelf."),
        EditKey("quality", .decimal, "Q, 0.1 to 30; 0.707 when missing."),
    ]

    static let duckKeys = [
        EditKey("under", .text, required: #""voice""#, "The id of the track that is listened to."),
        EditKey("by", quantity, required: #""-12dB""#, "How much it is lowered, −80 to 0 dB."),
        EditKey("threshold", quantity, "From which level on the other counts as heard; −40 dB."),
        EditKey("attack", .time, "On the way down before the other begins; 300 ms."),
        EditKey("hold", .time, "Low after it has ended; 300 ms."),
        EditKey("release", .time, "On the way up again; 600 ms."),
    ]

    static let masterKeys = [
        EditKey("volume", EditObject.volume, "Of the whole; keys count from the timeline's zero."),
        EditKey("processors", .list(.object(.processor)), "What is done to the whole, in this order."),
        EditKey("limiter", .object(.masterLimiter), "Keeps the true peak below its ceiling, behind all this."),
        EditKey("loudness", .object(.masterLoudness), "Brings the whole to a loudness (EBU R128), at the very end."),
    ]

    static let loudnessKeys = [
        EditKey(
            "target",
            .anyOf([.decimal, .pattern(#"^[-+]?[0-9]+(\.[0-9]+)? ?LUFS$"#)]),
            required: #""-16LUFS""#,
            "Of the whole programme, −60 to −5 LUFS."
        ),
        EditKey(
            "truePeak",
            .anyOf([.decimal, .pattern(#"^[-+]?[0-9]+(\.[0-9]+)? ?dB(TP)?$"#)]),
            "That is never passed, −40 to 0 dBTP; −1 dBTP."
        ),
    ]

    /// What `"generate"` may say of sound.
    static let generatedSoundNames = GeneratedSound.Kind.allCases.map(\.rawValue) + [spokenSound]
    /// The word for a text that a synthesizer speaks.
    static let spokenSound = "speech"

    static let generatedSoundKeys = [
        EditKey("generate", .words(generatedSoundNames), required: #""tone""#, "What is heard."),
        EditKey("duration", .time, "One minute; of speech none."),
        EditKey("sampleRate", .integer(Limits.sampleRates), "The edit's, or 48000."),
        EditKey("channels", .integer(GeneratedSound.channelCounts), "One; those of noise differ from each other."),
        EditKey("level", quantity, "Of tone and sweep at their peak, of noise on average; -20 dB."),
        EditKey("frequency", quantity, "Of tone; 1 kHz."),
        EditKey("wave", .words(GeneratedSound.Wave.allCases.map(\.rawValue)), "Of tone; sine."),
        EditKey("from", quantity, "Of sweep; 20 Hz."),
        EditKey("to", quantity, "Of sweep; 20 kHz."),
        EditKey("course", .words(GeneratedSound.Course.allCases.map(\.rawValue)), "Of sweep; logarithmic."),
        EditKey("color", .words(GeneratedSound.Color.allCases.map(\.rawValue)), "Of noise; white."),
        EditKey("seed", .integer(0...Int(GeneratedSound.seeds.upperBound)), "Of noise: another one is other noise; 0."),
        EditKey("text", .text, "Of speech: what is said."),
        EditKey("voice", .pattern(SpokenText.voicePattern), "Of speech: espeak-ng's name, such as de or en-us+f3."),
        EditKey("rate", .integer(SpokenText.rates), "Of speech: words a minute; 175."),
        EditKey("pitch", .integer(SpokenText.pitches), "Of speech, from low to high; 50."),
        EditKey("gap", .time, "Of speech: between words, up to 5 s; none."),
    ]

    static let limiterKeys = [EditKey("ceiling", quantity, "−40 to 0 dB; −1 dB.")]

    private static let position = EditShape.anyOf([.decimal, .list(.object(.propertyKey))])
    /// A number, or one with its unit.
    private static let quantity = EditShape.anyOf([
        .decimal, .pattern(#"^[-+]?[0-9]+(\.[0-9]+)? ?(dB|Hz|kHz)$"#), .time,
    ])

    /// The names of all parameters, each once, in the order of the processors.
    private static let parameterNames: [String] = SoundProcessor.Name.allCases.reduce(into: []) { names, processor in
        for name in processor.parameters.map(\.key.name) where !names.contains(name) { names.append(name) }
    }

    private static func summary(_ name: String) -> String {
        let owners = SoundProcessor.Name.allCases.filter { $0.parameters.contains { $0.key.name == name } }
        return "Of " + owners.map(\.rawValue).joined(separator: ", ") + "."
    }
}
