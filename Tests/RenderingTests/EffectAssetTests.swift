import CompositionModel
import Foundation
import Media
import Rendering
import TestSupport
import Testing

/// Colour tables and masks, from the edit's words to the frame.
@Suite struct EffectAssetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func movie(_ name: String, _ filter: String, frames: Int = 40) async throws -> TestMovie {
        let arguments = ["-f", "lavfi", "-i", filter, "-frames:v", "\(frames)", "-c:v", "libx264", "-qp", "0"]
        return try await TestMovie.make(name, in: folder, arguments + ["-pix_fmt", "yuv420p"] + TestPattern.bt709)
    }

    private func still(_ name: String, _ filter: String) async throws -> TestMovie {
        try await TestMovie.make(name, in: folder, ["-f", "lavfi", "-i", filter, "-frames:v", "1", "-pix_fmt", "rgba"])
    }

    /// Luma 16 + 5 n at frame n.
    private func counter(_ name: String) async throws -> TestMovie {
        try await movie(name, "color=black:size=320x180:rate=25,format=yuv420p,geq=lum='16+5*N':cb=128:cr=128")
    }

    private func white() async throws -> TestMovie {
        try await movie("white.mp4", "color=black:size=320x180:rate=25,format=yuv420p,geq=lum=235:cb=128:cr=128")
    }

    private func clip(_ keys: String, _ effects: String) -> String {
        #"{ "kind": "video", "segments": [ { "asset": "a", \#(keys) "effects": [ \#(effects) ] } ] }"#
    }

    private let negative = "TITLE \"Negative\"\nLUT_3D_SIZE 2\n1 1 1\n0 1 1\n1 0 1\n0 0 1\n1 1 0\n0 1 0\n1 0 0\n0 0 0\n"

    @Test func aTableIsAppliedAndItsAmountMoves() async throws {
        let assets = try await [
            "a": counter("counter.mp4"), "look": TestMovie.table("negative.cube", in: folder, negative),
        ]
        let whole = try EditCase(clip("", #"{ "effect": "lut", "asset": "look" }"#), assets)
        for frame in [0, 7, 31] as [Int64] {
            #expect(try abs(whole.luma(frame, (160, 90))[0] - (235 - 5 * Int(frame))) <= 1)
        }
        let moving = #""amount": [{ "at": "0s", "value": 0 }, { "at": "10f", "value": 1 }]"#
        let edit = try EditCase(clip("", #"{ "effect": "lut", "asset": "look", \#(moving) }"#), assets)
        for frame in 0...12 as ClosedRange<Int64> {
            let part = min(1, Double(frame) / 10)
            let (before, after) = (16 + 5 * Double(frame), 235 - 5 * Double(frame))
            let found = try edit.luma(frame, (160, 90))[0]
            #expect(abs(Double(found) - (before + (after - before) * part)) <= 1, "\(frame)")
        }
        let frames = try edit.frames(segments: 1)
        for count in [2, 7] { #expect(try edit.frames(segments: count) == frames) }
    }

    @Test func aTableThatCannotBeReadSaysItsLine() throws {
        let path = folder.path("bad.cube")
        try Data("LUT_3D_SIZE 2\r\n0 0 0\r\n0 0\r\n".utf8).write(to: URL(fileURLWithPath: path))
        let source = try FileByteSource(path: path)
        let error = #expect(throws: RenderError.self) { try ColorTableSource.facts(of: source) }
        #expect(error?.failure.code == "lut_unreadable")
        #expect(error?.failure.message.contains("line 3: three numbers are expected, found “0 0”") == true)
        #expect(error?.failure.isPermanent == true)
        try Data("no table".utf8).write(to: URL(fileURLWithPath: folder.path("text")))
        #expect(try ColorTableSource.facts(of: FileByteSource(path: folder.path("text"))) == nil)
    }

    /// A soft mask: white at the left, black at the right; beyond the picture that it is fitted as, nothing.
    @Test func aMaskDecidesWhatIsSeen() async throws {
        let ramp =
            "color=black:size=320x180,format=rgba,geq=r='255*(319-X)/319':g='255*(319-X)/319':b='255*(319-X)/319'"
        let assets = try await [
            "a": white(), "m": still("ramp.png", ramp + ":a=255"),
            "alpha": still(
                "alpha.png",
                "color=black:size=320x180,format=rgba,geq=r=0:g=0:b=0:a='if(lt(X,100),255,51)'"
            ),
            "square": still("square.png", "color=white:size=90x90,format=rgba"),
        ]
        let luma = try EditCase(clip("", #"{ "effect": "mask", "asset": "m", "channel": "luma" }"#), assets)
        let inverted = #"{ "effect": "mask", "asset": "m", "channel": "luma", "invert": true }"#
        let other = try EditCase(clip("", inverted), assets)
        for x in [0, 80, 160, 319] {
            let part = Double(319 - x) / 319
            #expect(try abs(Double(luma.luma(0, (x, 90))[0]) - (16 + 219 * part)) <= 2)
            #expect(try abs(Double(other.luma(0, (x, 90))[0]) - (16 + 219 * (1 - part))) <= 2)
        }
        let alpha = try EditCase(clip("", #"{ "effect": "mask", "asset": "alpha" }"#), assets).luma(
            0,
            (50, 9),
            (200, 9)
        )
        #expect(alpha[0] == 235 && abs(alpha[1] - 60) <= 1)
        let square = try EditCase(
            clip("", #"{ "effect": "mask", "asset": "square", "channel": "luma" }"#),
            assets
        )
        #expect(try square.luma(0, (60, 90), (160, 90), (260, 90)) == [16, 235, 16])
        // Moved with its clip.
        let moved = try EditCase(
            clip(#""position": [200, 90],"#, #"{ "effect": "mask", "asset": "square" }"#),
            assets
        )
        #expect(try moved.luma(0, (100, 90), (130, 90), (280, 90), (300, 90)) == [16, 235, 235, 16])
    }

    /// Four layers of a title with a mask each, whose readers stay open or are needed once only.
    @Test(arguments: [false, true]) func masksOfTitlesAreNotOpenedInEveryFrame(areMoving: Bool) async throws {
        var assets: [String: TestMovie] = [:]
        for number in 0..<4 {
            let scene = "testsrc2=s=160x\(90 + 2 * number):r=25"
            assets["m\(number)"] =
                try await areMoving ? movie("m\(number).mp4", scene) : still("m\(number).png", scene)
        }
        let layers = (0..<4).map { number in
            """
            { "layer": "shape", "shape": "rectangle", "size": [200, 120], "color": "#c0a030", "effects": [
              { "effect": "mask", "asset": "m\(number)", "channel": "luma" } ] }
            """
        }
        let edit = try EditCase(
            """
            { "kind": "title", "segments": [ { "duration": "20f", "layers": [ \(layers.joined(separator: ", ")) ] } ] }
            """,
            assets
        )
        var counters: [CountingSource] = []
        let compositor = try edit.compositor { bytes in
            let counter = CountingSource(bytes)
            counters.append(counter)
            return counter
        }
        for frame in 0..<20 as Range<Int64> { _ = try compositor.picture(at: frame) }
        #expect(counters.count == 4)
        // Opening reads the head and the index, playing the rest.
        #expect(counters.allSatisfy { $0.readCount <= 4 * $0.byteCount + 65_536 })
    }

    /// A clip, a mask, and which frames of the mask are seen.
    struct MaskTime: Sendable {
        var clip: String
        var mask = ""
        var frames: [Int]

        static let all = [
            MaskTime(clip: #""in": "4f", "duration": "10f", "#, frames: Array(4..<14)),
            MaskTime(
                clip: #""in": "4f", "duration": "10f", "speed": 2, "#,
                frames: [4, 6, 8, 10, 12, 14, 16, 18, 20, 22]
            ),
            MaskTime(clip: #""range": ["4f", "10f"], "speed": -1, "#, frames: (4..<14).reversed()),
            MaskTime(
                clip: #""in": "4f", "duration": "10f", "#,
                mask: ##", "in": "#20""##,
                frames: Array(20..<30)
            ),
            MaskTime(
                clip: #""in": "4f", "duration": "10f", "speed": "1/2", "#,
                mask: ##", "in": "#20""##,
                frames: [20, 20, 21, 21, 22, 22, 23, 23, 24, 24]
            ),
            MaskTime(clip: #""freeze": "4f", "duration": "10f", "#, frames: Array(repeating: 4, count: 10)),
            MaskTime(
                clip: #""in": "25f", "duration": "10f", "#,
                mask: ##", "in": "#35""##,
                frames: [35, 36, 37, 38, 39, 39, 39, 39, 39, 39]
            ),
        ]
    }

    /// A white clip through a mask whose luma counts frames shows which frame of the mask is seen.
    @Test(arguments: MaskTime.all) func aMaskRunsInTheClipsTime(example: MaskTime) async throws {
        let (keys, mask) = (example.clip, example.mask)
        let assets = try await ["a": white(), "m": counter("counter.mp4")]
        let edit = try EditCase(clip(keys, #"{ "effect": "mask", "asset": "m"\#(mask) }"#), assets)
        let compositor = try edit.compositor()
        for index in 0..<10 {
            let found = try compositor.picture(at: Int64(index)).samples(0)[90 * 320 + 160]
            #expect(abs(Int(found) - (16 + 5 * example.frames[index])) <= 1, "frame \(index)")
        }
        let frames = try edit.frames(segments: 1)
        for count in [2, 7] { #expect(try edit.frames(segments: count) == frames) }
    }

    /// Beside a still, on a track and in a title a mask runs with the keys.
    @Test func withoutAMovingSourceAMaskRunsWithTheKeys() async throws {
        let assets = try await [
            "a": still("white.png", "color=white:size=320x180,format=rgba"), "m": counter("counter.mp4"),
        ]
        let mask = ##""effects": [ { "effect": "mask", "asset": "m", "in": "#3" } ]"##
        let texts = [
            #"{ "kind": "video", "segments": [ { "gap": "2f" }, { "asset": "a", "duration": "10f", \#(mask) } ] }"#,
            ##"{ "kind": "title", "segments": [ { "gap": "2f" }, { "duration": "10f", \##(mask), "layers": ["##
                + ##"{ "layer": "shape", "shape": "rectangle", "size": [320, 180], "color": "#ffffff" } ] } ] }"##,
            #"{ "kind": "video", \#(mask.replacing("#3", with: "#1")), "segments": ["#
                + #"{ "gap": "2f" }, { "asset": "a", "duration": "10f" } ] }"#,
        ]
        for text in texts {
            let edit = try EditCase(text, assets)
            for frame in [2, 5, 11] as [Int64] {
                let found = try edit.luma(frame, (160, 90))[0]
                #expect(abs(found - (16 + 5 * (1 + Int(frame)))) <= 1, "\(frame): \(text)")
            }
            let frames = try edit.frames(segments: 1)
            for count in [2, 7] { #expect(try edit.frames(segments: count) == frames) }
        }
    }
}
