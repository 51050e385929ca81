import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Assets that an edit only describes.
@Suite struct GeneratedAssetTests {
    private func read(_ asset: String, format: String = "{}") -> EditReadResult {
        EditReader.read(
            """
            { "schema": "edit/1", "format": \(format), "assets": { "g": \(asset) },
              "tracks": [ { "kind": "video", "segments": [ { "asset": "g", "duration": "2s" } ] } ] }
            """
        )
    }

    private func picture(_ asset: String, format: String = "{}") throws -> GeneratedPicture {
        let result = read(asset, format: format)
        guard case .edit(let edit) = result.document, case .generated(let picture) = edit.assets["g"]?.value else {
            Issue.record("\(result.findings)")
            throw TimeError.overflow
        }
        return picture
    }

    @Test func whatIsMissingComesFromTheFormat() throws {
        let format = ##"{ "size": [640, 360], "frameRate": "30000/1001" }"##
        let pattern = try picture(##"{ "generate": "pattern", "duration": "10s" }"##, format: format)
        #expect(pattern.size == PictureSize(width: 640, height: 360) && pattern.frameCount == 300)
        #expect(pattern.frameRate.description == "30000/1001")
        let plain = try picture(##"{ "generate": "gradient" }"##)
        #expect(plain.size == PictureSize(width: 1280, height: 720) && plain.direction == .right)
        #expect(plain.colors == ["#000000", "#ffffff"] && plain.frameCount == 1)
        let own = try picture(##"{ "generate": "solid", "color": "#FF8000", "size": [64, 36] }"##, format: format)
        #expect(own.colors == ["#ff8000"] && own.size == PictureSize(width: 64, height: 36))
    }

    @Test func itsBytesSayAllOfIt() throws {
        let pattern = try picture(##"{ "generate": "pattern", "duration": "10s" }"##)
        #expect(try GeneratedPicture(bytes: pattern.bytes) == pattern)
        #expect(pattern.digest == ContentDigest(of: pattern.bytes))
        #expect(try picture(##"{ "generate": "pattern" }"##).digest != pattern.digest)
    }

    @Test(arguments: [
        (##"{ "generate": "brs" }"##, "unknown-value", "/generate"),
        (##"{ "generate": "bars", "color": "#ff0000" }"##, "contradiction", "/color"),
        (##"{ "generate": "solid", "color": "red" }"##, "unknown-value", "/color"),
        (##"{ "generate": "solid", "src": "a.png" }"##, "unknown-key", "/src"),
        (##"{ "generate": "gradient", "colors": ["#000000"] }"##, "wrong-type", "/colors"),
        (##"{ "generate": "gradient", "direction": "rigth" }"##, "unknown-value", "/direction"),
        (##"{ "generate": "pattern", "duration": "101h" }"##, "time-syntax", "/duration"),
        (##"{ "generate": "pattern", "duration": "400000s" }"##, "time-range", "/duration"),
        (##"{ "generate": "pattern", "size": [63, 36] }"##, "number-range", "/size/0"),
    ])
    func isWrong(asset: String, rule: String, pointer: String) {
        let result = read(asset)
        #expect(result.findings.map(\.rule) == [rule])
        #expect(result.findings.map(\.pointer) == ["/assets/g" + pointer])
    }

    @Test func aStillGivesTheFormatItsSizeAndNoRate() throws {
        let bars = try picture(##"{ "generate": "bars", "size": [640, 360] }"##)
        let assets = [
            "g": CompilerAsset(digest: bars.digest, facts: bars.facts),
            "m": SampleAsset.asset("m", [SampleAsset.video(rate: try FrameRate(50), seconds: 10)]),
        ]
        let document = try #require(
            EditReader.read(
                """
                { "schema": "edit/1", "assets": { "g": { "generate": "bars", "size": [640, 360] }, "m": "m.mp4" },
                  "tracks": [ { "kind": "video", "segments": [ { "asset": "g", "duration": "2s" }, { "asset": "m" } ] } ],
                  "outputs": [ { "preset": "lossless" } ] }
                """
            ).document
        )
        let result = EditCompiler.compile(document, assets: assets)
        let composition = try #require(result.composition, "\(result.findings)")
        #expect(composition.format.size == PictureSize(width: 640, height: 360))
        #expect(composition.format.frameRate.description == "50" && composition.frameCount == 600)
        let facts = Dictionary(uniqueKeysWithValues: assets.values.map { ($0.digest, $0.facts) })
        let plan = try Planner.plan(composition, output: 0, facts: facts)
        #expect(plan.segments[0].task.assets.contains(bars.digest))
    }
}
