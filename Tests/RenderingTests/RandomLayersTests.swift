import Foundation
import Media
import Rendering
import Shared
import TestSupport
import Testing

/// Edits of random layers, from their text to their frames: the same frames for any number of segments.
@Suite struct RandomLayersTests {
    private static let frames: Int64 = 24

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func framesAreTheSameForAnyNumberOfSegments(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var movies: [String: TestMovie] = [:]
        for (name, pattern, size) in [
            ("a", "testsrc2", "160x90"), ("b", "mandelbrot", "96x96"), ("c", "testsrc2", "90x160"),
        ] {
            let arguments = TestPattern.movie(pattern, size, frames: 40)
            movies[name] = try await TestMovie.make("\(name).mp4", in: folder, arguments)
        }
        var text = RandomEdit(seed: seed)
        let edit = text.edit()
        let whole = try digests(edit, movies, segments: 1)
        #expect(whole.count == Int(Self.frames) && Set(whole).count > 12)
        for count in [2, 7] {
            let isSame = try digests(edit, movies, segments: count) == whole
            #expect(isSame, "\(count) segments of \(edit)")
        }
    }

    private func digests(_ text: String, _ movies: [String: TestMovie], segments: Int) throws -> [ContentDigest] {
        let read = EditReader.read(text)
        let document = try #require(read.document, "\(read.findings) in \(text)")
        let assets = movies.mapValues { CompilerAsset(digest: digest($0), facts: $0.facts) }
        let result = EditCompiler.compile(document, assets: assets)
        let composition = try #require(result.composition, "\(result.findings) in \(text)")
        let known = Dictionary(uniqueKeysWithValues: movies.values.map { (digest($0), $0) })
        let plan = try Planner.plan(
            composition,
            output: 0,
            facts: known.mapValues(\.facts),
            segmentCount: segments
        )
        #expect(plan.segments.count == segments)
        return try plan.segments.flatMap { segment in
            let sources = try segment.task.assets.map { try #require(known[$0]).source() }
            let compositor = try Compositor(task: segment.task, sources: sources)
            return try (0..<segment.task.frameCount).map { try compositor.picture(at: $0).digest() }
        }
    }

    private func digest(_ movie: TestMovie) -> ContentDigest { ContentDigest(of: Data(movie.path.utf8)) }
}

/// The text of an edit of 24 frames: three tracks, clips with dissolves between them, properties with keys.
private struct RandomEdit {
    /// splitmix64.
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }

    mutating func edit() -> String {
        let tracks = (0..<3).map { number in
            let own = number == 0 ? "" : properties(PictureProperty.allCases.filter { $0 != .crop })
            return #"{ "kind": "video", "sound": false, \#(own) "segments": [ \#(segments()) ] }"#
        }
        return """
            { "schema": "edit/1", "format": { "size": [160, 90], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a.mp4", "b": "b.mp4", "c": "c.mp4" },
              "tracks": [ { "kind": "video", "sound": false, "segments": [ { "asset": "a", "duration": "24f" } ] },
                          \(tracks.joined(separator: ",\n")) ],
              "outputs": [ { "preset": "lossless" } ] }
            """
    }

    /// Two clips of 15 frames that share a dissolve of 6.
    private mutating func segments() -> String {
        let clips = (0..<2).map { _ in
            let asset = ["a", "b", "c"][next(3)]
            let own = properties(PictureProperty.allCases)
            return #"{ "asset": "\#(asset)", "in": "\#(next(20))f", \#(own) "duration": "15f" }"#
        }
        return clips.joined(separator: #", { "transition": "dissolve", "duration": "6f" }, "#)
    }

    private mutating func properties(_ all: [PictureProperty]) -> String {
        var text = ""
        for property in all where next(3) == 0 {
            text += "\"\(property.rawValue)\": \(next(2) == 0 ? value(property) : keys(property)), "
        }
        if next(4) == 0 { text += "\"blend\": \"\(BlendMode.allCases[next(16)].rawValue)\", " }
        return text
    }

    private mutating func keys(_ property: PictureProperty) -> String {
        var at = -4
        let keys = (0..<2 + next(3)).map { _ in
            at += next(9)
            let ease = Easing.named[next(Easing.named.count)].name
            return #"{ "at": "\#(at)f", "value": \#(value(property)), "ease": "\#(ease)" }"#
        }
        return "[\(keys.joined(separator: ", "))]"
    }

    private mutating func value(_ property: PictureProperty) -> String {
        let numbers = (0..<property.form.count).map { _ in
            switch property {
            case .position, .anchor: "\(next(150)).\(next(9))"
            case .scale: "\(next(2)).\(1 + next(9))"
            case .rotate, .rotateX, .rotateY: "\(next(400) - 200)"
            case .skew: "\(next(60) - 30)"
            case .crop: "\(next(20)).5"
            case .opacity: "0.\(next(10))"
            }
        }
        return numbers.count == 1 ? numbers[0] : "[\(numbers.joined(separator: ", "))]"
    }
}
