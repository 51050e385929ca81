import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Sources of every kind on their way into a frame.
@Suite struct SourceZooTests {
    private let folder: TemporaryFolder
    private let rate: FrameRate
    private let size = PictureSize(width: 128, height: 96)

    init() throws {
        folder = try TemporaryFolder()
        rate = try FrameRate(25)
    }

    private func compositor(_ movie: TestMovie, frames: Int64, size: PictureSize) throws -> Compositor {
        let layer = SliceLayer(from: try SliceSource(0, rate: rate))
        let all = SliceInstruction(frames: FrameRange(start: 0, count: frames), layers: [layer])
        let edit = TestTimeline(movies: [movie], size: size, rate: rate, frameCount: frames, instructions: [all])
        return try edit.compositor()
    }

    /// One colour through codecs of every depth, subsampling and range comes out with its BT.709 values.
    @Test(arguments: [
        ("h264-422-10.mp4", ["-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv422p10"]),
        ("h264-444.mp4", ["-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv444p"]),
        ("hevc-10.mp4", ["-c:v", "libx265", "-x265-params", "lossless=1:log-level=none", "-pix_fmt", "yuv420p10"]),
        ("ffv1-16.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv422p16"]),
        ("prores.mov", ["-c:v", "prores_ks", "-profile:v", "4", "-pix_fmt", "yuva444p10"]),
        ("qtrle.mov", ["-c:v", "qtrle", "-pix_fmt", "rgb24"]),
        ("utvideo.mkv", ["-c:v", "utvideo", "-pix_fmt", "gbrp"]),
        ("raw.y4m", ["-pix_fmt", "yuv420p", "-strict", "-1"]), ("v210.mov", ["-c:v", "v210", "-pix_fmt", "yuv422p10"]),
        ("full.mkv", ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-color_range", "pc"]),
    ])
    func colourPatchesStay(name: String, arguments: [String]) async throws {
        let patches: [(String, [Int])] = [
            ("red", [63, 102, 240]), ("0x20a060", [125, 112, 74]), ("white", [235, 128, 128]),
            ("0x404040", [71, 128, 128]),
        ]
        let range = name.hasPrefix("full") ? "pc" : "tv"
        let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
        let converted = ["-vf", "format=gbrp,scale=out_color_matrix=bt709:out_range=\(range)"]
        for (color, values) in patches {
            let input = ["-f", "lavfi", "-i", "color=\(color):size=1280x720:rate=25", "-frames:v", "2"]
            let movie = try await TestMovie.make(
                "\(color)-\(name)",
                in: folder,
                input + converted + tags + arguments
            )
            let picture = try compositor(movie, frames: 1, size: size).picture(at: 0)
            for (plane, value) in values.enumerated() {
                let shift = plane == 0 ? 0 : 1
                let found = picture.withPlane(plane) { Int($0.row(48 >> shift)[64 >> shift]) }
                #expect(abs(found - value) <= 1, "\(name) \(color), plane \(plane): \(found), not \(value)")
            }
        }
    }

