import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import Timing

/// What of a picture's appearance stands in the canonical form. The edit has 1280×720 pixels at 25 fps.
@Suite struct CompileAppearanceTests {
    let assets = [
        "a": SampleAsset.minute("a"),
        // Fitted to 405×720, at 437 from the left.
        "tall": SampleAsset.asset(
            "tall",
            [SampleAsset.video(rate: FrameRateSample.fps25, seconds: 20, width: 720, height: 1280)]
        ),
    ]

    private func appearance(_ keys: String, asset: String = "a") throws -> LayerAppearance? {
        try composition(keys, asset: asset).videoTracks[0].segments[0].appearance
    }

    private func composition(_ keys: String, asset: String = "a") throws -> Composition {
        let compiled = try compiled(keys, asset: asset)
        return try #require(compiled.composition, "\(compiled.errors)")
    }

    private func compiled(_ keys: String, asset: String = "a") throws -> Compiled {
        try Compiled(editText(["{ \"asset\": \"\(asset)\", \"duration\": \"4s\", \(keys) }"], assets: [asset]), assets)
    }

    private func constant(_ numbers: Double...) -> AnimatedProperty {
        AnimatedProperty(constant: numbers.map { Int64(($0 * 1_000_000).rounded()) })
    }

    @Test func lengthsAreResolved() throws {
        let found = try #require(
            try appearance(
                #""position": ["50%", "10%w"], "crop": [1.5, "25%", "10px", "1%h"], "anchor": ["0%", "50%"]"#
            )
        )
        #expect(found.position == constant(640, 128))
        #expect(found.crop == constant(1.5, 180, 10, 7.2))
        #expect(found.anchor == constant(0, 360))
    }

    /// A place in the frame is a part of the frame, a point of the picture and what is cut away parts of the picture.
    @Test func percentsAreOfWhatThePlaceIsIn() throws {
        let keys = #""position": ["100%", "100%"], "anchor": ["100%", "100%"], "crop": ["50%", "50%w", 0, 0]"#
        let found = try #require(try appearance(keys, asset: "tall"))
        #expect(found.position == constant(1280, 720))
        #expect(found.anchor?.keys.first?.value[1] == 720_000_000)
        let width = try #require(found.anchor?.keys.first?.value[0])
        #expect((404_000_000...406_000_000).contains(width))
        #expect(found.crop?.keys.first?.value[0] == width / 2)
        #expect(found.crop?.keys.first?.value[1] == 640_000_000)
    }

    @Test(arguments: [
        #""opacity": 1"#, #""scale": 1"#, #""scale": [1, 1]"#, #""rotate": 0"#, #""blend": "normal""#,
        #""skew": [0, 0]"#, #""crop": [0, "0%", 0, 0]"#, #""anchor": [3, 4]"#,
        #""opacity": [{ "at": "0s", "value": 1, "ease": "inBack" }, { "at": "2s", "value": 1 }]"#,
    ])
    func whatDoesNothingIsNotThere(keys: String) throws {
        #expect(try composition(keys) == composition(#""x-nothing": 1"#))
    }

    @Test func keysAreInSecondsOfTheItem() throws {
        let written = #""opacity": [{ "at": "-5f", "value": 0.25, "ease": "outSine" }, { "at": "1/3", "value": 1 }]"#
        let found = try #require(try appearance(written))
        let keys = try #require(found.opacity?.keys)
        #expect(keys.map(\.at) == [try RationalTime(-1, 5), try RationalTime(1, 3)])
        #expect(keys.map(\.value) == [[250_000], [1_000_000]])
        #expect(keys.map(\.ease) == [.curve(.sine, .out), .linear])
        #expect(found.isAnimated && !found.moves)
    }

    @Test func aLoneScaleIsBoth() throws {
        let written = #""scale": [{ "at": "0s", "value": 2 }, { "at": "1s", "value": [1, 3] }]"#
        let found = try #require(try appearance(written))
        #expect(found.scale?.keys.map(\.value) == [[2_000_000, 2_000_000], [1_000_000, 3_000_000]])
    }

    @Test func keysOutOfOrderAreFound() throws {
        let errors = try compiled(#""opacity": [{ "at": "2s", "value": 0 }, { "at": "1s", "value": 1 }]"#).errors
        #expect(errors.map(\.rule) == ["key-order"])
        #expect(errors.map(\.pointer) == ["/tracks/0/segments/0/opacity/1/at"])
    }

    /// Without appearance nothing of it is in the canonical form: an edit keeps its digest.
    @Test func canonicalFormOfPlainEditsIsUnchanged() throws {
        let text = String(decoding: try CanonicalJSON.data(composition(#""x-nothing": 1"#)), as: UTF8.self)
        #expect(!text.contains("appearance"))
        let animated = try composition(#""opacity": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 1 }]"#)
        let data = try CanonicalJSON.data(animated)
        #expect(String(decoding: data, as: UTF8.self).contains(#""appearance":{"opacity":{"keys":[{"at":"0/1","#))
        #expect(try JSONDecoder().decode(Composition.self, from: data) == animated)
    }

    @Test(arguments: [
        (#""crop": ["60%", 0, "60%", 0]"#, "crop"), (#""scale": 0"#, "scale"), (#""scale": [1, 0]"#, "scale"),
        (#""opacity": 0"#, "opacity"),
        (#""opacity": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 0 }]"#, "opacity"),
        (#""crop": [0, 400, 0, 320]"#, "crop"),
        (#""scale": [{ "at": "0s", "value": [0, 1], "ease": "outBack" }, { "at": "1s", "value": [0, 2] }]"#, "scale"),
        (
            #""crop": [{ "at": "0s", "value": ["60%", 0, "60%", 0] }, { "at": "1s", "value": ["99%", 0, "2%", 9] }]"#,
            "crop"
        ),
    ]) func whatIsNeverSeenIsSaid(keys: String, property: String) throws {
        let found = try compiled(keys).findings.filter { $0.rule == "never-seen" }
        #expect(found.map(\.pointer) == ["/tracks/0/segments/0/\(property)"])
        #expect(found.allSatisfy { $0.severity == .warning && $0.line > 0 })
        #expect(try compiled(keys).composition != nil)
    }

    @Test(arguments: [
        #""crop": ["60%", 0, "30%", 0]"#, #""opacity": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 1 }]"#,
        #""scale": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 1 }]"#,
        // Half way both sides are halves.
        #""scale": [{ "at": "0s", "value": [0, 1] }, { "at": "1s", "value": [1, 0] }]"#,
        #""crop": [{ "at": "0s", "value": ["100%", 0, 0, 0] }, { "at": "1s", "value": [0, "100%", 0, 0] }]"#,
        // An ease that begins backwards takes less away than either key.
        #""crop": [{ "at": "0s", "value": ["100%", 0, 0, 0], "ease": "inBack" }, { "at": "1s", "value": ["100%", 0, "90%", 0] }]"#,
        #""crop": [{ "at": "0s", "value": ["50%", 0, "50%", 0], "ease": "inBack" }, { "at": "1s", "value": ["90%", 0, "90%", 0] }]"#,
    ]) func whatIsSeenAtSomeTimeIsNot(keys: String) throws {
        #expect(try !compiled(keys).findings.contains { $0.rule == "never-seen" })
    }

    @Test func anEditOfNothingIsSaid() throws {
        let compiled = try Compiled(editText([#"{ "gap": "2s" }"#], assets: []), [:])
        #expect(compiled.findings.contains { $0.rule == "never-seen" && $0.severity == .warning })
    }

    @Test func compositionsAreChecked() throws {
        var composition = try composition(#""opacity": 0.5"#)
        let place = "/videoTracks/0/segments/0/appearance/"
        func rules(_ change: (inout LayerAppearance) -> Void) -> [String] {
            var changed = composition
            var appearance = LayerAppearance()
            change(&appearance)
            changed.videoTracks[0].segments[0].appearance = appearance
            return changed.findings().map { String($0.pointer.trimmingPrefix(place)) }
        }
        #expect(rules { $0.opacity = AnimatedProperty(keys: []) } == ["opacity/keys"])
        #expect(rules { $0.opacity = constant(2) } == ["opacity/keys/0/value"])
        #expect(rules { $0.scale = constant(2) } == ["scale/keys/0/value"])
        let late = AnimationKey(at: RationalTime(whole: 2), value: [0])
        let early = AnimationKey(at: RationalTime(whole: 1), value: [1])
        #expect(rules { $0.rotate = AnimatedProperty(keys: [late, early]) } == ["rotate/keys/1/at"])
        composition.videoTracks[0].segments[0].appearance = LayerAppearance()
        #expect(composition.findings().isEmpty)
    }
}

private enum FrameRateSample {
    // The numbers stand here and are known to be right.
    // swift-format-ignore: NeverUseForceTry
    static let fps25 = try! FrameRate(25)
}
