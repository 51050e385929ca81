// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import TestSupport
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Every error of compiling: its rule, its place and the numbers in it.
@Suite struct CompileErrorTests {
    static let assets = [
        "a": SampleAsset.minute("a"),
        "silent": SampleAsset.asset("silent", [SampleAsset.video(rate: try! FrameRate(25), seconds: 10)]),
        "music": SampleAsset.asset("music", [], [SampleAsset.audio(seconds: 10, streamIndex: 0, language: "deu")]),
        "fast": SampleAsset.asset("fast", [], [SampleAsset.audio(sampleRate: 192_000, seconds: 10, streamIndex: 0)]),
    ]

    static let good = #"{ "asset": "a", "duration": "2s" }"#

    struct Wrong: Sendable, CustomTestStringConvertible {
        let rule: String
        let pointer: String
        /// Words that the message must have.
        let words: [String]
        let items: [String]
        var testDescription: String { "\(rule): \(items.joined(separator: " "))" }

        init(_ rule: String, _ pointer: String, _ words: [String], _ items: String...) {
            (self.rule, self.pointer, self.words, self.items) = (rule, "/tracks/0/segments/" + pointer, words, items)
        }
    }

    /// Two segments with sound are six pieces: two of the picture, two of the sound, an instruction and its layer.
    @Test func thePiecesOfACompositionAreLimited() throws {
        let tracks = #"[ { "kind": "video", "segments": [ \#(Self.good), \#(Self.good) ] } ]"#
        let text = #"{ "schema": "edit/1", "assets": { "a": "a" }, "tracks": \#(tracks) }"#
        let document = try #require(EditReader.read(text).document)
        func compiled(_ most: Int) -> CompileResult {
            EditCompiler.compile(
                document,
                assets: Self.assets,
                nested: [:],
                unusable: [:],
                options: CompileOptions(),
                within: CompileAllowance(mostPiecesOfComposition: most),
                depth: 0
            )
        }
        #expect(compiled(6).composition?.pieceCount == 6)
        let refused = compiled(5)
        let errors = refused.findings.filter { $0.severity == .error }
        #expect(refused.composition == nil && errors.map(\.rule) == ["too-many"])
        let words = "the edit comes to 6 segments, titles, instructions and layers; the limit is 5: render parts"
        #expect(errors.first?.message.hasPrefix(words) == true, "\(errors)")
    }

    static let dissolve = #"{ "transition": "dissolve", "duration": "15f" }"#

