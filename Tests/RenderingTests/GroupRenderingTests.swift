import CompositionModel
import Foundation
import Media
import Pixels
import TestSupport
import Testing
import Timing

@testable import Rendering

/// What is put together before it is changed or mixed: groups of titles, tracks, layers with shadows; and colours that
/// are weighed by their alpha.
@Suite struct GroupRenderingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func grey(_ luma: Int, size: String = "320x180") async throws -> TestMovie {
        let filter = "color=black:size=\(size):rate=25,format=yuv420p,geq=lum=\(luma):cb=128:cr=128"
        return try await TestMovie.make(
            "grey-\(luma)-\(size).mp4",
            in: folder,
            ["-f", "lavfi", "-i", filter, "-frames:v", "40", "-c:v", "libx264", "-qp", "0"] + TestPattern.bt709
        )
    }

    private func title(_ keys: String, _ inner: String = "") -> String {
        ##"""
        { "kind": "title", "segments": [ { "duration": "10f", \##(keys) "layers": [ { "layer": "group", \##(inner) "layers": [
          { "layer": "shape", "shape": "rectangle", "size": [200, 100], "color": "#ffffff" },
          { "layer": "shape", "shape": "rectangle", "size": [100, 100], "color": "#404040" } ] } ] } ] }
        """##
    }

    /// In the middle of a half transparent group the lower, white layer is not seen through the upper, dark one.
    @Test(arguments: [(#""opacity": 0.5,"#, ""), ("", #""opacity": 0.5,"#)]) func groupsAreSeenThroughAsOne(
        keys: String,
        inner: String
    ) throws {
        let found = try EditCase(title(keys, inner)).luma(0, (160, 90), (80, 90), (20, 90))
        // Half of #404040, half of white, nothing.
        #expect(abs(found[0] - (16 + 219 * 64 / 255 / 2)) <= 1 && abs(found[1] - 125) <= 1 && found[2] == 16)
    }

    @Test func aGroupIsMultipliedAsOne() async throws {
        let text = #"{ "kind": "video", "segments": [ { "asset": "a", "duration": "10f" } ] }, "#
        let edit = try await EditCase(text + title(#""blend": "multiply","#), ["a": grey(126)])
        let found = try edit.luma(0, (160, 90), (80, 90), (20, 90))
        #expect(abs(found[0] - (16 + 110 * 64 / 255)) <= 1 && found[1] == 126 && found[2] == 126)
    }

    /// Nothing jumps where a group begins to fade.
    @Test func aGroupThatIsAlmostWholeLooksAlmostWhole() throws {
        let layers = "\"rotate\": 20, \"position\": [130.3, 80.7],"
        let whole = try EditCase(title("", layers)).compositor().picture(at: 0).allSamples
        let nearly = try EditCase(title("", layers + " \"opacity\": 0.9999,")).compositor().picture(at: 0).allSamples
        #expect(zip(whole, nearly).map { abs(Int($0) - Int($1)) }.max() ?? 255 <= 2)
    }

    /// An image in a title that can be decoded although some of its bytes are wrong.
    @Test func aDamagedImageIsTold() async throws {
        let path = folder.path("torn.mp4")
        let codec = ["-frames:v", "2", "-c:v", "libx264", "-preset", "veryfast", "-crf", "12"]
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25"] + codec + [path])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let content = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
        for place in content + 4000..<content + 4040 { bytes[place] ^= 0x5A }
        try bytes.write(to: URL(fileURLWithPath: path))
        let layers = #"{ "layer": "image", "asset": "a", "width": 100 }"#
        let title = #"{ "kind": "title", "segments": [ { "duration": "2f", "layers": [ \#(layers) ] } ] }"#
        let compositor = try EditCase(title, ["a": TestMovie(path: path)]).compositor()
        _ = try compositor.picture(at: 0)
        #expect(compositor.warnings.map(\.code) == ["picture_concealed"])
    }

    @Test func titlesHaveEffectsAndGroupsAreCut() throws {
        let cut = try EditCase(title("", #""crop": [160, 0, 0, 0],"#)).luma(
            0,
            (120, 90),
            (80, 90),
            (170, 90),
            (230, 90)
        )
        #expect(cut[0] == 16 && cut[1] == 16 && cut[2] > 60 && cut[3] == 235)
        let inverted = #""effects": [ { "effect": "brightness", "amount": -1 } ],"#
        #expect(try EditCase(title(inverted)).luma(0, (80, 90), (160, 90)) == [16, 16])
        // A blur reaches beyond the shape's own box, evenly.
        let blurred = try EditCase(
            ##"""
            { "kind": "title", "segments": [ { "duration": "10f", "layers": [ { "layer": "shape", "shape": "rectangle",
              "size": [100, 80], "color": "#ffffff", "effects": [ { "effect": "blur", "radius": 6 } ] } ] } ] }
            """##
        ).luma(0, (110, 90), (104, 90), (215, 90), (160, 90), (90, 90))
        #expect(abs(blurred[0] - 125) <= 12 && (40...80).contains(blurred[1]) && abs(blurred[1] - blurred[2]) <= 9)
        #expect(blurred[3] == 235 && blurred[4] <= 17)
    }

    @Test func aTrackIsCutAndChangedAsAWhole() async throws {
        let assets = try await ["a": grey(200), "b": grey(100)]
        let items =
            #"{ "asset": "a", "duration": "20f", "scale": 0.5 }, { "transition": "dissolve", "duration": "10f" },"#
            + #"{ "asset": "b", "duration": "20f" }"#
        let keys = #""crop": [100, 0, 0, 0], "effects": [ { "effect": "brightness", "amount": 0.1 } ],"#
        let edit = try EditCase(#"{ "kind": "video", \#(keys) "segments": [ \#(items) ] }"#, assets)
        let first = try edit.luma(2, (90, 90), (110, 90), (60, 10))
        #expect(first[0] == 16 && abs(first[1] - 222) <= 1 && first[2] == 16)
        let last = try edit.luma(25, (90, 90), (110, 90), (300, 10))
        #expect(last[0] == 16 && abs(last[1] - 122) <= 1 && abs(last[2] - 122) <= 1)
        let frames = try edit.frames(segments: 1)
        for count in [2, 7] { #expect(try edit.frames(segments: count) == frames) }
    }

    /// In a cover the upper clip hides the lower one, also on a track that is half transparent.
    @Test(arguments: ["cover", "fadeThrough", "wipe", "xfade-circlecrop"]) func tracksAreSeenThroughAsOne(
        name: String
    ) async throws {
        let assets = try await ["a": grey(235), "b": grey(60), "c": grey(180)]
        let items =
            #"{ "asset": "a", "duration": "20f" }, { "transition": "\#(name)", "duration": "10f" },"#
            + #"{ "asset": "b", "duration": "20f" }"#
        func edit(_ keys: String) throws -> EditCase {
            let below = #"{ "kind": "video", "segments": [ { "asset": "c", "duration": "30f" } ] },"#
            return try EditCase(below + #"{ "kind": "video", \#(keys) "segments": [ \#(items) ] }"#, assets)
        }
        let (plain, half) = (try edit("").compositor(), try edit(#""opacity": 0.5,"#).compositor())
        for frame in [0, 12, 15, 18, 25] as [Int64] {
            let (over, mixed) = (try plain.picture(at: frame).samples(0), try half.picture(at: frame).samples(0))
            let worst = zip(over, mixed).map { abs((Double($0) + 180) / 2 - Double($1)) }.max() ?? 255
            #expect(worst <= 1.5, "\(name) \(frame)")
        }
        let frames = try edit(#""opacity": 0.5,"#).frames(segments: 1)
        #expect(try edit(#""opacity": 0.5,"#).frames(segments: 7) == frames)
    }

    /// A half transparent layer does not show its own shadow.
    @Test func aShadowIsHiddenByItsLayer() async throws {
        let keys =
            #""scale": 0.5, "opacity": 0.5, "effects": [ { "effect": "dropShadow", "opacity": 1, "radius": 1 } ]"#
        let below = #"{ "kind": "video", "segments": [ { "asset": "c", "duration": "9f" } ] },"#
        let text = below + #"{ "kind": "video", "segments": [ { "asset": "a", "duration": "9f", \#(keys) } ] }"#
        let edit = try await EditCase(text, ["a": grey(220), "c": grey(120)])
        let found = try edit.luma(0, (160, 90), (241, 100), (20, 20))
        #expect(abs(found[0] - 170) <= 1 && abs(found[1] - 68) <= 1 && found[2] == 120)
    }

    /// A red disc on transparent green, filtered: no green comes out.
    @Test(arguments: ["yuva444p", "yuva420p"], [PictureEffect.Name.blur, .pixelate, .sharpen]) func noFringes(
        format: String,
        name: PictureEffect.Name
    ) throws {
        let (red, green) = try (BackgroundColor("#c02020", in: .bt709), BackgroundColor("#00ff00", in: .bt709))
        let shift = format == "yuva420p" ? 1 : 0
        let target = try MutablePicture(
            width: 96,
            height: 96,
            pixelFormat: try #require(PixelFormat(name: format)),
            color: .bt709
        )
        for plane in 0..<4 {
            let step = plane == 1 || plane == 2 ? 1 << shift : 1
            target.withMutablePlane(plane) { view in
                for y in 0..<view.height {
                    for x in 0..<view.width {
                        let (u, v) = (x * step - 48, y * step - 48)
                        let isInside = u * u + v * v < 900
                        // A sample of chroma that an opaque pixel shares is red.
                        let isRed = isInside || step == 2 && u * u + v * v < 1156
                        let color = isRed ? red : green
                        view.row(y)[x] = plane == 3 ? (isInside ? 255 : 0) : color.value(ofPlane: plane)
                    }
                }
            }
        }
        let effect = EffectState(PictureEffect(name), at: .zero)
        let picture = try target.freeze()
        let result = try EffectPainter(color: .bt709).apply([effect], to: picture, grain: (1, 1))
        let (luma, blue, cr, alpha) = (result.samples(0), result.samples(1), result.samples(2), result.samples(3))
        var edge = 0
        for y in 0..<96 {
            for x in 0..<96 where alpha[96 * y + x] > 0 {
                let seen = Double(alpha[96 * y + x]) / 255
                edge += seen < 1 ? 1 : 0
                #expect(abs(Double(luma[96 * y + x]) - Double(red.luma)) * seen <= 2)
                // Where chroma lies between pixels its own alpha may be less.
                guard seen > 0.2 else { continue }
                let place = (96 >> shift) * (y >> shift) + (x >> shift)
                #expect(abs(Double(blue[place]) - Double(red.blueDifference)) * seen <= 3)
                #expect(abs(Double(cr[place]) - Double(red.redDifference)) * seen <= 3)
            }
        }
        #expect(name == .sharpen || edge > 100)
    }
}
