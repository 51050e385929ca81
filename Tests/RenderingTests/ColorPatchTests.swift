import CompositionModel
import Foundation
import Media
import Rendering
import TestSupport
import Testing

/// Colours of sources of every matrix, range and depth come out as BT.709's of limited range, within a code value.
@Suite struct ColorPatchTests {
    /// R′G′B′ of squares of 40 pixels, side by side.
    private static let patches: [[Double]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128], [32, 160, 96],
        [200, 120, 40],
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How a source holds colours.
    struct Form: Sendable {
        var tags: [String]
        /// Of red and blue in luma.
        var weights: (red: Double, blue: Double)
        var isFull: Bool
        var format: String
        var depth: Int
        /// Powers of two by which chroma is narrower.
        var shift: Int

        static let bt709 = Form(
            tags: ["bt709", "bt709", "bt709"],
            weights: (0.2126, 0.0722),
            isFull: false,
            format: "yuv420p",
            depth: 8,
            shift: 1
        )

        static let all: [Form] = {
            var forms: [Form] = []
            let matrices = [
                (["bt709", "bt709", "bt709"], (0.2126, 0.0722)),
                (["smpte170m", "smpte170m", "smpte170m"], (0.299, 0.114)),
                (["bt2020nc", "bt2020", "bt2020-10"], (0.2627, 0.0593)),
            ]
            for (tags, weights) in matrices {
                for isFull in [false, true] {
                    for (format, depth, shift) in [
                        ("yuv420p", 8, 1), ("yuv422p10le", 10, 1), ("yuv444p", 8, 0), ("yuv420p10le", 10, 1),
                    ] {
                        let form = Form(
                            tags: tags,
                            weights: weights,
                            isFull: isFull,
                            format: format,
                            depth: depth,
                            shift: shift
                        )
                        forms.append(form)
                    }
                }
            }
            return forms
        }()

        /// Code values where black, the middle of chroma and white are, as Rec. ITU-R BT.709-6 §3 has them.
        private var scale: (black: Double, luma: Double, middle: Double, chroma: Double) {
            let top = Double(1 << depth)
            return isFull ? (0, top - 1, top / 2, top - 1) : (top / 16, 219 * top / 256, top / 2, 224 * top / 256)
        }

        func code(_ rgb: [Double]) -> [Double] {
            let y = weights.red * rgb[0] + (1 - weights.red - weights.blue) * rgb[1] + weights.blue * rgb[2]
            let (black, luma, middle, chroma) = scale
            return [
                black + luma * y, middle + chroma * (rgb[2] - y) / (2 * (1 - weights.blue)),
                middle + chroma * (rgb[0] - y) / (2 * (1 - weights.red)),
            ]
        }

        func color(_ code: [Double]) -> [Double] {
            let (black, luma, middle, chroma) = scale
            let y = (code[0] - black) / luma
            let blue = y + 2 * (1 - weights.blue) * (code[1] - middle) / chroma
            let red = y + 2 * (1 - weights.red) * (code[2] - middle) / chroma
            return [red, (y - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue), blue]
        }
    }

    private static func codes(_ form: Form) -> [[Double]] {
        let top = Double(1 << form.depth) - 1
        return patches.map { patch in form.code(patch.map { $0 / 255 }).map { min(top, max(0, $0.rounded())) } }
    }

    /// An expression of ffmpeg's that is `values` in turn, each over `width` samples.
    private static func steps(_ values: [Double], width: Int) -> String {
        var text = "\(Int(values[values.count - 1]))"
        for (index, value) in values.enumerated().dropLast().reversed() {
            text = "if(lt(X,\(width * (index + 1))),\(Int(value)),\(text))"
        }
        return text
    }

    private func check(_ movie: TestMovie, _ expected: [[Double]], _ what: String) throws {
        let edit = try EditCase(
            #"{ "kind": "video", "segments": [ { "asset": "a", "duration": "1f" } ] }"#,
            ["a": movie]
        )
        let picture = try edit.compositor().picture(at: 0)
        for (index, patch) in expected.enumerated() {
            for (plane, value) in patch.enumerated() {
                let shift = plane == 0 ? 0 : 1
                // Deeper samples are dithered over eight by eight.
                let square = picture.withPlane(plane) { view in
                    (0..<8).flatMap { y in
                        (0..<8).map { view.row((88 >> shift) + y)[((40 * index + 16) >> shift) + $0] }
                    }
                }
                let found = square.reduce(0) { $0 + Double($1) } / 64
                #expect(abs(found - value) <= 1, "\(what), patch \(index), plane \(plane): \(found), not \(value)")
                #expect(square.allSatisfy { abs(Double($0) - found) < 1 })
            }
        }
    }

    @Test(arguments: Form.all) func movies(form: Form) async throws {
        let codes = Self.codes(form)
        let planes = (0..<3).map { plane in
            Self.steps(codes.map { $0[plane] }, width: plane == 0 ? 40 : 40 >> form.shift)
        }
        let range = form.isFull ? "pc" : "tv"
        let filter =
            "color=black:size=320x180:rate=25,format=\(form.format),"
            + "geq=lum='\(planes[0])':cb='\(planes[1])':cr='\(planes[2])',setparams=range=\(range)"
        let tags = [
            "-colorspace", form.tags[0], "-color_primaries", form.tags[1], "-color_trc", form.tags[2], "-color_range",
            range,
        ]
        let movie = try await TestMovie.make(
            "\(form.tags[0])-\(form.format)-\(range).mkv",
            in: folder,
            ["-f", "lavfi", "-i", filter, "-frames:v", "1", "-c:v", "ffv1"] + tags
        )
        #expect(movie.facts.video[0].color.matrix == form.tags[0])
        #expect(movie.facts.video[0].color.isFullRange == form.isFull)
        try check(movie, codes.map { Form.bt709.code(form.color($0)) }, "\(form.tags[0]) \(form.format) \(range)")
    }

    /// Pictures of R′G′B′ in a BT.709 edit have BT.709's values.
    @Test(arguments: [("png", "rgb24"), ("png", "rgb48be"), ("png", "rgba"), ("webp", "bgra")])
    func stills(kind: String, format: String) async throws {
        let channels = (0..<3).map { channel in Self.steps(Self.patches.map { $0[channel] }, width: 40) }
        let filter =
            "color=black:size=320x180:rate=25,format=gbrp,"
            + "geq=r='\(channels[0])':g='\(channels[1])':b='\(channels[2])'"
        let lossless = kind == "webp" ? ["-lossless", "1"] : []
        let movie = try await TestMovie.make(
            "patches-\(format).\(kind)",
            in: folder,
            ["-f", "lavfi", "-i", filter, "-frames:v", "1", "-pix_fmt", format] + lossless
        )
        let expected = Self.patches.map { patch in Form.bt709.code(patch.map { $0 / 255 }) }
        try check(movie, expected, "\(kind) \(format)")
    }
}