    static let wrongs: [Wrong] = [
        Wrong(
            "off-frame",
            "0/duration",
            ["2.51 s", "frame 62 (2.48 s)", "frame 63 (2.52 s)"],
            #"{ "asset": "a", "duration": "2.51s" }"#
        ),
        Wrong(
            "off-frame",
            "1/at",
            ["frame 75", "frame 76"],
            good,
            #"{ "asset": "a", "at": "3.01s", "duration": "1s" }"#
        ),
        Wrong("off-frame", "1/gap", ["0.05 s"], good, #"{ "gap": "50ms" }"#),
        Wrong("off-frame", "1/duration", ["0.5 s"], good, #"{ "transition": "dissolve", "duration": "500ms" }"#, good),
        Wrong("off-frame", "0/range/1", ["frame 12"], #"{ "asset": "a", "range": ["0s", "0.5s"] }"#),
        Wrong("in-past-end", "0/in", ["60 s"], #"{ "asset": "a", "in": "60s" }"#),
        Wrong("in-past-end", "0/in", ["1500", "1499"], ##"{ "asset": "a", "in": "#1500" }"##),
        Wrong(
            "past-end",
            "0/duration",
            ["70 s", "60 s", "10 s"],
            #"{ "asset": "a", "in": "50s", "duration": "20s" }"#
        ),
        Wrong("past-end", "0/range/1", ["60.04 s"], #"{ "asset": "a", "range": ["59s", "26f"] }"#),
        Wrong("too-short", "0/in", ["0.01 s"], #"{ "asset": "a", "in": "59.99s" }"#),
        Wrong("too-short", "0/duration", ["0.01 s"], #"{ "asset": "a", "duration": "10ms", "snap": "nearest" }"#),
        Wrong("segments-overlap", "1/at", ["1 s", "2 s"], good, #"{ "asset": "a", "at": "1s", "duration": "1s" }"#),
        Wrong(
            "at-contradiction",
            "2/at",
            ["1.4 s", "5 s"],
            good,
            dissolve,
            #"{ "asset": "a", "at": "5s", "duration": "1s" }"#
        ),
        Wrong(
            "transition-too-long",
            "1",
            ["15 frames", "10 frames", "0.4 s"],
            #"{ "asset": "a", "duration": "10f" }"#,
            dissolve,
            #"{ "asset": "a", "duration": "3s" }"#
        ),
        Wrong(
            "transition-too-long",
            "1",
            ["15 frames", "10 frames", "0.4 s"],
            good,
            dissolve,
            #"{ "asset": "a", "duration": "10f" }"#
        ),
        Wrong(
            "transition-too-long",
            "0",
            ["15 frames", "14 frames"],
            dissolve,
            #"{ "asset": "a", "duration": "14f" }"#
        ),
        Wrong(
            "transitions-meet",
            "2",
            ["15 frames", "29 frames"],
            good,
            dissolve,
            #"{ "asset": "a", "duration": "29f" }"#,
            dissolve,
            good
        ),
        Wrong("no-picture", "0/asset", ["music", "audio/0"], #"{ "asset": "music" }"#),
        Wrong(
            "unknown-source-track",
            "0/track",
            ["video/1", "video/0 (h264, 1280x720)", "audio/0"],
            #"{ "asset": "a", "track": "video/1" }"#
        ),
        Wrong("unknown-source-track", "0/track", ["audio/3"], #"{ "asset": "a", "track": "audio/3" }"#),
        Wrong("unknown-language", "0/language", ["fr"], #"{ "asset": "a", "language": "fr" }"#),
        Wrong("too-long", "0/at", ["100 hours"], #"{ "asset": "a", "at": "9000000000000000000f", "duration": "1s" }"#),
        Wrong("asset-missing", "0/asset", ["nowhere"], #"{ "asset": "nowhere" }"#),
    ]

    private static func text(_ items: [String]) -> String {
        editText(items, assets: ["a", "fast", "music", "nowhere", "silent"])
    }

    @Test(arguments: wrongs)
    func eachErrorSaysWhereAndHowMuch(wrong: Wrong) throws {
        let compiled = try Compiled(CompileErrorTests.text(wrong.items), CompileErrorTests.assets)
        #expect(compiled.composition == nil)
        let found = try #require(compiled.errors.first { $0.rule == wrong.rule }, "\(compiled.errors)")
        #expect(found.pointer == wrong.pointer)
        #expect(found.line > 0 && found.column > 0)
        #expect(wrong.words.allSatisfy(found.message.contains), "\(found.message)")
    }

    @Test func allAreFoundAtOnceInTheOrderOfTheText() throws {
        let items = [
            #"{ "asset": "a", "duration": "2.51s" }"#, #"{ "asset": "a", "in": "61s" }"#, CompileErrorTests.good,
            #"{ "asset": "a", "at": "1s", "duration": "10f" }"#, #"{ "asset": "music", "duration": "1s" }"#,
        ]
        let text = editText(items, assets: ["a", "music"], outputs: #"[{ "preset": "h246" }]"#)
        let compiled = try Compiled(text, CompileErrorTests.assets)
        let rules = compiled.errors.map(\.rule)
        #expect(rules == ["off-frame", "in-past-end", "segments-overlap", "no-picture", "unknown-preset"])
        #expect(compiled.errors.last?.suggestion == "\"h264\"")
    }

    @Test func anErrorOffersTheNearestFrame() throws {
        let compiled = try Compiled(
            CompileErrorTests.text([#"{ "asset": "a", "duration": "2.51s" }"#]),
            CompileErrorTests.assets
        )
        #expect(compiled.errors[0].suggestion == "\"63f\"")
    }

    /// The length of a range is the source's: what is offered is no error itself.
    @Test(arguments: [("-20", "4/5"), ("1/2", "1/25"), ("3", "24/25")])
    func theLengthOfARangeIsOfferedInSourceTime(speed: String, length: String) throws {
        func errors(_ length: String) throws -> [Finding] {
            let items = #"{ "asset": "a", "range": ["1s", "\#(length)"], "speed": "\#(speed)", "sound": false }"#
            return try Compiled(CompileErrorTests.text([items]), CompileErrorTests.assets).errors
        }
        let wrong = try errors(speed == "1/2" ? "0.03s" : "1s")
        #expect(wrong.map(\.rule) == ["off-frame"] && wrong[0].suggestion == "\"\(length)\"", "\(wrong)")
        #expect(try errors(length).isEmpty)
    }

    @Test func aRangeMayBeginAtAFrameOfTheSource() throws {
        let (numbered, timed) = (##"["#10", "25f"]"##, #"["0.4s", "25f"]"#)
        let plans = try [numbered, timed].map { range in
            try Compiled(
                CompileErrorTests.text(["{ \"asset\": \"a\", \"range\": \(range) }"]),
                CompileErrorTests.assets
            ).plan()
        }
        #expect(plans[0].segments == plans[1].segments && plans[0].frameCount == 25)
    }

    /// A time between the last frame that there is and the next one: that next one is no help.
    @Test(arguments: [("60.02s", "1500f"), ("60.01s", "1500f"), ("59.99s", "1500f"), ("30ms", "1f"), ("10ms", "1f")])
    func noFrameIsOfferedThatThereIsNot(duration: String, frame: String) throws {
        let items = #"{ "asset": "a", "duration": "\#(duration)" }"#
        let errors = try Compiled(CompileErrorTests.text([items]), CompileErrorTests.assets).errors
        #expect(errors.map(\.rule) == ["off-frame"] && errors[0].suggestion == "\"\(frame)\"", "\(errors)")
    }

    @Test func farPastTheEndNoFrameIsOffered() throws {
        let items = #"{ "asset": "a", "duration": "70.01s" }"#
        let errors = try Compiled(CompileErrorTests.text([items]), CompileErrorTests.assets).errors
        #expect(errors.map(\.rule) == ["past-end"] && errors[0].suggestion == nil, "\(errors)")
        #expect(errors[0].message == "70 s are wanted, but asset \"a\" has only 60 s")
    }

    @Test(arguments: [(["59.99s", "1f"], "1499f"), (["59s", "1.01s"], "25f"), (["0s", "60.02s"], "1500f")])
    func norOneOfARangePastTheEdit(range: [String], frame: String) throws {
        let text = CompileErrorTests.text([#"{ "asset": "a" }"#])
        let errors = try Compiled(text, CompileErrorTests.assets, CompileOptions(range: range)).errors
        #expect(errors.map(\.rule) == ["off-frame"] && errors.first?.suggestion == "\"\(frame)\"", "\(errors)")
    }

    /// A millionth of a frame apart: rounded they would read “begins at 2 s, before … ends at 2 s”.
    @Test func unequalTimesDoNotLookEqual() throws {
        let items = [CompileErrorTests.good, #"{ "asset": "a", "at": "19999999/10000000", "snap": "nearest" }"#]
        let errors = try Compiled(CompileErrorTests.text(items), CompileErrorTests.assets).errors
        let words = "begins at 19999999/10000000 s, before the one before it ends at 2 s"
        #expect(errors.first?.message.contains(words) == true, "\(errors)")
    }

    @Test(arguments: [
        ("silent", #"{ "asset": "silent" }"#, "no-sound"),
        ("music", #"{ "asset": "music", "in": "10s" }"#, "in-past-end"),
        ("music", #"{ "asset": "music", "duration": "11s" }"#, "past-end"),
        ("music", ##"{ "asset": "music", "in": "#3" }"##, "frame-number"),
        ("music", #"{ "asset": "music", "track": "audio/1" }"#, "unknown-source-track"),
    ])
    func tracksOfSoundAreCheckedToo(asset: String, item: String, rule: String) throws {
        let text = """
            { "schema": "edit/1", "assets": { "\(asset)": "x" },
              "tracks": [ { "kind": "audio", "segments": [ \(item) ] } ] }
            """
        #expect(try Compiled(text, CompileErrorTests.assets).errors.map(\.rule) == [rule])
    }

    /// Only the asset's rate, which the edit takes over, shows that there is no drop frame.
    @Test func aTimecodeIsCheckedAtTheRateThatIsImplied() throws {
        let text = """
            { "schema": "edit/1", "assets": { "a": "x" }, "tracks": [
              { "kind": "video", "segments": [ { "asset": "a", "duration": "00:00:01;12" } ] } ] }
            """
        let errors = try Compiled(text, CompileErrorTests.assets).errors
        #expect(errors.map(\.rule) == ["timecode"] && errors[0].line == 2)
    }

    @Test func nothingOnTheTimelineIsAnError() throws {
        let text = #"{ "schema": "edit/1", "assets": {}, "tracks": [ { "kind": "video", "segments": [] } ] }"#
        let read = EditReader.read(text)
        guard read.document != nil else { return }
        #expect(try Compiled(text, [:]).errors.map(\.rule) == ["empty-edit"])
    }

    @Test func aacNeedsASampleRateThatItHas() throws {
        let text = """
            { "schema": "edit/1", "format": { "sampleRate": 192000 }, "assets": { "fast": "x" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "fast" } ] } ] }
            """
        #expect(try Compiled(text, CompileErrorTests.assets).errors.map(\.rule) == ["sample-rate"])
        let lossless = try Compiled(text, CompileErrorTests.assets, CompileOptions(preset: "lossless"))
        #expect(lossless.errors.isEmpty)
    }
}

/// Small documents that ask for a lot.
@Suite struct CompileLimitTests {
    @Test func manyTracksAreRefused() throws {
        let track = #"{ "kind": "video", "segments": [ { "asset": "a", "duration": "1s" } ] }"#
        func text(_ count: Int) -> String {
            let tracks = Array(repeating: track, count: count).joined(separator: ",")
            return "{ \"schema\": \"edit/1\", \"assets\": { \"a\": \"x\" }, \"tracks\": [ \(tracks) ] }"
        }
        #expect(try Compiled(text(257), CompileErrorTests.assets).errors.map(\.rule) == ["too-many"])
        #expect(try Compiled(text(256), CompileErrorTests.assets).errors.isEmpty)
    }

    /// Clips that overlap lie on two tracks of the composition, and titles among those of picture. Planning refuses more
    /// than 256; the finding names the track of the edit with which there are more.
    @Test(arguments: [
        (overlapping: 129, titles: 0, "258 tracks of picture and titles", 128),
        (overlapping: 128, titles: 1, "257 tracks of picture and titles", 128),
        (overlapping: 128, titles: 0, nil, 0),
    ])
    func tracksOfTheCompositionAreCounted(overlapping: Int, titles: Int, sentence: String?, track: Int) throws {
        let clip = #"{ "asset": "a", "duration": "2s" }"#
        let pair = "\(clip), \(CompileErrorTests.dissolve), \(clip)"
        let cut = #"{ "kind": "video", "mute": true, "segments": [ \#(pair) ] }"#
        let shape = #"{ "layer": "shape", "shape": "ellipse", "size": [10, 10] }"#
        let title = #"{ "kind": "title", "segments": [ { "duration": "1s", "layers": [ \#(shape) ] } ] }"#
        let tracks = Array(repeating: cut, count: overlapping) + Array(repeating: title, count: titles)
        let text = """
            { "schema": "edit/1", "assets": { "a": "x" }, "tracks": [ \(tracks.joined(separator: ",")) ] }
            """
        let compiled = try Compiled(text, CompileErrorTests.assets)
        let errors = compiled.errors
        if let sentence {
            #expect(compiled.composition == nil && errors.map(\.rule) == ["too-many"], "\(errors)")
            #expect(errors.first?.message.contains(sentence) == true, "\(errors)")
            #expect(errors.first?.pointer == "/tracks/\(track)", "\(errors)")
        } else {
            #expect(errors.isEmpty && compiled.composition?.videoTracks.count == 256, "\(errors)")
        }
    }

    /// The sound of a track of picture counts among those of sound.
    @Test func tracksOfSoundAreCountedWithThePictures() throws {
        let clip = #"{ "asset": "a", "duration": "2s" }"#
        let cut = #"{ "kind": "video", "segments": [ \#(clip), \#(CompileErrorTests.dissolve), \#(clip) ] }"#
        let sound = #"{ "kind": "audio", "segments": [ \#(clip) ] }"#
        func errors(_ sounds: Int) throws -> [Finding] {
            let tracks = Array(repeating: sound, count: sounds) + [cut]
            let text = """
                { "schema": "edit/1", "assets": { "a": "x" }, "tracks": [ \(tracks.joined(separator: ",")) ] }
                """
            return try Compiled(text, CompileErrorTests.assets).errors
        }
        #expect(try errors(254).isEmpty)
        let refused = try errors(255)
        #expect(refused.map(\.rule) == ["too-many"] && refused.first?.pointer == "/tracks/255", "\(refused)")
        #expect(refused.first?.message.contains("257 tracks of sound") == true, "\(refused)")
    }

    @Test func layersOverManyCutsAreRefusedBeforeTheyAreWorkedOut() throws {
        var composition = try Compiled.dissolveWithSound()
        var piece = composition.videoTracks[0].segments[0]
        piece.target = FrameRange(start: 0, count: 1)
        composition.frameCount = 10_000
        composition.videoTracks[0].segments = (Int64(0)..<10_000).map { frame in
            var next = piece
            next.target = FrameRange(start: frame, count: 1)
            return next
        }
        let layers = Array(repeating: LayerInstruction(track: composition.videoTracks[0].id), count: 200)
        let frames = FrameRange(start: 0, count: 10_000)
        composition.instructions = [VideoCompositionInstruction(frames: frames, layers: layers)]
        let facts = [SampleAsset.digest("a"): SampleAsset.minute("a").facts]
        // 20,000 for any composition, and ten for each of 10,000 segments, an instruction, its 200 layers and three pieces of sound.
        #expect(throws: PlanError.tooComplex(20_000 + 10 * 10_204)) {
            try Planner.plan(composition, output: 0, facts: facts, segmentCount: nil)
        }
    }

    /// Each track has one layer in each of 5,000 instructions: a short text, and gigabytes when tracks are more.
    @Test func layersAreCountedBeforeTheyAreMade() throws {
        func text(_ count: Int) -> String {
            let cut = #"{ "asset": "a", "sound": false, "duration": "1f" }, { "gap": "1f" }"#
            let cuts = Array(repeating: cut, count: 2500).joined(separator: ",")
            let still = ##"{ "asset": "a", "freeze": "#0", "duration": "5000f" }"##
            let tracks = [cuts] + Array(repeating: still, count: count)
            let kinds = tracks.map { "{ \"kind\": \"video\", \"segments\": [ \($0) ] }" }.joined(separator: ",")
            return """
                { "schema": "edit/1", "format": { "frameRate": "25" }, "assets": { "a": "x" }, "tracks": [ \(kinds) ] }
                """
        }
        let errors = try Compiled(text(200), CompileErrorTests.assets).errors
        #expect(errors.map(\.rule) == ["too-many"] && errors[0].message.contains("1007500"))
        #expect(try Compiled(text(2), CompileErrorTests.assets).errors.isEmpty)
    }

    /// What is counted is what would be made.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5]) func theCountOfLayersIsExact(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let tracks = (0..<7).map { track in
            var end: Int64 = 0
            return (0..<20).map { _ in
                let start = end + Int64.random(in: 0...3, using: &numbers)
                end = start + Int64.random(in: 1...9, using: &numbers)
                let frames = FrameRange(start: start, count: end - start)
                return LayerSpan(frames: frames, layer: LayerInstruction(track: "\(track)"))
            }
        }
        let assembly = InstructionAssembly(tracks: tracks, frameCount: 400)
        let made = assembly.instructions()
        #expect(assembly.pieceCount() == made.map(\.layers.count).reduce(made.count, +))
    }

    @Test func noMoreIsSaidThanAnyoneReads() throws {
        let items = Array(repeating: #"{ "asset": "a", "in": "61s", "duration": "1s" }"#, count: 3000)
        let compiled = try Compiled(editText(items, assets: ["a"]), CompileErrorTests.assets)
        #expect(compiled.errors.count == FindingShortlist.most + 1 && compiled.composition == nil)
    }
}
