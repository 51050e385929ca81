import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Edits as assets of edits: what they compile to, and how planning sees through them.
@Suite struct NestedEditTests {
    private let footage = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b")]

    /// 10 s of a, a dissolve of 1 s, 8 s of b, 2 s of nothing, 4 s of a: 23 s in all.
    private static let pieces = [
        #"{ "asset": "a", "in": "3s", "duration": "10s" }"#, #"{ "transition": "dissolve", "duration": "1s" }"#,
        #"{ "asset": "b", "duration": "8s", "scale": [{ "at": "0s", "value": 1 }, { "at": "8s", "value": 1.2 }] }"#,
        #"{ "gap": "2s" }"#, #"{ "asset": "a", "in": "30s", "duration": "4s" }"#,
    ]

    private func intro(rate: String = "25", size: String = "[1280, 720]", extra: String = "") -> NestedEdit {
        let text = editText(Self.pieces, assets: ["a", "b"], rate: rate, size: size)
        let written = extra.isEmpty ? text : text.replacingOccurrences(of: "\"tracks\"", with: extra + ", \"tracks\"")
        return NestedEdit("intro.json", written, footage)
    }

    private func outer(_ items: [String], rate: String = "25", outputs: String = #"[{ "preset": "h264" }]"#) -> String {
        editText(items, assets: ["b"], rate: rate, outputs: outputs).replacingOccurrences(
            of: #""b": "b.mp4""#,
            with: #""b": "b.mp4", "intro": { "edit": "intro.json" }"#
        )
    }

    /// What the pictures of a plan are made by; the sound is another matter.
    private func keys(_ plan: RenderPlan) -> [ContentDigest] { plan.segments.map(\.key) }

