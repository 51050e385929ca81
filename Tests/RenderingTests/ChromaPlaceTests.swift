import CompositionModel
import Foundation
import Media
import Rendering
import TestSupport
import Testing

/// An edge between red and blue has its colours where it has its luma, whatever way a picture takes into the frame.
@Suite struct ChromaPlaceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How a source holds its pixels.
    struct Form: Sendable, CustomTestStringConvertible {
        var name: String
        /// Of the coded samples; nil for a picture of R′G′B′.
        var layout: String?
        /// Red and blue in its matrix and range.
        var colors: (red: [Double], blue: [Double]) = ([63, 102, 240], [32, 240, 118])
        /// Columns from the first pixel's centre to the first sample of chroma.
        var left = 0.0
        /// Pixels: coded or clipped samples have a noise of their own.
        var tolerance = 0.12
        var arguments: [String]

        var testDescription: String { name + " " + (layout ?? "") }

        /// What ffmpeg draws: the edge is in the middle, samples next to it are weighed by where they are.
        func scene(_ size: PictureSize, isAcross: Bool) -> String {
            let (axis, length) = isAcross ? ("Y", size.height) : ("X", size.width)
            let black = "color=black:size=\(size.width)x\(size.height):rate=25"
            guard let layout else {
                let (first, second) = ("255*lt(\(axis),\(length / 2))", "255*gte(\(axis),\(length / 2))")
                return "\(black),format=gbrp,geq=r='\(first)':g=0:b='\(second)'"
            }
            let planes = (0..<3).map { plane in
                let (from, to) = (colors.red[plane], colors.blue[plane])
                if plane == 0 { return "if(lt(\(axis),\(length / 2)),\(from),\(to))" }
                // The pair of pixels after the edge: centred samples lie within it, others at its start.
                let place = isAcross ? 0.5 : left
                let mixed = (0.25 + place / -2) * from + (0.75 + place / 2) * to
                let rest = "if(lt(\(axis),\(length / 4 + 1)),\(mixed.rounded()),\(to))"
                return "if(lt(\(axis),\(length / 4)),\(from),\(rest))"
            }
            return "\(black),format=\(layout),geq=lum='\(planes[0])':cb='\(planes[1])':cr='\(planes[2])'"
        }

        static let movie = Form(
            name: "movie.mkv",
            layout: "yuv420p",
            arguments: ["-c:v", "ffv1"] + TestPattern.bt709
        )

        static let all = [
            movie,
            Form(
                name: "deep.mkv",
                layout: "yuv420p10le",
                colors: ([252, 408, 960], [128, 960, 472]),
                arguments: ["-c:v", "ffv1"] + TestPattern.bt709
            ),
            Form(
                name: "sd.mkv",
                layout: "yuv420p",
                colors: ([81, 90, 240], [41, 240, 110]),
                tolerance: 0.25,
                arguments: ["-c:v", "ffv1", "-colorspace", "smpte170m", "-color_range", "tv"]
            ),
            Form(
                name: "photo.jpg",
                layout: "yuvj420p",
                colors: ([76, 85, 255], [29, 255, 107]),
                left: 0.5,
                tolerance: 0.25,
                arguments: ["-q:v", "1"]
            ),
            Form(
                name: "mpeg.mpg",
                layout: "yuv420p",
                colors: ([81, 90, 240], [41, 240, 110]),
                left: 0.5,
                tolerance: 0.25,
                arguments: ["-c:v", "mpeg1video", "-q:v", "1"]
            ),
            Form(name: "still.png", arguments: ["-pix_fmt", "rgb24"]),
            Form(name: "deep.png", arguments: ["-pix_fmt", "rgb48be"]),
            Form(name: "alpha.png", arguments: ["-pix_fmt", "rgba"]),
        ]
    }

    private func movie(_ form: Form, _ size: PictureSize, isAcross: Bool) async throws -> TestMovie {
        let name = "\(isAcross)-\(size.width)-\(form.name)"
        let scene = form.scene(size, isAcross: isAcross)
        let input = ["-f", "lavfi", "-i", scene, "-frames:v", "1"]
        return try await TestMovie.make(name, in: folder, input + form.arguments)
    }

    /// Where the edge near the frame's centre is, by luma, Cb and Cr: in pixels from the left, or from the top.
    private func edges(_ picture: Picture, isAcross: Bool) -> [Double] {
        (0..<3).map { plane in
            let shift = plane == 0 ? 0 : 1
            let length = isAcross ? picture.height : picture.width
            let start = (length / 2 - 28) & ~1
            let profile = picture.withPlane(plane) { view in
                (start >> shift..<(start + 56) >> shift).map { place in
                    // Deeper samples are dithered over eight by eight.
                    (0..<16).reduce(0.0) { sum, step in
                        let other = (40 >> shift) + step
                        return sum + Double(isAcross ? view.row(place)[other] : view.row(other)[place])
                    }
                }
            }
            let (from, to) = (profile[0], profile[profile.count - 1])
            let count = profile.reduce(0) { $0 + ($1 - to) / (from - to) }
            // Samples of chroma cover two pixels; the first is above the left of two columns, and between two rows.
            return Double(start) + (plane == 0 ? count : 2 * count - (isAcross ? 0 : 0.5))
        }
    }

    /// - Parameter place: of the edge in the frame.
    private func check(_ movie: TestMovie, _ form: Form, _ words: String, isAcross: Bool, at place: Double) throws {
        let edit = try EditCase(
            #"{ "kind": "video", "segments": [ { "asset": "a", "duration": "1f"\#(words) } ] }"#,
            ["a": movie]
        )
        let found = edges(try edit.compositor().picture(at: 0), isAcross: isAcross)
        // Red and blue differ little in luma: there a step of one code value is a thirtieth of the edge.
        let isNear = zip(found, [1.5, form.tolerance, form.tolerance]).allSatisfy { abs($0 - place) < $1 }
        let facts = movie.facts.video[0]
        let what = "\(form.name) \(facts.width)x\(facts.height) \(facts.orientation)\(words)"
        #expect(isNear, "\(what), \(isAcross ? "rows" : "columns"): \(found), not \(place)")
    }

    private static let moved = #", "position": [163.3, 92.6]"#

    @Test(arguments: Form.all, [false, true]) func sizesAndMoves(form: Form, isAcross: Bool) async throws {
        let sizes = [
            PictureSize(width: 320, height: 180), PictureSize(width: 480, height: 272),
            PictureSize(width: 160, height: 88),
        ]
        for size in sizes {
            let movie = try await movie(form, size, isAcross: isAcross)
            // 318 columns of the 480.
            let middle = isAcross ? 90.0 : size.width == 480 ? 159 : 160
            try check(movie, form, "", isAcross: isAcross, at: middle)
            try check(movie, form, Self.moved, isAcross: isAcross, at: isAcross ? 92.6 : 163.3)
            guard size.width == 320 else { continue }
            try check(movie, form, #", "scale": 1.4"#, isAcross: isAcross, at: middle)
            try check(movie, form, #", "opacity": 0.5"#, isAcross: isAcross, at: middle)
            // Chroma as dense as luma is read there at single points: they cannot tell where between them it changes.
            if form.name == "alpha.png" { continue }
            try check(movie, form, #", "rotate": 0.01"#, isAcross: isAcross, at: middle)
        }
    }

    @Test(
        arguments: [Form.movie, Form.all[3], Form.all[5], Form.all[7]],
        [(0, true), (90, false), (90, true), (180, false), (180, true), (270, false), (270, true)]
    )
    func turned(form: Form, turn: (degrees: Int, isMirrored: Bool)) async throws {
        for isAcross in [false, true] {
            let isUpright = turn.degrees % 180 == 0
            let size = isUpright ? PictureSize(width: 320, height: 180) : PictureSize(width: 180, height: 320)
            let movie = try await movie(form, size, isAcross: isAcross == isUpright)
                .turned(degrees: turn.degrees, isMirrored: turn.isMirrored)
            try check(movie, form, "", isAcross: isAcross, at: isAcross ? 90 : 160)
            try check(movie, form, Self.moved, isAcross: isAcross, at: isAcross ? 92.6 : 163.3)
        }
    }
}