    /// Pictures with alpha show what lies below, in every format that has one and at any size.
    @Test(
        arguments: [
            ("a.png", ["-pix_fmt", "rgba"]), ("a.png", ["-pix_fmt", "rgba64be"]),
            ("a.webp", ["-pix_fmt", "bgra", "-lossless", "1"]), ("a.mov", ["-c:v", "qtrle", "-pix_fmt", "argb"]),
            ("a.mkv", ["-c:v", "utvideo", "-pix_fmt", "gbrap"]),
            ("a.webm", ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-crf", "4", "-b:v", "0"] + TestPattern.bt709),
            (
                "a.webm",
                ["-c:v", "libvpx", "-pix_fmt", "yuva420p", "-b:v", "5M", "-auto-alt-ref", "0"] + TestPattern.bt709
            ),
            ("a.mov", ["-c:v", "prores_ks", "-profile:v", "4", "-pix_fmt", "yuva444p10"] + TestPattern.bt709),
            (
                "interlaced.mov",
                ["-c:v", "prores_ks", "-flags", "+ildct", "-profile:v", "4", "-pix_fmt", "yuva444p10"]
                    + TestPattern.bt709
            ),
        ],
        [PictureSize(width: 128, height: 96), PictureSize(width: 256, height: 192)]
    )
    func alphaShowsWhatIsBelow(file: (String, [String]), size: PictureSize) async throws {
        // Left: red at 60 %; right: nothing, in a colour that must not be seen.
        let cut =
            "color=lime@0:size=128x96,format=rgba,geq=r='if(lt(X,64),255,0)':g='if(lt(X,64),0,255)':b=0:"
            + "a='if(lt(X,64),153,0)'"
        let isTagged = file.1.contains("bt709")
        // ffmpeg converts to what libvpx takes behind the filter, by BT.601, unless the filter does it.
        let layout = file.0 == "a.webm" ? ",format=yuva420p" : ""
        let scaled = isTagged ? ",scale=out_color_matrix=bt709:out_range=tv" + layout : ""
        let movie = try await TestMovie.make(
            file.0,
            in: folder,
            ["-f", "lavfi", "-i", cut + scaled, "-frames:v", "1"] + file.1
        )
        let still = SliceSource(asset: 0, stream: 0, start: .zero, fit: .contain, speed: .zero)
        let all = SliceInstruction(0..<2, SliceLayer(from: still))
        var edit = TestTimeline(movies: [movie], size: size, rate: rate, frameCount: 2, instructions: [all])
        edit.background = "#808080"
        let picture = try edit.compositor().picture(at: 1)
        #expect(picture.pixelFormat == .yuv420p && picture.size == size)
        // 60 % of red over grey, and grey.
        for (plane, (left, right)) in zip([0, 1, 2], [(88, 126), (112, 128), (195, 128)]) {
            let shift = plane > 0 ? 1 : 0
            let found = picture.withPlane(plane) { view in
                let row = view.row((size.height / 2) >> shift)
                return (Int(row[(size.width / 4) >> shift]), Int(row[(size.width * 3 / 4) >> shift]))
            }
            #expect(abs(found.0 - left) <= 2 && abs(found.1 - right) <= 1, "\(file) plane \(plane): \(found)")
        }
        // Nothing of the hidden colour at the edge: green would pull Cb and Cr down at once.
        let red = picture.samples(2)[(size.height / 4) * (size.width / 2)..<(size.height / 4 + 1) * (size.width / 2)]
        #expect(red.allSatisfy { $0 >= 116 })
    }

    /// Numbered pictures need not all have an alpha: what lies below the first is seen through the others.
    @Test func alphaMayComeLater() async throws {
        for (number, format) in ["rgb24", "rgba", "rgb24", "rgba"].enumerated() {
            let color = format == "rgba" ? "red@0" : "red"
            let drawn = ["-f", "lavfi", "-i", "color=\(color):size=320x180,format=rgba"]
            let path = folder.path("numbered-\(number).png")
            try await Shell.ffmpeg(drawn + ["-frames:v", "1", "-pix_fmt", format, path])
        }
        let numbered = folder.path("numbered-%d.png")
        let movie = try await TestMovie.make("numbered.mov", in: folder, ["-i", numbered, "-c:v", "copy"])
        let below = try await TestMovie.make(
            "below.mkv",
            in: folder,
            ["-f", "lavfi", "-i", "color=white:size=320x180:rate=25", "-frames:v", "4"] + TestPattern.h264
        )
        #expect(movie.facts.video[0].pixelFormat == "rgb24" && movie.facts.video[0].frameCount == 4)
        for words in ["", #", "speed": 0.5, "blending": "frames""#] {
            let edit = try EditCase(
                """
                { "kind": "video", "segments": [ { "asset": "below", "duration": "4f" } ] },
                { "kind": "video", "segments": [ { "asset": "numbered", "duration": "4f"\(words) } ] }
                """,
                ["below": below, "numbered": movie]
            )
            let compositor = try edit.compositor()
            let found = try (0..<4).map { Int(try compositor.picture(at: $0).samples(0)[90 * 320 + 160]) }
            // Red, halfway to what lies below, that.
            let expected = words.isEmpty ? [63, 235, 63, 235] : [63, 149, 235, 149]
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(words): \(found)")
        }
    }

    /// Shallow slopes of HLG and PQ keep their ten bits whether they are interlaced or not.
    @Test(arguments: ["arib-std-b67", "smpte2084"]) func interlacedPicturesKeepTheirDepth(transfer: String) async throws
    {
        var pictures: [[UInt8]] = []
        for fields in [[], ["-flags", "+ildct", "-x264-params", "tff=1"]] {
            let slope = "geq=lum='90+X/2+Y/2':cb='505+X/8':cr='520-X/8'"
            let scene = "color=black:size=128x96:rate=25,format=yuv420p10le,\(slope)"
            let tags = ["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"]
            let lossless = ["-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv420p10", "-color_range", "tv"]
            let movie = try await TestMovie.make(
                "\(fields.count).mkv",
                in: folder,
                ["-f", "lavfi", "-i", scene, "-frames:v", "1"] + lossless + fields + tags
            )
            let source = try movie.source()
            let reader = try PictureReader(
                source: source.bytes,
                stream: source.facts.video[0],
                index: try #require(source.indexes[0]),
                threads: 1
            )
            #expect((try reader.picture(frame: 0).firstField == nil) == fields.isEmpty)
            pictures.append(try compositor(movie, frames: 1, size: size).picture(at: 0).allSamples)
        }
        #expect(pictures[0] == pictures[1])
    }

    /// Fields of two moments, woven by ffmpeg: each frame shows the first of them nearly as it was filmed.
    @Test(arguments: [
        ("top", ["-c:v", "libx264", "-qp", "1", "-flags", "+ildct", "-x264-params", "tff=1"]),
        ("bottom", ["-c:v", "libx264", "-qp", "1", "-flags", "+ildct", "-x264-params", "bff=1"]),
        ("top", ["-c:v", "mpeg2video", "-q:v", "1", "-flags", "+ildct+ilme"]),
    ])
    func interlacedSourcesAreDeinterlaced(first: String, codec: [String]) async throws {
        let scene = "testsrc2=size=128x96:rate=50,gblur=sigma=1.2,format=yuv420p"
        let weave = "tinterlace=interleave_\(first),setfield=\(first == "top" ? "tff" : "bff")"
        let movie = try await TestMovie.make(
            "woven-\(first).mkv",
            in: folder,
            ["-f", "lavfi", "-i", "\(scene),\(weave)", "-frames:v", "20", "-top", first == "top" ? "1" : "0"] + codec
                + TestPattern.bt709
        )
        let filmed = folder.path("filmed-\(first).mkv")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", scene, "-frames:v", "40", "-c:v", "ffv1", filmed])
        let raw = try await RawPictures(filmed, size: size)
        let woven = try await RawPictures(movie.path, size: size)
        let compositor = try compositor(movie, frames: 20, size: size)
        for frame in [3, 10, 17] {
            let truth = raw[2 * frame]
            let shown = try compositor.picture(at: Int64(frame)).allSamples
            let (ours, before) = (error(shown, truth), error(woven[frame], truth))
            #expect(ours < 0.6 * before, "\(first) \(frame): \(ours) against \(before)")
        }
    }

    /// An edit at the field rate shows every field at its own moment, forwards, backwards and held past the end.
    @Test(arguments: ["top", "bottom"]) func fieldsAreFramesAtTheFieldRate(first: String) async throws {
        let scene = "testsrc2=size=128x96:rate=50,gblur=sigma=1.2,format=yuv420p"
        let weave = "tinterlace=interleave_\(first),setfield=\(first == "top" ? "tff" : "bff")"
        let fields = "\(first == "top" ? "tff" : "bff")=1"
        let movie = try await TestMovie.make(
            "fields-\(first).mkv",
            in: folder,
            ["-f", "lavfi", "-i", "\(scene),\(weave)", "-frames:v", "20", "-top", first == "top" ? "1" : "0"]
                + ["-c:v", "libx264", "-qp", "1", "-flags", "+ildct", "-x264-params", fields] + TestPattern.bt709
        )
        let filmed = folder.path("fields-filmed-\(first).mkv")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", scene, "-frames:v", "40", "-c:v", "ffv1", filmed])
        let raw = try await RawPictures(filmed, size: size)
        func compositor(_ segment: String, rate: String) throws -> Compositor {
            let text = """
                { "schema": "edit/1",
                  "format": { "size": [128, 96], "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
                  "assets": { "a": "a" }, "tracks": [{ "kind": "video", "segments": [\(segment)] }] }
                """
            let task = try #require(try PlannedEdit(text, ["a": movie]).plan(1).segments.first).task
            return try Compositor(task: task, sources: [movie.source()])
        }
        let forwards = try compositor(#"{ "asset": "a", "duration": "40f" }"#, rate: "50")
        let backwards = try compositor(#"{ "asset": "a", "duration": "40f", "speed": "-1" }"#, rate: "50")
        let frames = try (0..<40).map { try forwards.picture(at: $0).allSamples }
        for frame in 1..<39 {
            // Nearer to its own moment than to those beside it.
            let own = error(frames[frame], raw[frame])
            #expect(
                own < error(frames[frame], raw[frame - 1]) && own < error(frames[frame], raw[frame + 1]),
                "\(frame)"
            )
        }
        for frame in 0..<40 { #expect(try backwards.picture(at: Int64(39 - frame)).allSamples == frames[frame]) }
        // At any other rate a frame shows its first field.
        let slow = try compositor(#"{ "asset": "a", "duration": "20f" }"#, rate: "25")
        for frame in 0..<20 { #expect(try slow.picture(at: Int64(frame)).allSamples == frames[2 * frame]) }
        let between = try compositor(#"{ "asset": "a", "duration": "46f" }"#, rate: "60")
        #expect(try between.picture(at: 2).allSamples == frames[0])
    }

    /// Patches of HLG and PQ against the recommendations' formulas, in libm's powers.
    @Test(arguments: ["smpte2084", "arib-std-b67"]) func wideBrightnessIsMapped(transfer: String) async throws {
        // Y′CbCr of 10 bits, limited range, BT.2020.
        let patches = [
            (64, 512, 512), (200, 512, 512), (440, 512, 512), (572, 512, 512), (721, 512, 512), (940, 512, 512),
            (400, 420, 600), (500, 600, 420), (300, 650, 480), (650, 470, 560),
        ]
        for (number, patch) in patches.enumerated() {
            var raw = Data()
            for (plane, value) in [patch.0, patch.1, patch.2].enumerated() {
                let count = plane == 0 ? 64 * 32 : 32 * 16
                for _ in 0..<count { raw.append(contentsOf: [UInt8(value & 255), UInt8(value >> 8)]) }
            }
            let path = folder.path("\(number).yuv")
            try raw.write(to: URL(fileURLWithPath: path))
            let movie = try await TestMovie.make(
                "\(transfer)-\(number).mkv",
                in: folder,
                [
                    "-f", "rawvideo", "-pix_fmt", "yuv420p10", "-s", "64x32", "-r", "25", "-i", path, "-c:v", "ffv1",
                    "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range",
                    "tv",
                ]
            )
            #expect(movie.facts.video[0].color.transfer == transfer)
            let picture = try compositor(movie, frames: 1, size: PictureSize(width: 64, height: 32)).picture(at: 0)
            let expected = WideBrightness.displayed(patch, transfer: transfer)
            for plane in 0..<3 {
                let found = Double(picture.samples(plane)[40])
                #expect(abs(found - expected[plane]) <= 1.2, "\(patch) plane \(plane): \(found), not \(expected)")
            }
        }
    }

    /// The mean square of the differences of luma.
    private func error(_ samples: [UInt8], _ truth: [UInt8]) -> Double {
        let count = size.width * size.height
        return (0..<count).reduce(0.0) { sum, index in
            let difference = Double(samples[index]) - Double(truth[index])
            return sum + difference * difference
        } / Double(count)
    }

    /// Wide pixels are made square before they are fitted.
    @Test func wideOldPicturesAreShownInTheirShape() async throws {
        let movie = try await TestMovie.make(
            "dv.dv",
            in: folder,
            [
                "-f", "lavfi", "-i", "color=white:size=720x576:rate=25,setdar=16/9", "-frames:v", "2", "-pix_fmt",
                "yuv420p", "-c:v", "dvvideo",
            ]
        )
        let stream = movie.facts.video[0]
        #expect(stream.displaySize.width > 1000)
        let picture = try compositor(movie, frames: 1, size: PictureSize(width: 128, height: 72)).picture(at: 0)
        #expect(picture.withPlane(0) { $0.row(36)[2] } > 200)
    }
}
