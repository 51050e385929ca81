import EditSamples
import Foundation
import Planning
import Testing
import Timing

@testable import CompositionModel
@testable import EditLanguage

/// Transitions as an edit writes them, and what becomes of them.
@Suite struct TransitionReadingTests {
    private static func items(_ transition: String) -> [String] {
        [#"{ "asset": "a", "duration": "2s" }"#, transition, #"{ "asset": "a", "in": "9s", "duration": "2s" }"#]
    }

    /// The look in the composition of `A, transition, A`.
    private func look(_ keys: String) throws -> TransitionLook? {
        let text = editText(Self.items("{ \"transition\": \(keys), \"duration\": \"10f\" }"), assets: ["a"])
        let compiled = try Compiled(text, ["a": SampleAsset.minute("a")])
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        #expect(composition.findings().isEmpty)
        let ramp = try #require(composition.instructions[1].layers.first?.transition)
        #expect(ramp.firstStep == 0 && ramp.steps == 10)
        return ramp.look
    }

    private func findings(_ keys: String) -> [Finding] {
        let items = Self.items("{ \"transition\": \(keys), \"duration\": \"10f\" }").joined(separator: ", ")
        return EditReader.read(SampleEdits.video(items)).findings
    }

    @Test(arguments: TransitionName.all) func everyNameIsTaken(name: String) throws {
        let map = TransitionName.look(name)?.kind == .luma ? #", "map": "a""# : ""
        let look = try look(JSONText.quoted(name) + map)
        #expect((look?.kind ?? .dissolve) == TransitionName.look(name)?.kind)
    }

    @Test func everyKindOfFFmpegHasItsName() {
        let names = TransitionKind.allCases.compactMap(\.xfadeName)
        #expect(Set(names).count == 58 && names.count == 58)
        for name in names { #expect(TransitionName.look("xfade-" + name)?.kind.xfadeName == name) }
        // A dissolve is what everybody but FFmpeg calls so.
        #expect(TransitionName.look("dissolve")?.kind == .dissolve)
    }

    @Test func otherWordsMeanAKindWithParameters() throws {
        #expect(try look("\"fade\"") == nil)
        #expect(try look("\"dip\"") == look(##""fadeThrough", "color": "#000000""##))
        #expect(try look("\"smpte-201\"") == look(#""clock", "direction": "up""#))
        #expect(try look("\"smpte-22\"") == look(#""barnDoor", "direction": "down""#))
        #expect(try look(#""smpte-1", "direction": "left""#) == look(#""wipe", "direction": "left""#))
        #expect(try look("\"smpte-221\"") == look(#""sweep", "direction": "down""#))
        #expect(try look("\"smpte-213\"") == look(#""doubleFan", "direction": "up""#))
    }

    @Test func aMapIsAnAssetOfTheComposition() throws {
        let items = Self.items(##"{ "transition": "luma", "map": "m", "softness": 0.1, "duration": "10f" }"##)
        let assets = ["a": SampleAsset.minute("a"), "m": SampleAsset.minute("m")]
        let compiled = try Compiled(editText(items, assets: ["a", "m"]), assets)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        #expect(composition.assets.map(\.name) == ["a", "m"] && composition.findings().isEmpty)
        let look = try #require(composition.instructions[1].layers[0].transition?.look)
        #expect(look.map == TransitionMap(asset: 1, stream: 0))
        var broken = composition
        broken.instructions[1].layers[0].transition?.look?.map?.asset = 2
        #expect(broken.findings().map(\.rule) == ["transition-look"])
        // A task numbers its own assets.
        let plan = try compiled.plan()
        let task = try #require(plan.segments.first?.task)
        let maps = task.instructions.compactMap { $0.layers.first?.transition?.look?.map }
        #expect(maps.map { task.assets[$0.asset] } == [composition.assets[1].digest])
    }

    @Test func theCanonicalFormIsExplicit() throws {
        let push = try #require(try look("\"push\""))
        #expect(push.direction == .left && push.ease == nil)
        let edge = try #require(
            try look(#""iris", "shape": "star", "softness": 0.25, "border": 0.1, "ease": "outCubic""#)
        )
        #expect(edge.softness == 250_000 && edge.border == 100_000 && edge.borderColor == "#ffffff")
        #expect(edge.shape == .star && edge.direction == .up && edge.ease?.name == "outCubic")
        #expect(
            try look(#""wipe", "softness": 0, "border": 0.0, "reversed": false, "ease": "linear""#) == look("\"wipe\"")
        )
    }

    @Test func aDissolveKeepsItsCanonicalForm() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let plain = LayerInstruction(from: "a", to: "b", transition: TransitionRamp(firstStep: 0, steps: 10))
        let text = String(decoding: try encoder.encode(plain), as: UTF8.self)
        #expect(text == #"{"dissolve":{"firstStep":0,"steps":10},"from":"a","to":"b"}"#)
        let push = try #require(try look("\"push\""))
        let ramp = TransitionRamp(firstStep: 2, steps: 10, look: push)
        let other = LayerInstruction(from: "a", to: nil, transition: ramp)
        let otherText = String(decoding: try encoder.encode(other), as: UTF8.self)
        let look = #"{"direction":"left","kind":"push"}"#
        #expect(otherText == #"{"from":"a","transition":{"firstStep":2,"look":"# + look + #","steps":10}}"#)
        for layer in [plain, other] {
            #expect(try JSONDecoder().decode(LayerInstruction.self, from: encoder.encode(layer)) == layer)
        }
    }

    struct Wrong: Sendable {
        let keys: String
        let rule: FindingRule
        var says = ""
        var suggestion: String?
    }

    static let wrong = [
        Wrong(keys: "\"wipleft\"", rule: .unknownValue, suggestion: "\"wipeleft\""),
        Wrong(keys: "\"barndor\"", rule: .unknownValue, suggestion: "\"barnDoor\""),
        Wrong(keys: #""push", "softness": 0.1"#, rule: .contradiction, says: "\"direction\""),
        Wrong(keys: #""wipeleft", "direction": "left""#, rule: .contradiction, says: "only \"ease\""),
        Wrong(keys: #""push", "direction": "upLeft""#, rule: .unknownValue, says: "\"left\", \"right\""),
        Wrong(keys: #""push", "direction": "lft""#, rule: .unknownValue, suggestion: "\"left\""),
        Wrong(keys: #""wipe", "softness": 1.5"#, rule: .numberRange, says: "from 0 to 1"),
        Wrong(keys: #""wipe", "border": -0.5"#, rule: .numberRange, says: "from 0 to 1"),
        Wrong(keys: #""wipe", "border": "3px""#, rule: .wrongType),
        Wrong(keys: #""clock", "count": 17"#, rule: .numberRange, says: "from 1 to 16"),
        Wrong(keys: #""iris", "shape": "stra""#, rule: .unknownValue, suggestion: "\"star\""),
        Wrong(keys: #""dip", "color": "black""#, rule: .unknownValue, suggestion: "\"#000000\""),
        Wrong(keys: "\"luma\"", rule: .missingKey, says: "map"),
        Wrong(keys: #""luma", "map": "b""#, rule: .unknownAsset),
        Wrong(keys: #""push", "map": "a""#, rule: .contradiction),
        Wrong(keys: #""push", "ease": "inOutQuat""#, rule: .unknownValue, suggestion: "\"inOutQuad\""),
    ]

    @Test(arguments: wrong) func findsWhatIsWrong(_ wrong: Wrong) throws {
        let findings = findings(wrong.keys)
        #expect(findings.map(\.rule) == [wrong.rule.rawValue], "\(findings)")
        let finding = try #require(findings.first)
        #expect(wrong.says.isEmpty || finding.message.contains(wrong.says), "\(finding.message)")
        if let suggestion = wrong.suggestion { #expect(finding.suggestion == suggestion) }
    }

    @Test func aTrackOfSoundOnlyCrossfades() {
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.wav" }, "tracks": [{ "kind": "audio", "segments": [
              { "asset": "a", "duration": "2s" }, { "transition": "push", "duration": "1s" },
              { "asset": "a", "duration": "2s" } ] }], "outputs": [] }
            """
        #expect(EditReader.read(text).findings.map(\.rule) == ["contradiction"])
    }

    /// A look straight from a file is not trusted.
    @Test func aBrokenLookIsFound() throws {
        let text = editText(Self.items(#"{ "transition": "clock", "duration": "10f" }"#), assets: ["a"])
        let compiled = try Compiled(text, ["a": SampleAsset.minute("a")])
        let sound = try #require(compiled.composition)
        let breaks: [(inout TransitionLook) -> Void] = [
            { $0.count = 0 }, { $0.count = nil }, { $0.direction = nil }, { $0.softness = 1_000_001 },
            { $0.border = -1 }, { $0.shape = .star }, { $0.color = "#000000" }, { $0.kind = .push },
            { ($0.border, $0.borderColor) = (5, "white") }, { $0 = TransitionLook(.dissolve) },
        ]
        for change in breaks {
            var broken = sound
            change(&broken.instructions[1].layers[0].transition!.look!)
            let findings = broken.findings()
            #expect(findings.map(\.rule) == ["transition-look"], "\(findings)")
            #expect(findings.first?.pointer == "/instructions/1/layers/0/transition/look")
        }
    }
}
