import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// One colour through every matrix, range, depth and codec that sources have comes out with its BT.709 values.
@Suite struct SourceMatrixTests {
    private let folder: TemporaryFolder
    private let size = PictureSize(width: 128, height: 96)

    /// Colours by ffmpeg's name, with their 8-bit Y′CbCr of BT.709 in limited range (ITU-R BT.709-6, 3 and 4).
    private static let patches: [(name: String, values: [Int])] = [
        ("red", [63, 102, 240]), ("0x20a060", [126, 113, 74]), ("0x3050c0", [86, 180, 109]),
        ("0xe0c8a0", [190, 108, 140]), ("white", [235, 128, 128]), ("0x404040", [71, 128, 128]),
    ]

    init() throws { folder = try TemporaryFolder() }

    /// All patches in two rows of three, as RGB of 360x288.
    private static let scene: String = {
        let colors = patches.enumerated().map { "color=\($1.name):size=120x144:rate=25,format=gbrp[c\($0)]" }
        let rows = ["[c0][c1][c2]hstack=inputs=3[top]", "[c3][c4][c5]hstack=inputs=3[low]", "[top][low]vstack"]
        return (colors + rows).joined(separator: ";")
    }()

    /// The middles of all patches of a movie's first frame are what they should be.
    private func check(_ movie: TestMovie, within: Int, _ what: String) throws {
        let rate = try FrameRate(25)
        let isStill = movie.facts.video.first?.isStill == true
        let source = SliceSource(asset: 0, stream: 0, start: .zero, fit: .fill, speed: isStill ? .zero : nil)
        let all = SliceInstruction(0..<1, SliceLayer(from: source))
        let edit = TestTimeline(movies: [movie], size: size, rate: rate, frameCount: 1, instructions: [all])
        let picture = try edit.compositor().picture(at: 0)
        for (number, patch) in Self.patches.enumerated() {
            let (x, y) = (size.width * (1 + 2 * (number % 3)) / 6, size.height * (1 + 2 * (number / 3)) / 4)
            let found = (0..<3).map { plane in
                let shift = plane == 0 ? 0 : 1
                return picture.withPlane(plane) { Int($0.row(y >> shift)[x >> shift]) }
            }
            let isNear = zip(found, patch.values).allSatisfy { abs($0 - $1) <= within }
            #expect(isNear, "\(what), \(patch.name): \(found), not \(patch.values)")
        }
    }

    @Test(
        arguments: ["bt709", "smpte170m", "bt470bg", "bt2020nc", "fcc", "smpte240m"],
        [
            ("tv", "yuv420p"), ("pc", "yuv420p"), ("tv", "yuv422p10le"), ("pc", "yuv444p"), ("tv", "yuv444p12le"),
            ("pc", "yuv422p10le"),
        ]
    )
    func everyMatrixAndRange(matrix: String, layout: (range: String, format: String)) async throws {
        let scale = ["bt470bg": "bt601", "smpte170m": "bt601", "bt2020nc": "bt2020"][matrix] ?? matrix
        let convert = "format=gbrp,scale=out_color_matrix=\(scale):out_range=\(layout.range),format=\(layout.format)"
        let movie = try await TestMovie.make(
            "a.mkv",
            in: folder,
            ["-f", "lavfi", "-i", Self.scene, "-frames:v", "1", "-vf", convert]
                + ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", matrix]
                + ["-color_range", layout.range, "-c:v", "ffv1"]
        )
        let color = try #require(movie.facts.video.first?.color)
        #expect(color.matrix == matrix && color.isFullRange == (layout.range == "pc"), "\(color)")
        try check(movie, within: 1, "\(matrix) \(layout)")
    }

    /// Untagged, as old files are: small pictures are BT.601's, JPEG's have full range, RGB is RGB; DNxHD says BT.709.
    @Test(arguments: [
        ("cinepak.mov", 6, ["-c:v", "cinepak"]), ("svq1.mov", 4, ["-c:v", "svq1", "-q:v", "1"]),
        ("qtrle.mov", 1, ["-c:v", "qtrle"]), ("mjpeg.mov", 2, ["-c:v", "mjpeg", "-q:v", "1"]),
        ("mjpeg.avi", 2, ["-c:v", "mjpeg", "-q:v", "1"]), ("mpeg1.mpg", 3, ["-c:v", "mpeg1video", "-q:v", "1"]),
        ("mpeg2.mpg", 3, ["-c:v", "mpeg2video", "-q:v", "1"]), ("mpeg2.ts", 3, ["-c:v", "mpeg2video", "-q:v", "1"]),
        ("mpeg4.avi", 3, ["-c:v", "mpeg4", "-q:v", "1"]),
        ("h263.3gp", 3, ["-s", "352x288", "-c:v", "h263", "-q:v", "1"]),
        ("sorenson.flv", 3, ["-c:v", "flv", "-q:v", "1"]), ("msmpeg4.avi", 3, ["-c:v", "msmpeg4v2", "-q:v", "1"]),
        ("wmv.asf", 3, ["-c:v", "wmv2", "-q:v", "1"]), ("dv.avi", 3, ["-s", "720x576", "-c:v", "dvvideo"]),
        ("ntsc.dv", 3, ["-s", "720x480", "-r", "30000/1001", "-pix_fmt", "yuv411p", "-c:v", "dvvideo"]),
        ("prores.mov", 2, ["-c:v", "prores_ks"]),
        (
            "dnxhr.mov", 3,
            ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv422p", "-c:v", "dnxhd"]
                + ["-profile:v", "dnxhr_hq"]
        ),
        ("huffyuv.avi", 1, ["-c:v", "huffyuv"]), ("theora.ogv", 3, ["-c:v", "libtheora", "-q:v", "10"]),
        ("vp8.webm", 3, ["-c:v", "libvpx", "-b:v", "4M"]), ("h264.mp4", 2, ["-c:v", "libx264", "-qp", "1"]),
        ("raw.avi", 1, ["-c:v", "rawvideo", "-pix_fmt", "bgr24"]), ("raw.y4m", 1, ["-pix_fmt", "yuv444p"]),
        ("still.png", 1, []), ("still.jpg", 2, ["-q:v", "1"]), ("still.webp", 2, ["-lossless", "1"]),
    ])
    func oldCodecsKeepTheirColours(file: String, tolerance: Int, arguments: [String]) async throws {
        let isPicture = file.hasPrefix("still")
        let movie = try await TestMovie.make(
            file,
            in: folder,
            ["-f", "lavfi", "-i", Self.scene, "-frames:v", isPicture ? "1" : "5"] + arguments
        )
        try check(movie, within: tolerance, file)
    }
}