    @Test(arguments: [#"[{ "preset": "h264" }]"#, #"[{ "preset": "h264-480p" }]"#])
    func whatIsUsedAsItIsIsPlannedAsIfItsSegmentsWereWrittenOut(outputs: String) throws {
        let nested = try Compiled(
            outer([#"{ "asset": "intro" }"#, #"{ "asset": "b", "in": "20s", "duration": "5s" }"#], outputs: outputs),
            ["b": footage["b"]!],
            nested: ["intro": intro()]
        )
        let written = try Compiled(
            editText(
                Self.pieces + [#"{ "asset": "b", "in": "20s", "duration": "5s" }"#],
                assets: ["a", "b"],
                outputs: outputs
            ),
            footage
        )
        let plans = try (nested.plan(), written.plan())
        #expect(keys(plans.0) == keys(plans.1))
        #expect(plans.0.segments.map(\.startBorder) == plans.1.segments.map(\.startBorder))
        #expect(plans.0.segments.allSatisfy { $0.task.nested == nil })
        #expect(plans.0.frameCount == 28 * 25)
    }

    /// A client names the files of its nested edits.
    @Test func findingsOfAnEditWithALongNameAreShort() throws {
        let name = String(repeating: "n", count: 10_000)
        var nested = intro()
        nested.file = name
        nested.assets = [:]
        let compiled = try Compiled(outer([#"{ "asset": "intro" }"#]), footage, nested: ["intro": nested])
        #expect(compiled.errors.count >= 1)
        #expect(compiled.errors.allSatisfy { $0.file == name.prefix(2000) + "…" })
    }

    /// Planning refuses more edits than 256; the finding has a place.
    @Test(arguments: [256, 257]) func editsThatAreUsedAreLimited(count: Int) throws {
        var nested: [String: NestedEdit] = [:]
        for number in 0..<count {
            let item = #"{ "asset": "b", "in": "\#(number)f", "duration": "1f" }"#
            nested["e\(number)"] = NestedEdit("e\(number).json", editText([item], assets: ["b"]), footage)
        }
        let items = (0..<count).map { #"{ "asset": "e\#($0)" }"# }
        let assets = (0..<count).map { #""e\#($0)": { "edit": "e\#($0).json" }"# }.joined(separator: ", ")
        let text = outer(items).replacingOccurrences(of: #""intro": { "edit": "intro.json" }"#, with: assets)
        let compiled = try Compiled(text, ["b": footage["b"]!], nested: nested)
        #expect(compiled.errors.map(\.rule) == (count > 256 ? ["too-many"] : []), "\(compiled.errors)")
        if count > 256 {
            #expect(compiled.errors.first?.message.hasPrefix("257 edits are used here") == true, "\(compiled.errors)")
            #expect(compiled.errors.first?.line == 1)
        }
    }

    /// What an edit and those in it make of themselves counts together.
    @Test func allHaveOneAllowance() throws {
        let ramp = #""speed": [{ "at": "0s", "value": 0.5 }, { "at": "4s", "value": 1 }], "sound": false"#
        let item = #"{ "asset": "b", "duration": "4s", \#(ramp) }"#
        let inner = NestedEdit("intro.json", editText([item], assets: ["b"]), footage)
        func findings(_ items: [String], rampSteps: Int, pieces: Int = 100) throws -> [String] {
            let allowance = CompileAllowance()
            (allowance.rampSteps, allowance.pieces) = (rampSteps, pieces)
            let result = EditCompiler.compile(
                try #require(EditReader.read(outer(items)).document),
                assets: ["b": footage["b"]!],
                nested: ["intro": inner],
                unusable: [:],
                options: CompileOptions(),
                within: allowance,
                depth: 0
            )
            return result.findings.filter { $0.severity == .error }.map(\.rule)
        }
        let both = [#"{ "asset": "intro", "sound": false }"#, item]
        #expect(try findings(both, rampSteps: 220).isEmpty)
        #expect(try !findings(both, rampSteps: 150).isEmpty)
        #expect(try findings(both, rampSteps: 220, pieces: 3) == ["too-many"])
    }

    /// However much of the edit a segment holds: frame by frame the mask is seen at the time at which the edit is.
    @Test(
        arguments: [
            ("", 0, 1), (#""in": "3s", "#, 75, 1), (#""speed": 2, "#, 0, 2),
            (#""in": "9s", "speed": "-3/2", "#, nil, nil),
        ] as [(String, Int64?, Int64?)]
    )
    func aMaskFollowsItInAnySegment(words: String, first: Int64?, step: Int64?) throws {
        let mask = #""effects": [{ "effect": "mask", "asset": "b", "channel": "luma" }]"#
        let nested = try Compiled(
            outer(["{ \"asset\": \"intro\", \"duration\": \"40f\", \(words)\"sound\": false, \(mask) }"]),
            ["b": footage["b"]!],
            nested: ["intro": intro(rate: "24")]
        )
        let whole = try maskTimes(nested.plan(segmentCount: 1))
        #expect(whole.count == 40)
        for count in [2, 7, 31] { #expect(try maskTimes(nested.plan(segmentCount: count)) == whole) }
        guard let first, let step else { return }
        #expect(try whole == (0..<40).map { try RationalTime(first + step * $0, 25) })
    }

    /// Of the first layer's mask in each frame.
    private func maskTimes(_ plan: RenderPlan) throws -> [RationalTime] {
        try plan.segments.flatMap { segment in
            try segment.task.instructions.flatMap { instruction in
                let source = try #require(instruction.layers.first?.from)
                let mask = try #require(source.appearance?.effectSources.first)
                let end = min(instruction.frames.end, segment.task.frameCount)
                return try (instruction.frames.start..<max(end, instruction.frames.start)).map { frame in
                    let step = frame - instruction.frames.start
                    let duration = segment.task.frameRate.frameDuration
                    let time = try source.start.advanced(by: step, of: duration, speed: source.speed)
                    return try time.adding(mask.offset ?? .zero)
                }
            }
        }
    }

    /// ```
    /// intro    0 ──────────── 23 s
    /// shown         5 ── 12 s         cut in the middle of what it is made of
    /// ```
    @Test func aPartOfItIsSeenThroughToo() throws {
        let nested = try Compiled(
            outer([#"{ "asset": "intro", "in": "5.6s", "duration": "6s" }"#]),
            ["b": footage["b"]!],
            nested: ["intro": intro()]
        )
        let span = CompileOptions(range: ["5.6s", "6s"])
        let written = try Compiled(editText(Self.pieces, assets: ["a", "b"]), footage, span)
        let (plan, whole) = try (nested.plan(segmentCount: 1), written.plan(segmentCount: 1))
        #expect(keys(plan) == keys(whole))
    }

    @Test func severalLevelsAreSeenThrough() throws {
        var edit = intro()
        for level in 1...4 {
            let text = editText([#"{ "asset": "part" }"#], assets: [])
                .replacingOccurrences(of: #""assets": {  }"#, with: #""assets": { "part": { "edit": "p.json" } }"#)
            edit = NestedEdit("level\(level).json", text, [:], nested: ["part": edit])
        }
        let nested = try Compiled(outer([#"{ "asset": "intro" }"#]), ["b": footage["b"]!], nested: ["intro": edit])
        let written = try Compiled(editText(Self.pieces, assets: ["a", "b"]), footage)
        #expect(try keys(nested.plan()) == keys(written.plan()))
        #expect(nested.composition?.nested?.count == 5)
        #expect(nested.composition?.assets.map(\.name).contains("intro/part/part/part/part/a") == true)
    }

    @Test func aLimitOfLevelsIsKept() throws {
        var edit = intro()
        for _ in 1...Limits.nesting {
            let text = editText([#"{ "asset": "part" }"#], assets: [])
                .replacingOccurrences(of: #""assets": {  }"#, with: #""assets": { "part": { "edit": "p.json" } }"#)
            edit = NestedEdit("deep.json", text, [:], nested: ["part": edit])
        }
        let compiled = try Compiled(outer([#"{ "asset": "intro" }"#]), ["b": footage["b"]!], nested: ["intro": edit])
        #expect(compiled.errors.map(\.rule) == ["limit"])
        #expect(compiled.errors.first?.message == "edits are nested more than 8 deep here")
    }

    /// At another rate or size, faster, turned, transparent or against another background it is a picture of its own.
    @Test(arguments: [
        (#"{ "asset": "intro", "speed": 2 }"#, "25", "[1280, 720]", ""),
        (#"{ "asset": "intro", "rotate": 10 }"#, "25", "[1280, 720]", ""),
        (#"{ "asset": "intro", "opacity": 0.5 }"#, "25", "[1280, 720]", ""),
        (#"{ "asset": "intro" }"#, "30", "[1280, 720]", ""), (#"{ "asset": "intro" }"#, "25", "[640, 360]", ""),
    ])
    func whatIsDoneToItIsDoneToItsWholePicture(item: String, rate: String, size: String, extra: String) throws {
        let edit = intro(rate: rate, size: size)
        let compiled = try Compiled(outer([item]), ["b": footage["b"]!], nested: ["intro": edit])
        let plan = try compiled.plan()
        let tasks = plan.segments.map(\.task)
        for task in tasks {
            let slice = try #require(task.nested?.first)
            #expect(slice.size == (size == "[640, 360]" ? PictureSize(width: 640, height: 360) : task.size))
            #expect(slice.frameRate.description == rate)
            #expect(slice.instructions.map(\.frames.count).reduce(0, +) == slice.frameCount)
            #expect(task.instructions.allSatisfy { $0.layers.allSatisfy { $0.from?.isNested == true } })
            // Only what is seen comes along.
            #expect(slice.frameCount <= task.frameCount * 2 + task.postRollCount * 2 + 2)
        }
        let whole = try compiled.plan(segmentCount: 1).segments[0].task
        #expect(try CanonicalJSON.data(whole).count > 0)
    }

    @Test func itsBackgroundIsSeenWhereItHasNothing() throws {
        let edit = intro(extra: #""x-note": 1"#)
        let blue = NestedEdit(
            "intro.json",
            editText(Self.pieces, assets: ["a", "b"]).replacingOccurrences(
                of: #""channels": 2"#,
                with: ##""channels": 2, "background": "#0000ff""##
            ),
            footage
        )
        let items = [#"{ "asset": "intro" }"#]
        let plain = try Compiled(outer(items), ["b": footage["b"]!], nested: ["intro": edit]).plan(segmentCount: 1)
        #expect(plain.segments[0].task.nested == nil)
        let task = try Compiled(outer(items), ["b": footage["b"]!], nested: ["intro": blue]).plan(segmentCount: 1)
            .segments[0].task
        let gap = try #require(task.instructions.first { $0.frames.contains(18 * 25) })
        #expect(gap.layers.count == 1 && gap.layers[0].from?.isNested == true)
        // A clip that fills the frame hides the background, whichever it is.
        #expect(task.instructions.first?.layers.first?.from?.isNested == nil)
    }

    @Test func findingsInsideNameTheirFileAndPlace() throws {
        let broken = NestedEdit(
            "parts/intro.json",
            editText([#"{ "asset": "a", "in": "70s", "duration": "2s" }"#], assets: ["a"]),
            ["a": footage["a"]!]
        )
        let compiled = try Compiled(
            outer([#"{ "asset": "intro" }"#, #"{ "asset": "b", "in": "61s" }"#]),
            ["b": footage["b"]!],
            nested: ["intro": broken]
        )
        #expect(compiled.composition == nil)
        #expect(compiled.errors.map(\.rule) == ["in-past-end", "in-past-end"])
        let inside = try #require(compiled.errors.first { $0.file != nil })
        #expect(inside.file == "parts/intro.json" && inside.line > 0)
        let line = FindingsPrinter.line(inside, file: "outer.json")
        #expect(line.hasPrefix("parts/intro.json:\(inside.line):\(inside.column): error: "))
    }

    @Test func theFormatMayComeFromIt() throws {
        let text = outer([#"{ "asset": "intro" }"#]).replacingOccurrences(
            of: #""format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },"#,
            with: ""
        )
        let compiled = try Compiled(
            text,
            ["b": footage["b"]!],
            nested: ["intro": intro(rate: "30", size: "[640, 480]")]
        )
        let format = try #require(compiled.composition?.format)
        #expect(format.size == PictureSize(width: 640, height: 480) && format.frameRate.description == "30")
    }

    @Test func itsSoundIsASourceOfItsOwn() throws {
        let compiled = try Compiled(
            outer([#"{ "asset": "intro", "in": "2s", "duration": "5s", "volume": "-6dB" }"#]),
            ["b": footage["b"]!],
            nested: ["intro": intro()]
        )
        let sound = try #require(try compiled.plan().sound)
        let nested = try #require(sound.nested?.first)
        #expect(nested.sampleRate == 48_000 && nested.sampleCount == 23 * 48_000)
        let segment = try #require(sound.tracks.first?.segments.first)
        #expect(segment.isNested == true && segment.asset == 0 && segment.sourceStart == 96_000)
        // Of what it plays, what is heard from 2 s to 7 s.
        let clips = nested.tracks.flatMap(\.segments)
        #expect(!clips.isEmpty && clips.allSatisfy { $0.start < 8 * 48_000 && $0.start + $0.count > 48_000 })
        #expect(Set(clips.map(\.asset)) == Set(sound.assets.indices))
    }

    @Test func valuesOfItsParametersAreGiven() throws {
        let read = EditReader.read(
            """
            { "schema": "edit/1", "assets": { "intro": { "edit": "i.json", "params": { "title": "Hello", "n": 2.50 } } },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "intro" }] }] }
            """
        )
        guard case .edit(let edit) = read.document else {
            Issue.record("\(read.findings)")
            return
        }
        #expect(edit.assets["intro"]?.value == .edit("i.json", parameters: ["title": "Hello", "n": "2.50"]))
    }

    @Test func theCompositionIsAcceptedAgain() throws {
        let compiled = try Compiled(
            outer([#"{ "asset": "intro", "speed": "1/2" }"#]),
            ["b": footage["b"]!],
            nested: ["intro": intro()]
        )
        let composition = try #require(compiled.composition)
        #expect(composition.findings().isEmpty)
        let text = String(decoding: try CanonicalJSON.data(composition), as: UTF8.self)
        let assets = Dictionary(
            uniqueKeysWithValues: composition.assets.map { asset in
                (asset.name, CompilerAsset(digest: asset.digest, facts: compiled.facts[asset.digest]!))
            }
        )
        let again = try Compiled(text, assets)
        #expect(again.composition == composition, "\(again.findings)")
    }

    @Test func aCompositionThatIsWrongInsideIsRefused() throws {
        let compiled = try Compiled(
            outer([#"{ "asset": "intro" }"#]),
            ["b": footage["b"]!],
            nested: ["intro": intro()]
        )
        var composition = try #require(compiled.composition)
        composition.nested?[0].videoTracks[0].segments[0].isNested = true
        #expect(composition.findings().map(\.pointer).contains("/nested/0/videoTracks/0/segments/0/asset"))
        composition.nested = nil
        #expect(composition.findings().contains { $0.rule == "unknown-asset" })
    }

    @Test func anEditIsNoMapAndNoImage() throws {
        let text = outer([
            #"{ "asset": "b", "duration": "3s" }"#,
            #"{ "transition": "luma", "map": "intro", "duration": "1s" }"#,
            #"{ "asset": "b", "in": "10s", "duration": "3s" }"#,
        ])
        let compiled = try Compiled(text, ["b": footage["b"]!], nested: ["intro": intro()])
        #expect(compiled.errors.map(\.rule).contains("no-picture"))
    }
}
