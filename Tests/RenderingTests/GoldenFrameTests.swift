import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing

/// One frame of each effect, transition and blend mode and of moved, turned and scaled pictures, all of generated
/// sources, to the byte: bytes that change without ``Renderer/version`` would be mixed with those of workers that are
/// not yet of this version. What decoded sources become (deinterlaced, tone-mapped, of a variable rate) is not among
/// them.
///
/// `CUTFARM_GOLDEN_FRAMES=PATH` writes the table anew, for a version that was raised.
@Suite(.enabled(if: RandomMedia.hasFonts, "DejaVu and Noto fonts are needed"))
struct GoldenFrameTests {
    @Test func framesChangeWithTheRenderersVersion() throws {
        let folder = try TemporaryFolder()
        let table = "LUT_3D_SIZE 2\n0.1 0 0\n0.9 0 0\n0 1 0\n1 1 0\n0 0.2 1\n1 0 0.8\n0 1 1\n0.9 1 1\n"
        try Data(table.utf8).write(to: URL(fileURLWithPath: folder.path("look.cube")))
        let media = RandomEditMedia(folder: folder)
        var found: [String: String] = [:]
        for scene in GoldenScene.all { found[scene.name] = try scene.digest(media) }
        #expect(found.count == GoldenScene.all.count)
        // Scenes that look alike would not notice that one is made as the other.
        let alike = Dictionary(grouping: found.keys) { found[$0] ?? "" }.values.filter { $0.count > 1 }
        #expect(alike.isEmpty, "\(alike.map { $0.sorted() })")
        if let path = ProcessInfo.processInfo.environment["CUTFARM_GOLDEN_FRAMES"] {
            let lines = found.sorted { $0.key < $1.key }.map { "        \"\($0.key)\": \"\($0.value)\"," }
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        }
        let changed = found.keys.filter { GoldenFrames.digests[$0] != found[$0] }.sorted()
        if Renderer.version == GoldenFrames.version {
            #expect(changed.isEmpty, "frames changed: raise Renderer.version")
        } else {
            #expect(changed.isEmpty, "frames of version \(GoldenFrames.version): write GoldenFrames anew")
            Issue.record("GoldenFrames are of version \(GoldenFrames.version), the renderer of \(Renderer.version)")
        }
    }
}

/// An edit of generated pictures, 96 × 54, of which frame 4 is looked at.
private struct GoldenScene {
    let name: String
    private let tracks: [String]
    private var size: PictureSize?

    private init(_ name: String, _ tracks: [String], size: PictureSize? = nil) {
        (self.name, self.tracks, self.size) = (name, tracks, size)
    }

    static let all = effects + transitions + blends + layers

    func digest(_ media: RandomEditMedia) throws -> String {
        let text = """
            { "schema": "edit/1",
              "format": { "size": [96, 54], "frameRate": "25", "sampleRate": 48000, "channels": 2,
                          "background": "#203040" },
              "assets": {
                "pattern": { "generate": "pattern", "size": [96, 54], "frameRate": "25" },
                "upright": { "generate": "pattern", "size": [40, 80], "frameRate": "25" },
                "ramp": { "generate": "gradient", "colors": ["#102040", "#ffd0a0"], "direction": "right" },
                "look": "look.cube" },
              "tracks": [ \(tracks.joined(separator: ", ")) ], "outputs": [{ "preset": "lossless" }] }
            """
        let plan = try #require(try media.plans(text, segments: [1], size: size).first)
        let task = try #require(plan.segments.first?.task)
        let compositor = try Compositor(task: task, sources: media.sources(task.assets))
        return String(try compositor.picture(at: 4).digest().hex.prefix(16))
    }

    private static func track(_ items: String...) -> String {
        "{ \"kind\": \"video\", \"segments\": [ \(items.joined(separator: ", ")) ] }"
    }

    private static let below = track(#"{ "asset": "ramp", "duration": "12f" }"#)

    private static func above(_ words: String) -> String {
        track("{ \"asset\": \"pattern\", \"duration\": \"12f\", \(words) }")
    }

    private static let effects = PictureEffect.Name.allCases.map { effect in
        var members = ["\"effect\": \"\(effect.rawValue)\""]
        switch effect.assetRole {
        case nil: break
        case .lut: members.append(#""asset": "look""#)
        case .mask: members.append(#""asset": "pattern", "channel": "luma""#)
        }
        if effect == .chromaKey { members.append(##""color": "#00c000""##) }
        for parameter in effect.parameters where parameter.key != .invert {
            // Some way up its range, as far as that is seen in a small picture.
            let most =
                if case .length = parameter.form.unit { 6.0 } else { 1.5 }
            let (low, high) = (
                max(Double(parameter.form.range.lowerBound), -most), min(Double(parameter.form.range.upperBound), most)
            )
            let value = low + (high - low) * 0.7
            let numbers = (0..<parameter.form.count).map { "\(value - 0.125 * Double($0))" }
            members.append(
                "\"\(parameter.key.name)\": \(numbers.count == 1 ? numbers[0] : "[\(numbers.joined(separator: ", "))]")"
            )
        }
        let words = "\"scale\": 0.8, \"effects\": [{ \(members.joined(separator: ", ")) }]"
        return GoldenScene("effect \(effect.rawValue)", [below, above(words)])
    }

    private static let transitions: [GoldenScene] = {
        // Both pictures differ from place to place, and three sevenths of a side are no whole pixels.
        func scene(_ name: String, _ members: String) -> GoldenScene {
            GoldenScene(
                "transition \(name)",
                [
                    track(
                        #"{ "asset": "pattern", "duration": "8f" }"#,
                        "{ \(members), \"duration\": \"7f\" }",
                        #"{ "asset": "upright", "duration": "8f", "fit": "cover" }"#
                    )
                ]
            )
        }
        let kinds = TransitionKind.allCases.filter { $0 != .iris }.map { kind in
            let map = kind == .luma ? #", "map": "ramp""# : ""
            return scene(kind.rawValue, "\"transition\": \"\(kind.rawValue)\"\(map)")
        }
        return kinds
            + TransitionShape.allCases.map { shape in
                scene("iris \(shape.rawValue)", "\"transition\": \"iris\", \"shape\": \"\(shape.rawValue)\"")
            }
    }()

    private static let blends = BlendMode.allCases.map { mode in
        GoldenScene("blend \(mode.rawValue)", [below, above("\"opacity\": 0.8, \"blend\": \"\(mode.rawValue)\"")])
    }

    private static let layers = [
        GoldenScene("moved", [below, above(#""position": [50.3, 20.8], "scale": [0.7, -0.45]"#)]),
        GoldenScene("turned", [below, above(#""rotate": 31, "skew": [10, 5], "crop": [3.5, 2, 8, "5%"]"#)]),
        GoldenScene("perspective", [below, above(#""rotateX": 25, "rotateY": -40, "scale": 1.3"#)]),
        GoldenScene("blended frames", [above(#""speed": 0.4, "blending": "frames""#)]),
        GoldenScene("cover", [track(#"{ "asset": "upright", "duration": "12f", "fit": "cover" }"#)]),
        GoldenScene("contain", [below, track(#"{ "asset": "upright", "duration": "12f" }"#)]),
        GoldenScene("smaller", [below, above(#""scale": 0.6"#)], size: PictureSize(width: 64, height: 36)),
    ]
}
