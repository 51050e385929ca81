import Testing

@testable import CompositionModel
@testable import EditLanguage

/// What reading an edit finds wrong: one text each, with the rule, the place and what is suggested.
@Suite struct EditRulesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let rule: FindingRule
        let text: String
        let pointer: String
        var suggestion: String?
        var testDescription: String { "\(rule.rawValue) \(pointer)" }

        init(_ rule: FindingRule, _ text: String, _ pointer: String, _ suggestion: String? = nil) {
            (self.rule, self.text, self.pointer, self.suggestion) = (rule, text, pointer, suggestion)
        }
    }

    /// One segment with asset "a" and these keys.
    static func segment(_ rule: FindingRule, _ keys: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        Case(
            rule,
            SampleEdits.video("{ \"asset\": \"a\", \(keys) }"),
            "/tracks/0/segments/0/" + pointer,
            suggestion
        )
    }

    /// An edit with this format.
    static func format(_ rule: FindingRule, _ keys: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        let text = SampleEdits.video(#"{ "asset": "a" }"#).replacing("\"frameRate\": \"25\"", with: keys)
        return Case(rule, text, "/format" + pointer, suggestion)
    }

    /// An edit with more keys.
    static func more(_ rule: FindingRule, _ keys: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        Case(rule, SampleEdits.video(#"{ "asset": "a" }"#, more: keys + ","), pointer, suggestion)
    }

    static func items(_ rule: FindingRule, _ items: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        Case(rule, SampleEdits.video(items), "/tracks/0/segments/" + pointer, suggestion)
    }

    static func audio(_ rule: FindingRule, _ keys: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        Case(rule, SampleEdits.audio("{ \"asset\": \"a\", \(keys) }"), "/tracks/0/segments/0/" + pointer, suggestion)
    }

    static let document: [Case] = [
        Case(.json, "{", ""), Case(.limit, String(repeating: "[", count: 70), String(repeating: "/0", count: 65)),
        Case(.wrongType, "[]", ""),
        Case(
            .missingKey,
            #"{ "schema": "edit/1" }"#,
            "",
            ##""tracks": [{ "kind": "video", "segments": [{ "asset": "clip" }] }]"##
        ),
        Case(.foreignFormat, "TITLE: REEL 1", "", ForeignFormat.timeline.firstEdit(nil)),
        Case(
            .foreignFormat,
            #"{ "OTIO_SCHEMA": "Timeline.1", "tracks": {} }"#,
            "/OTIO_SCHEMA",
            ForeignFormat.timeline.firstEdit(nil)
        ),
        Case(.schema, #"{ "schema": "edit/2" }"#, "/schema", "\"edit/1\""),
        Case(.wrongType, #"{ "schema": 1 }"#, "/schema", "\"1\""),
        more(.duplicateKey, #""snap": "nearest", "snap": "never""#, "/snap"),
        more(.unknownKey, #""output": []"#, "/output", "\"outputs\""), more(.unknownKey, #""qqqqqq": []"#, "/qqqqqq"),
        more(.missingKey, #""master": { "loudness": {} }"#, "/master/loudness", #""target": "-16LUFS""#),
        more(.unknownValue, #""snap": "nearst""#, "/snap", "\"nearest\""),
        Case(.missingKey, #"{ "schema": "edit/1", "tracks": [] }"#, "/tracks"),
        Case(.wrongType, #"{ "schema": "edit/1", "tracks": {} }"#, "/tracks"),
        Case(.wrongType, #"{ "schema": "edit/1", "tracks": [3] }"#, "/tracks/0"),
        Case(
            .missingKey,
            #"{ "schema": "edit/1", "tracks": [{ "segments": [] }] }"#,
            "/tracks/0",
            "\"kind\": \"video\""
        ),
        Case(
            .unknownValue,
            #"{ "schema": "edit/1", "tracks": [{ "kind": "vidoe", "segments": [] }] }"#,
            "/tracks/0/kind",
            "\"video\""
        ),
        Case(
            .missingKey,
            #"{ "schema": "edit/1", "tracks": [{ "kind": "title" }] }"#,
            "/tracks/0",
            #""segments": [{ "text": "Hello", "duration": "3s" }]"#
        ),
        Case(
            .duplicateIdentifier,
            #"{ "schema": "edit/1", "tracks": [{"kind":"audio","id":"m","segments":[]},{"kind":"video","id":"m","segments":[]}] }"#,
            "/tracks/1/id"
        ),
        Case(.unknownKey, SampleEdits.audio(#"{ "asset": "a" }"#, track: #""sound": false,"#), "/tracks/0/sound"),
    ]

    static let formats: [Case] = [
        format(.wrongType, #""size": "720p""#, "/size"), format(.wrongType, #""size": [1]"#, "/size"),
        format(.numberRange, #""size": [1281, 720]"#, "/size/0", "1282"),
        format(.numberRange, #""size": [0, 720]"#, "/size/0"),
        format(.numberRange, #""size": [12.5, 720]"#, "/size/0"),
        format(.numberRange, #""size": [1280, 99999]"#, "/size/1"),
        format(.wrongType, #""frameRate": 25"#, "/frameRate", "\"25\""),
        format(.wrongType, #""frameRate": 29.97"#, "/frameRate", "\"30000/1001\""),
        format(.unknownValue, #""frameRate": "29.97""#, "/frameRate", "\"30000/1001\""),
        format(.unknownValue, #""frameRate": "pal""#, "/frameRate"),
        format(.unknownValue, #""frameRate": "0""#, "/frameRate"),
        format(.unknownValue, #""frameRate": "25/0""#, "/frameRate"),
        format(.unknownValue, #""frameRate": "-25""#, "/frameRate"),
        format(.numberRange, #""frameRate": "1001""#, "/frameRate"),
        format(.numberRange, #""sampleRate": 100"#, "/sampleRate"),
        format(.wrongType, #""sampleRate": "48000""#, "/sampleRate"),
        format(.numberRange, #""channels": 1000"#, "/channels"),
        format(.unknownValue, #""channels": "5.2""#, "/channels", "\"5.0\""),
        format(.numberRange, #""channels": 0"#, "/channels"), format(.unsupported, #""color": "bt2020""#, "/color"),
        format(.unknownValue, #""color": "bt708""#, "/color", "\"bt709\""),
        format(.unknownValue, #""background": "black""#, "/background", "\"#000000\""),
        format(.unsupported, ##""background": "#00000080""##, "/background"),
        format(.unknownKey, #""framerate": "25""#, "/framerate", "\"frameRate\""),
    ]

    static let times: [Case] = [
        segment(.timeIsNumber, #""in": 2.5"#, "in", "\"2.5s\""),
        segment(.timeIsNumber, #""duration": 15"#, "duration", "\"15s\""),
        segment(.timeSyntax, #""in": "2.5""#, "in", "\"2.5s\""), segment(.timeSyntax, #""in": "soon""#, "in"),
        segment(.timeOverflow, #""in": "99999999999999999999s""#, "in"),
        segment(.timeOverflow, #""in": "99999999999999999:00:00:00""#, "in"),
        segment(.timeRange, #""in": "-1s""#, "in"), segment(.timeRange, #""duration": "0s""#, "duration"),
        segment(.timeRange, #""duration": "00:00:00:00""#, "duration"), segment(.timeRange, #""at": "-1f""#, "at"),
        segment(.timecode, #""in": "00:00:01:25""#, "in"),
        segment(.timecode, #""in": "00:00:01;00""#, "in", "\"00:00:01:00\""),
        segment(.frameNumber, ##""duration": "#12""##, "duration"), segment(.frameNumber, ##""at": "#12""##, "at"),
        segment(.wrongType, #""in": null"#, "in"), segment(.wrongType, #""range": "2s""#, "range"),
        segment(.wrongType, #""range": ["2s"]"#, "range", "[\"2s\", \"10s\"]"),
        segment(.timeIsNumber, #""range": [0, "1s"]"#, "range/0", "\"0s\""),
        items(.timeRange, #"{ "gap": "-1s" }"#, "0/gap"),
        items(.timeRange, #"{ "asset": "a" }, { "transition": "dissolve", "duration": "0f" }"#, "1/duration"),
    ]

    static let segments: [Case] = [
        items(.missingKey, #"{ "in": "1s" }"#, "0", #""asset": "clip""#), items(.wrongType, "3", "0"),
        items(.contradiction, #"{ "text": "Hi" }"#, "0/text"),
        items(.unknownAsset, #"{ "asset": "b" }"#, "0/asset", "\"a\""),
        items(.wrongType, #"{ "asset": 1 }"#, "0/asset", "\"1\""),
        items(.unknownValue, #"{ "asset": "" }"#, "0/asset"),
        segment(.contradiction, #""in": "1s", "range": ["1s", "1s"]"#, "range"),
        segment(.numberRange, #""speed": 0"#, "speed"), segment(.numberRange, #""speed": -21"#, "speed"),
        segment(.numberRange, #""speed": "1/21""#, "speed"),
        segment(.unknownValue, #""speed": "2x""#, "speed", "\"2\""),
        segment(.unknownValue, #""speed": "50%""#, "speed", "\"1/2\""),
        segment(.unknownValue, #""speed": "fast""#, "speed"), segment(.wrongType, #""speed": true"#, "speed"),
        segment(
            .unknownValue,
            #""speed": [{ "at": "0s", "value": 1, "ease": "inSin" }]"#,
            "speed/0/ease",
            "\"inSine\""
        ),
        segment(.wrongType, #""speed": []"#, "speed"),
        segment(.contradiction, #""speed": [{ "at": "0s", "value": 1 }], "range": ["0s", "1s"]"#, "range"),
        segment(.missingKey, #""freeze": "1s""#, "freeze", "\"duration\": \"2s\""),
        segment(.contradiction, #""freeze": "1s", "duration": "1s", "speed": 2"#, "freeze"),
        segment(.contradiction, #""freeze": "1s", "duration": "1s", "in": "1s""#, "freeze"),
        audio(.unknownKey, #""freeze": "1s", "duration": "1s""#, "freeze"),
        segment(.unknownValue, #""track": "audio""#, "track"), segment(.unknownValue, #""track": "audio/x""#, "track"),
        audio(.contradiction, #""track": "video/0""#, "track", "\"audio/0\""),
        segment(.wrongType, #""sound": 0"#, "sound"),
        segment(.unknownValue, #""fit": "contian""#, "fit", "\"contain\""),
        audio(.unknownKey, #""fit": "cover""#, "fit"),
        segment(.unknownKey, #""durration": "1s""#, "durration", "\"duration\""),
        segment(.numberRange, #""volume": -1"#, "volume"), segment(.numberRange, #""volume": "100dB""#, "volume"),
        segment(.numberRange, #""volume": "-infdB""#, "volume", "0"),
        segment(.unknownValue, #""volume": "0.5""#, "volume", "0.5"),
        segment(.unknownValue, #""volume": "loud""#, "volume"), segment(.wrongType, #""volume": true"#, "volume"),
        segment(.wrongType, #""volume": []"#, "volume"),
        segment(.missingKey, #""volume": [{ "at": "0s" }]"#, "volume/0", #""value": 1"#),
        segment(
            .unknownValue,
            #""volume": [{ "at": "0s", "value": 1, "ease": "liner" }]"#,
            "volume/0/ease",
            "\"linear\""
        ),
        items(
            .unknownValue,
            #"{ "asset": "a" }, { "transition": "disolve", "duration": "1s" }"#,
            "1/transition",
            "\"dissolve\""
        ),
        items(.missingKey, #"{ "asset": "a" }, { "transition": "dissolve" }"#, "1", #""duration": "15f""#),
        items(
            .unknownValue,
            #"{ "asset": "a" }, { "transition": "dissolve", "duration": "1s", "ease": "inOutCubik" }"#,
            "1/ease",
            "\"inOutCubic\""
        ),
        items(.transitionPlace, #"{ "transition": "dissolve", "duration": "1s" }"#, "0"),
        segment(.wrongType, #""effects": "blur""#, "effects"),
        segment(.missingKey, #""effects": [{ "radius": 3 }]"#, "effects/0", #""effect": "blur""#),
        segment(.unknownValue, #""effects": [{ "effect": "blurr" }]"#, "effects/0/effect", "\"blur\""),
        segment(.unknownKey, #""effects": [{ "effect": "blur", "radios": 3 }]"#, "effects/0/radios", "\"radius\""),
        segment(.unknownKey, #""effects": [{ "effect": "blur", "size": 3 }]"#, "effects/0/size", "\"radius\""),
        segment(.numberRange, #""effects": [{ "effect": "blur", "radius": 3000 }]"#, "effects/0/radius"),
        segment(.numberRange, #""effects": [{ "effect": "sepia", "amount": 2 }]"#, "effects/0/amount"),
        segment(
            .unknownValue,
            #""effects": [{ "effect": "chromaKey", "color": "green" }]"#,
            "effects/0/color",
            "\"#008000\""
        ),
        segment(.missingKey, #""effects": [{ "effect": "lut" }]"#, "effects/0", "\"asset\": \"look\""),
        segment(.missingKey, #""effects": [{ "effect": "mask" }]"#, "effects/0", "\"asset\": \"matte\""),
        segment(.unknownAsset, #""effects": [{ "effect": "lut", "asset": "b" }]"#, "effects/0/asset", "\"a\""),
        segment(.unknownKey, #""effects": [{ "effect": "lut", "asset": "a", "in": "1s" }]"#, "effects/0/in"),
        segment(.unknownKey, #""effects": [{ "effect": "sepia", "asset": "a" }]"#, "effects/0/asset", "\"amount\""),
        segment(
            .unknownValue,
            #""effects": [{ "effect": "mask", "asset": "a", "channel": "lume" }]"#,
            "effects/0/channel",
            "\"luma\""
        ),
        items(
            .transitionPlace,
            #"{ "gap": "1s" }, { "transition": "dissolve", "duration": "1s" }, { "gap": "1s" }"#,
            "1"
        ),
        items(
            .transitionPlace,
            #"{ "asset": "a" }, { "transition": "dissolve", "duration": "1s" }, { "transition": "dissolve", "duration": "1s" }"#,
            "2"
        ),
    ]

    static let assetsAndOutputs: [Case] = [
        Case(.encoding, "", ""), Case(.composition, #"{ "schema": "composition/1" }"#, ""),
        more(.unusedAsset, #""x-y": 1"#, "/assets/b"),
        Case(.unsupported, assets(#""g": { "src": "g.mp4", "fonts": [] }"#), "/assets/g/fonts"),
        Case(.unknownKey, assets(#""g": { "edit": "b.json", "prams": {} }"#), "/assets/g/prams", "\"params\""),
        Case(.unknownValue, assets(#""g": { "edit": "https://example.org/b.json" }"#), "/assets/g/edit"),
        Case(.wrongType, assets(#""g": { "edit": "b.json", "params": { "a": [1] } }"#), "/assets/g/params/a"),
        Case(.missingKey, assets(#""g": {}"#), "/assets/g", #""src": "clip.mp4""#),
        Case(.wrongType, assets(#""g": 3"#), "/assets/g", "\"3\""),
        Case(.unknownValue, assets(#""g": "sha256:12""#), "/assets/g"),
        more(.missingKey, #""outputs": [{}]"#, "/outputs/0", #""preset": "h264""#),
        more(.unknownKey, #""outputs": [{ "preset": "h264", "fil": "a" }]"#, "/outputs/0/fil", "\"file\""),
        more(
            .unknownValue,
            #""outputs": [{ "preset": "wav-16", "dither": "triangle" }]"#,
            "/outputs/0/dither",
            "\"triangular\""
        ),
        more(.wrongType, #""outputs": [{ "preset": "wav-16", "dither": true }]"#, "/outputs/0/dither"),
        more(
            .duplicateFile,
            #""outputs": [{ "preset": "h264", "file": "a" }, { "preset": "h264", "file": "a" }]"#,
            "/outputs/1/file"
        ),
        more(
            .unknownParameter,
            #""x-a": 1, "snap": { "$param": "snp" }, "params": { "snap": { "type": "string", "default": "never" } }"#,
            "/snap/$param",
            "snap"
        ),
        more(.unknownParameter, #""outputs": [{ "preset": "{{quality}}" }]"#, "/outputs/0/preset"),
        more(.parameterValue, #""params": { "p": { "type": "string" } }"#, "/params/p"),
        more(.unusedParameter, #""params": { "p": { "type": "string", "default": "a" } }"#, "/params/p"),
        more(.parameterValue, #""params": { "p": { "type": "time", "default": "soon" } }"#, "/params/p/default"),
        more(.parameterValue, #""params": { "p": { "type": "number", "default": "1" } }"#, "/params/p/default"),
        more(.parameterValue, #""params": { "p": { "type": "color", "default": "red" } }"#, "/params/p/default"),
        more(.unknownValue, #""params": { "p": { "type": "tiem", "default": "1s" } }"#, "/params/p/type", "\"time\""),
        more(
            .contradiction,
            #""params": { "p": { "type": "string", "default": "never" } }, "snap": { "$param": "p", "b": 1 }"#,
            "/snap"
        ),
    ]

    static func assets(_ more: String) -> String {
        SampleEdits.video(#"{ "asset": "a" }, { "asset": "g" }"#).replacing(
            "\"a\": \"a.mp4\"",
            with: "\"a\": \"a.mp4\", " + more
        )
    }

    static let pictures: [Case] = [
        segment(.wrongType, #""position": 3"#, "position"), segment(.wrongType, #""position": [1]"#, "position"),
        segment(.wrongType, #""position": []"#, "position"), segment(.wrongType, #""crop": [1, 2]"#, "crop"),
        segment(.wrongType, #""opacity": []"#, "opacity"), segment(.wrongType, #""opacity": [1]"#, "opacity/0"),
        segment(.wrongType, #""position": [true, 1]"#, "position/0"),
        segment(.wrongType, #""rotate": "90""#, "rotate", "90"), segment(.wrongType, #""rotate": "90deg""#, "rotate"),
        segment(.unknownValue, #""position": ["12", 1]"#, "position/0", "12"),
        segment(.unknownValue, #""anchor": ["left", 1]"#, "anchor/0"),
        segment(.numberRange, #""opacity": 1.5"#, "opacity"), segment(.numberRange, #""opacity": -0.1"#, "opacity"),
        segment(.numberRange, #""crop": [0, 0, -1, 0]"#, "crop/2"),
        segment(.numberRange, #""crop": [0, 0, "-1%", 0]"#, "crop/2"),
        segment(.numberRange, #""scale": [1, 1001]"#, "scale/1"), segment(.numberRange, #""skew": [90, 0]"#, "skew/0"),
        segment(.numberRange, #""position": ["x%", 0]"#, "position/0"),
        segment(.unknownValue, #""blend": "multply""#, "blend", "\"multiply\""),
        segment(.missingKey, #""opacity": [{ "at": "0s" }]"#, "opacity/0", "\"value\": 1"),
        segment(.missingKey, #""position": [{ "value": [0, 0] }]"#, "position/0", "\"at\": \"0s\""),
        segment(
            .unknownKey,
            #""opacity": [{ "at": "0s", "value": 1, "eas": "linear" }]"#,
            "opacity/0/eas",
            "\"ease\""
        ),
        segment(.timeIsNumber, #""opacity": [{ "at": 0, "value": 1 }]"#, "opacity/0/at", "\"0s\""),
        segment(
            .unknownValue,
            #""opacity": [{ "at": "0s", "value": 1, "ease": "outCubik" }]"#,
            "opacity/0/ease",
            "\"outCubic\""
        ),
        segment(
            .unknownValue,
            #""opacity": [{ "at": "0s", "value": 1, "ease": "cubicBezier(2,0,0,1)" }]"#,
            "opacity/0/ease"
        ),
        audio(.unknownKey, #""opacity": 1"#, "opacity"),
        Case(
            .numberRange,
            SampleEdits.video(#"{ "asset": "a" }"#, track: #""crop": [0, -1, 0, 0],"#),
            "/tracks/0/crop/1"
        ),
        Case(
            .numberRange,
            SampleEdits.video(#"{ "asset": "a" }"#, track: #""effects": [{ "effect": "sepia", "amount": 3 }],"#),
            "/tracks/0/effects/0/amount"
        ),
        Case(
            .numberRange,
            SampleEdits.video(#"{ "asset": "a" }"#, track: #""opacity": 2,"#),
            "/tracks/0/opacity"
        ),
    ]

    /// An audio track with these keys.
    static func track(_ rule: FindingRule, _ keys: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        let text = SampleEdits.audio("{ \"asset\": \"a\" }").replacing("\"kind\"", with: keys + ", \"kind\"")
        return Case(rule, text, "/tracks/0/" + pointer, suggestion)
    }

    /// A segment with one processor of these keys.
    static func processor(_ rule: FindingRule, _ keys: String, _ pointer: String, _ suggestion: String? = nil) -> Case {
        audio(rule, "\"processors\": [{ \(keys) }]", "processors/0" + pointer, suggestion)
    }

    /// A colour is suggested as it was meant, or not at all.
    static let colors: [Case] = [
        format(.unknownValue, ##""background": "#fc0""##, "/background", "\"#ffcc00\""),
        format(.unknownValue, #""background": "ffd070""#, "/background", "\"#ffd070\""),
        format(.unknownValue, #""background": "Red""#, "/background", "\"#ff0000\""),
        format(.unknownValue, #""background": "mauve""#, "/background"),
        segment(
            .unknownValue,
            ##""effects": [{ "effect": "dropShadow", "color": "#123" }]"##,
            "effects/0/color",
            "\"#112233\""
        ),
    ]

    static let sounds: [Case] = [
        segment(.numberRange, #""pan": 2"#, "pan"), segment(.wrongType, #""pan": "left""#, "pan"),
        segment(.numberRange, #""balance": [{ "at": "0s", "value": -1.1 }]"#, "balance/0/value"),
        segment(.unknownValue, #""pitch": "keeps""#, "pitch", "\"keep\""),
        segment(.wrongType, #""processors": {}"#, "processors"),
        processor(.unknownValue, #""processor": "compresor""#, "/processor", "\"compressor\""),
        processor(.missingKey, #""ratio": 2"#, "", #""processor": "compressor""#),
        processor(.unknownKey, #""processor": "compressor", "mix": 1"#, "/mix"),
        processor(.numberRange, #""processor": "compressor", "ratio": 0.5"#, "/ratio"),
        processor(.numberRange, #""processor": "compressor", "threshold": "3dB""#, "/threshold"),
        processor(
            .wrongType,
            #""processor": "compressor", "threshold": "-20""#,
            "/threshold",
            #"without quotes, or "-20 dB""#
        ),
        processor(.wrongType, #""processor": "compressor", "threshold": "loud""#, "/threshold"),
        processor(.wrongType, #""processor": "compressor", "ratio": "4""#, "/ratio", "4"),
        processor(.timeIsNumber, #""processor": "compressor", "attack": 5"#, "/attack", "\"5s\""),
        processor(.timeSyntax, #""processor": "compressor", "attack": "2f""#, "/attack"),
        processor(.numberRange, #""processor": "compressor", "attack": "2s""#, "/attack"),
        processor(.numberRange, #""processor": "highPass", "order": 1.5"#, "/order"),
        processor(.numberRange, #""processor": "highPass", "frequency": "30kHz""#, "/frequency"),
        processor(.numberRange, #""processor": "delay", "dry": 1.1"#, "/dry"),
        processor(.numberRange, #""processor": "reverb", "dry": -0.1"#, "/dry"),
        processor(.wrongType, #""processor": "reverb", "dry": "-6dB""#, "/dry"),
        processor(.unknownKey, #""processor": "gate", "dry": 0"#, "/dry"),
        processor(
            .missingKey,
            #""processor": "equalizer""#,
            "",
            #""bands": [{ "band": "peak", "frequency": "1kHz", "gain": "3dB" }]"#
        ),
        processor(
            .contradiction,
            #""processor": "equalizer", "bands": [{ "band": "notch", "frequency": 50, "gain": "3dB" }]"#,
            "/bands/0/gain"
        ),
        processor(.unknownValue, #""processor": "gate", "after": "pan""#, "/after", "\"volume\""),
        track(.missingKey, #""duck": { "under": "b" }"#, "duck", #""by": "-12dB""#),
        track(.numberRange, #""duck": { "under": "b", "by": "12dB" }"#, "duck/by"),
        track(.wrongType, #""mute": 1"#, "mute"),
        more(.numberRange, #""master": { "limiter": { "ceiling": "1dB" } }"#, "/master/limiter/ceiling"),
        more(.unknownKey, #""master": { "volumes": 1 }"#, "/master/volumes", "\"volume\""),
        more(.numberRange, #""master": { "loudness": { "target": "16LUFS" } }"#, "/master/loudness/target"),
        more(.wrongType, #""master": { "loudness": { "target": "-16dB" } }"#, "/master/loudness/target"),
        more(
            .wrongType,
            #""master": { "loudness": { "target": "-16" } }"#,
            "/master/loudness/target",
            #"without quotes, or "-16 LUFS""#
        ),
        more(
            .numberRange,
            #""master": { "loudness": { "target": -16, "truePeak": "1dBTP" } }"#,
            "/master/loudness/truePeak"
        ),
    ]

    /// A lone value is put into the object that it was meant to be; other programs' words for fades are known.
    static let soundForms: [Case] = [
        segment(.wrongType, #""processors": "reverb""#, "processors", #"[{ "processor": "reverb" }]"#),
        segment(.wrongType, #""processors": ["revreb"]"#, "processors/0", #"{ "processor": "reverb" }"#),
        segment(.wrongType, #""processors": ["qqqqqqqqqqqq"]"#, "processors/0"),
        segment(
            .wrongType,
            #""processors": ["eq"]"#,
            "processors/0",
            #"{ "processor": "equalizer", "bands": [{ "band": "peak", "frequency": "1kHz", "gain": "3dB" }] }"#
        ),
        segment(
            .unknownKey,
            #""processors": [{ "reverb": { "mix": 0.3 } }]"#,
            "processors/0/reverb",
            #""processor": "reverb""#
        ),
        segment(.wrongType, #""effects": ["blur"]"#, "effects/0", #"{ "effect": "blur" }"#),
        more(.wrongType, #""master": { "loudness": "-16LUFS" }"#, "/master/loudness", #"{ "target": "-16LUFS" }"#),
        more(.wrongType, #""master": { "loudness": -16 }"#, "/master/loudness", #"{ "target": -16 }"#),
        more(.wrongType, #""master": { "limiter": "-1dB" }"#, "/master/limiter", #"{ "ceiling": "-1dB" }"#),
        more(.wrongType, #""master": { "limiter": true }"#, "/master/limiter"),
        track(.wrongType, #""duck": "voice""#, "duck", #"{ "under": "voice", "by": "-12dB" }"#),
        audio(.wrongType, #""channels": 2"#, "channels"), audio(.numberRange, #""channels": []"#, "channels"),
        audio(.numberRange, "\"channels\": \(Array(repeating: 0, count: 1000))", "channels"),
        audio(.numberRange, "\"channels\": [\(Array(repeating: 0, count: 1000))]", "channels/0"),
        audio(.wrongType, #""channels": [{}]"#, "channels/0"),
        audio(
            .unknownKey,
            #""fadeIn": "2s""#,
            "fadeIn",
            #"{ "transition": "dissolve", "duration": "2s" }"#
        ),
        segment(.unknownKey, #""fade_out": 2"#, "fade_out", #"{ "transition": "dissolve", "duration": "1s" }"#),
        track(
            .unknownKey,
            #""fadeOut": "2s""#,
            "fadeOut",
            #""volume": [{ "at": "8s", "value": 1 }, { "at": "10s", "value": 0 }]"#
        ),
    ]

    static let all = document + formats + times + segments + pictures + colors + sounds + soundForms + assetsAndOutputs

    private func result(of example: Case) -> EditReadResult {
        switch example.rule {
        case .encoding: EditReader.read(utf8: [0xC0])
        case .unusedAsset: EditReader.read(example.text.replacing("\"a.mp4\"", with: "\"a.mp4\", \"b\": \"b\""))
        default: EditReader.read(example.text)
        }
    }

    @Test(arguments: all) func finds(_ example: Case) throws {
        let result = result(of: example)
        let finding = try #require(result.findings.first { $0.rule == example.rule.rawValue }, "\(result.findings)")
        #expect(finding.pointer == example.pointer)
        #expect(finding.suggestion == example.suggestion)
        #expect(finding.line >= 1 && finding.column >= 1)
        #expect((finding.severity == .error) == (result.document == nil))
    }

    /// A mistake is not reported again by what depends on it.
    @Test(arguments: all)
    func findsNothingElse(_ example: Case) {
        let result = result(of: example)
        #expect(result.findings.map(\.rule) == [example.rule.rawValue], "\(result.findings)")
    }

    /// The sentence says what is wrong in numbers, and what to do.
    @Test(
        arguments: [
            (
                #""channels": [\#(Array(repeating: 0, count: 1000))]"#,
                "a gain for each channel of the source, 1 to 64, not 1000"
            ),
            (
                #""channels": \#(Array(repeating: 0, count: 1000))"#,
                "an entry for each channel of the edit, 1 to 8, not 1000"
            ),
            (#""processors": ["reverb"]"#, #"an object such as { "processor": "compressor" } is expected here"#),
            (#""processors": {}"#, #"a list of processors such as [{ "processor": "reverb" }] is expected here"#),
            (#""fadeIn": "1s""#, "a fade is a transition before the segment"),
            (#""fadeOut": "1s""#, "a fade is a transition behind the segment"),
        ]
    ) func saysHow(keys: String, words: String) {
        let findings = EditReader.read(SampleEdits.audio("{ \"asset\": \"a\", \(keys) }")).findings
        #expect(findings.count == 1 && findings[0].message.contains(words), "\(findings)")
    }

    /// A level may have its plus.
    @Test(arguments: ["+3dB", "+3 dB", "3dB"]) func aPlusIsRead(text: String) throws {
        let band = #"{ "band": "peak", "frequency": 1000, "gain": "\#(text)" }"#
        let words = #""volume": "\#(text)", "processors": [{ "processor": "equalizer", "bands": [\#(band)] }]"#
        let read = EditReader.read(SampleEdits.audio("{ \"asset\": \"a\", \(words) }"))
        guard case .edit(let edit) = read.document, case .segment(let segment) = edit.tracks[0].items[0] else {
            Issue.record("\(read.findings)")
            return
        }
        #expect(segment.sounds.processors[0].bands?[0].gain == 3_000_000)
        #expect(segment.volume?.value == .level(VolumeLevel(millionths: 3_000_000, unit: .decibel)))
    }

    @Test(arguments: ["+-3dB", "++3dB", "+dB"]) func onePlusIsEnough(text: String) throws {
        let words = "\"volume\": \"\(text)\""
        #expect(EditReader.read(SampleEdits.audio("{ \"asset\": \"a\", \(words) }")).document == nil)
    }

    @Test func everyRuleIsSeen() throws {
        #expect(try Set(EditRulesTests.all.map(\.rule.rawValue)) == DocumentedRules.ofTheText())
    }

    /// Every key of later versions is refused by name, wherever it may stand.
    @Test(arguments: EditObject.allCases) func refusesLaterKeys(object: EditObject) {
        for key in object.laterKeys {
            let context = ReadingContext()
            let member = JSONMember(key: key, keyMark: .nowhere, node: .flag(true))
            _ = context.fields(JSONNode(value: .object([member]), mark: .nowhere), as: object)
            #expect(context.findings.first?.rule == "unsupported", "\(key) in \(object)")
        }
    }
}
