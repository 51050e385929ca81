import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

@Suite struct EditReaderTests {
    private func edit(_ text: String, parameters: [String: String] = [:]) throws -> Edit {
        let result = EditReader.read(text, parameters: parameters)
        #expect(result.findings.isEmpty)
        guard case .edit(let edit) = try #require(result.document) else { throw TestError.noEdit }
        return edit
    }

    enum TestError: Error { case noEdit }

    /// A short text may ask for a long one over and over: it is an edit of that length.
    @Test(arguments: [#""{{a}}""#, #""{{a}} and {{a}}""#, #"{ "$param": "a" }"#])
    func whatParametersMakeIsLimited(use: String) throws {
        func text(_ length: Int) -> String {
            let value = String(repeating: "x", count: length)
            let titles = Array(repeating: #"{ "text": \#(use), "duration": "1s" }"#, count: 100).joined(separator: ", ")
            return """
                { "schema": "edit/1", "params": { "a": { "type": "string", "default": "\(value)" } },
                  "tracks": [ { "kind": "title", "segments": [ \(titles) ] } ] }
                """
        }
        let result = EditReader.read(text(100_000))
        #expect(result.document == nil)
        #expect(result.findings.map(\.rule) == ["limit"])
        #expect(result.findings[0].pointer.hasPrefix("/tracks/0/segments/"))
        let small = EditReader.read(text(1000))
        #expect(small.document != nil && (100_000...400_000).contains(small.parameterBytes))
        // All edits of a submission have one allowance.
        let late = EditReader.read(text(1000), parameterBytes: (8 << 20) - 50_000)
        #expect(late.findings.map(\.rule) == ["limit"])
    }

    /// When nobody waits for the result, neither the rest of the text nor what is in it is looked at, and nothing that
    /// was read is used.
    @Test func whatNobodyWaitsForIsNotRead() async throws {
        let long = "[" + Array(repeating: "1", count: 2000).joined(separator: ", ") + ", 01]"
        let wrong = #"{ "schema": "edit/1", "tracks": [ { "kind": "video", "segments": [ { "aset": 1 } ] } ] }"#
        #expect(!EditReader.read(wrong).findings.isEmpty)
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let json = JSONReader.read(long, isCancellable: true)
            #expect(json.root == nil && json.findings.isEmpty)
            #expect(JSONReader.read(long).findings.count == 1)
            let context = ReadingContext()
            let node = JSONReader.read(wrong).root
            #expect(node.map { DocumentReader(context: context).read($0, parameters: [:]) } == .some(nil))
            #expect(!context.hasErrors)
            for text in [wrong, SampleEdits.complete] {
                let result = EditReader.read(text)
                #expect(result.document == nil && result.draft == nil)
                #expect(result.findings.map(\.message) == ["reading was stopped, because nobody waits for it any more"])
            }
        }.value
    }

    /// A name may be as long as the text. Findings of what stands below it are no longer for that.
    @Test func findingsOfLongNamesAreShort() {
        let name = String(repeating: "é", count: 50_000)
        let keys = "\"\(name)\": 1, " + (0..<300).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let result = EditReader.read(#"{ "schema": "edit/1", "assets": { "\#(name)": { \#(keys) } }, "tracks": [] }"#)
        #expect(result.findings.count == FindingShortlist.most + 1)
        for finding in result.findings {
            #expect(finding.pointer.utf8.count <= 2003 && finding.message.utf8.count <= 2003)
            #expect(finding.suggestion.map { $0.utf8.count <= 2000 } ?? true)
        }
        let first = result.findings.first { $0.pointer.contains("é") }
        #expect(first?.pointer.hasPrefix("/assets/éé") == true && first?.pointer.hasSuffix("é…") == true)
    }

    /// The canonical form of a text, by which it is compared, takes time with the square of its combining marks in a row.
    @Test(arguments: ["\u{301}\u{323}", #"\u0301\u0323"#, "\u{f73}"])
    func endlessCombiningMarksAreRefused(marks: String) {
        func read(_ count: Int) -> EditReadResult {
            EditReader.read("{\n\"a" + String(repeating: marks, count: count) + "\": 1 }")
        }
        #expect(!read(15).findings.contains { $0.rule == "encoding" })
        for count in [16, 100_000] {
            let findings = read(count).findings
            #expect(findings.map(\.rule) == ["encoding"])
            #expect(findings[0].message.hasPrefix("line 2 has more than 30 combining marks in a row"))
        }
    }

    /// Each part is within the limit, and all of them in a row are not, whatever stands before them.
    @Test(arguments: ["x", #"\\"#, #"x\\\\"#]) func marksOfParametersCountTogether(start: String) {
        func read(_ count: Int) -> EditReadResult {
            let marks = String(repeating: "\u{301}", count: 30)
            let name = start + String(repeating: "{{p}}", count: count)
            let params = "\"params\": { \"p\": { \"type\": \"string\", \"default\": \"\(marks)\" } }, \"assets\": {"
            let text = SampleEdits.video("{ \"asset\": \"\(name)\" }").replacing("\"assets\": {", with: params)
            return EditReader.read(text)
        }
        #expect(!read(1).findings.contains { $0.rule == "encoding" })
        let found = read(10_000).findings.filter { $0.rule == "encoding" }
        #expect(found.count == 1 && found[0].pointer.hasSuffix("/asset"))
    }

    /// What is not listed is not made, and what is longer than any mistake of spelling is not compared.
    @Test func manyMistakesBesideALongNameCostLittle() {
        let name = String(repeating: "n", count: 100_000)
        let keys = (0..<2000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
        let below = #"{ "schema": "edit/1", "assets": { "\#(name)": { \#(keys) } }, "tracks": [] }"#
        let segments = (0..<2000).map { #"{ "asset": "x\#($0)" }"# }.joined(separator: ", ")
        let beside = SampleEdits.video(segments).replacing(
            "\"assets\": {",
            with: "\"assets\": { \"\(name)\": \"n.mp4\","
        )
        let params = (0..<2000).map { #"{ "asset": "a", "in": { "$param": "p\#($0)" } }"# }.joined(separator: ", ")
        let filled = SampleEdits.video(params).replacing(
            "\"assets\": {",
            with: "\"params\": { \"\(name)\": { \"default\": 1 } }, \"assets\": {"
        )
        for text in [below, beside, filled] {
            let meter = WorkMeter()
            let result = WorkMeter.$current.withValue(meter) { EditReader.read(text) }
            #expect(result.findings.count >= FindingShortlist.most)
            // A step for each listed finding and for each kilobyte of its place, and a few for each mistake.
            #expect(meter.steps < 25_000, "\(result.findings[0])")
        }
    }

    @Test func readsTheFormat() throws {
        let format = try edit(SampleEdits.complete).format
        #expect(format.size?.value == PictureSize(width: 1280, height: 720))
        #expect(try format.frameRate?.value == FrameRate(30_000, 1001))
        #expect(format.sampleRate?.value == 48_000)
        #expect(format.channels?.value == 2)
        #expect(format.color?.value == .bt709)
        #expect(format.background?.value == "#102030")
        #expect(format.frameRate?.mark == SourceMark(pointer: "/format/frameRate", line: 3, column: 49))
    }

    @Test func readsAssetsAndParameters() throws {
        let digest = try #require(ContentDigest(hex: String(repeating: "0a", count: 32)))
        let expected: [String: AssetSource] = [
            "a": .path("media/a.mp4"), "b": .path("b.mp4"),
            "c": .url(
                RemoteSource(
                    "https://example.org/b.mp4",
                    digest: ContentDigest(hex: String(repeating: "0b", count: 32)),
                    entityTag: "\"1-a\"",
                    version: "2"
                )
            ),
            "d": .digest(digest),
            "e": .generated(
                GeneratedPicture(
                    kind: .gradient,
                    size: PictureSize(width: 64, height: 36),
                    colors: ["#000000", "#ffffff"],
                    direction: .down,
                    frameRate: try FrameRate(30_000, 1001)
                )
            ),
            "n": .edit("intro.json", parameters: ["title": "One"]),
            "r": .raw(
                "r.yuv",
                .picture(
                    RawPicture(
                        pixelFormat: .nv12,
                        size: PictureSize(width: 64, height: 36),
                        frameRate: try FrameRate(25)
                    )
                )
            ),
            "s": .raw("s.pcm", .sound(RawSound(sampleFormat: .u8, sampleRate: 8000, channels: 1))),
            "t": .generatedSound(
                GeneratedSound(
                    kind: .tone,
                    sampleRate: 48_000,
                    channels: 1,
                    sampleCount: 48_000,
                    level: -12_000_000,
                    frequencies: [440_000_000],
                    wave: .square
                )
            ),
            "w": .generatedSound(
                GeneratedSound(
                    kind: .sweep,
                    sampleRate: 48_000,
                    channels: 2,
                    sampleCount: 60 * 48_000,
                    level: -20_000_000,
                    frequencies: [20_000_000, 1_000_000_000],
                    course: .linear
                )
            ),
            "h": .generatedSound(
                GeneratedSound(
                    kind: .noise,
                    sampleRate: 44_100,
                    channels: 1,
                    sampleCount: 60 * 44_100,
                    level: -20_000_000,
                    color: .brown,
                    seed: 7
                )
            ),
            "v": .speech(SpokenText(text: "Hi", voice: "en", rate: 160, pitch: 40, gap: 1)),
        ]
        #expect(try edit(SampleEdits.complete).assetSources == expected)
        let given = try edit(SampleEdits.complete, parameters: ["clip": "c.mov", "gain": "0.25"])
        #expect(given.assetSources["b"] == .path("c.mov"))
        #expect(given.tracks[1].volume?.value == .level(VolumeLevel(millionths: 250_000, unit: .linear)))
    }

    @Test func readsVideoTracks() throws {
        let edit = try edit(SampleEdits.complete)
        let track = edit.tracks[0]
        #expect(edit.snap?.value == .nearest)
        #expect(track.kind == .video && track.id?.value == "main" && track.sound?.value == true)
        #expect(track.volume?.value == .level(VolumeLevel(millionths: -3_000_000, unit: .decibel)))
        guard case .segment(let first) = track.items[0], case .transition(let dissolve) = track.items[1],
            case .segment(let second) = track.items[2], case .gap(let gap) = track.items[3],
            case .segment(let third) = track.items[4]
        else { throw TestError.noEdit }
        #expect(first.start?.value == .frameNumber(12))
        #expect(try first.duration?.value.seconds(at: FrameRate(30_000, 1001)) == RationalTime(150 * 1001, 30_000))
        #expect(first.fit?.value == .cover && first.language?.value == "de" && first.sound?.value == false)
        #expect(
            dissolve.kind == .dissolve && dissolve.duration.value == .frames(15) && dissolve.audio?.value == .linear
        )
        #expect(try second.range?.start.value == .seconds(RationalTime(1001, 30_000)))
        #expect(second.range?.duration.value == .seconds(RationalTime(whole: 2)))
        #expect(second.track?.value == SourceTrack(kind: .video, number: 0) && second.snap?.value == .never)
        #expect(try gap.duration.value == .seconds(RationalTime(3, 20)))
        #expect(third.at?.value == .seconds(RationalTime(whole: 20)))
        #expect(third.duration?.value == .samples(48_000, rate: 44_100))
        #expect(third.mark.pointer == "/tracks/0/segments/4")
    }

    @Test func readsAudioTracksAndOutputs() throws {
        let edit = try edit(SampleEdits.complete)
        guard case .segment(let segment) = edit.tracks[1].items[0], case .keys(let keys) = segment.volume?.value else {
            throw TestError.noEdit
        }
        #expect(segment.track?.value == SourceTrack(kind: .audio, number: 1))
        #expect(keys.map(\.ease?.value) == [.hold, .linear])
        #expect(keys.map(\.level.value.millionths) == [0, -6_500_000])
        #expect(keys[1].at.value == .seconds(RationalTime(whole: -1)))
        #expect(edit.outputs.map(\.preset.value) == ["h264", "lossless", "match"])
        #expect(edit.outputs.map(\.file?.value) == ["out.mp4", nil, nil])
        #expect(edit.outputs.map(\.match?.value) == [nil, nil, "a"])
        #expect(edit.outputs[0].range?.start.value == .seconds(RationalTime(whole: 1)))
    }

    @Test func readsBytesThatAreUTF8Only() {
        #expect(EditReader.read(utf8: Array(SampleEdits.complete.utf8)).document != nil)
        let result = EditReader.read(utf8: [0x7B, 0xFF, 0x7D])
        #expect(result.document == nil && result.findings.map(\.rule) == ["encoding"])
        let damaged = EditReader.read("{ \"schema\":\n\"edit/1\",\0\"assets\": {} }").findings
        #expect(
            damaged.map(\.message) == [
                "line 2 has the byte 0, which no text has; the file is damaged, or of another format"
            ]
        )
    }

    /// All at once and in the order of the text; no document as soon as one is an error.
    @Test func reportsEverythingAtOnce() {
        let text = """
            { "schema": "edit/1", "asets": {}, "assets": { "a": "a.mp4", "b": "b.mp4" },
              "tracks": [ { "kind": "video", "segments": [
                { "asset": "c", "in": 2.5 },
                { "asset": "a", "duration": "1x", "until": "picture" } ] } ],
              "outputs": [ { } ] }
            """
        let result = EditReader.read(text)
        #expect(result.document == nil)
        let rules = [
            "unknown-key", "unknown-asset", "time-is-number", "time-syntax", "unsupported",
            "missing-key",
        ]
        #expect(result.findings.map(\.rule) == rules)
        #expect(result.findings.map(\.line) == [1, 3, 3, 4, 4, 5])
    }

    @Test func aWarningAloneIsNoError() {
        let result = EditReader.read(
            SampleEdits.video(#"{ "asset": "a" }"#).replacing("\"a.mp4\"", with: "\"a.mp4\", \"b\": \"b\"")
        )
        #expect(result.findings.map(\.severity) == [.warning])
        #expect(result.document != nil)
    }

    @Test func cutsOffEndlessFindings() {
        let segments = String(repeating: #"{ "asset": "nobody", "in": 1 },"#, count: 1000)
        let result = EditReader.read(SampleEdits.video(segments))
        #expect(result.findings.count == FindingShortlist.most + 1)
        #expect(result.findings.last?.message.contains("1900 more") == true)
    }

    @Test func givesFindingsAPlace() throws {
        let result = EditReader.read(SampleEdits.complete)
        let finding = Finding(rule: .offFrame, pointer: "/tracks/0/segments/3/gap", line: 0, column: 0, message: "x")
        let located = result.located(finding)
        #expect((located.line, located.column) == (24, 16))
        #expect(EditReader.read("").located(finding) == finding)
    }
}
