import CompositionModel
import EditLanguage
import Foundation
import Media
import Planning
import Rendering
import Testing

/// An edit of 320 × 180 pixels at 25 frames per second over black, compiled from its text and composited.
struct EditCase {
    let composition: Composition
    private let movies: [ContentDigest: TestMovie]

    /// - Parameters:
    ///   - tracks: what stands in `tracks`.
    ///   - assets: by the names that the tracks use.
    init(_ tracks: String, _ assets: [String: TestMovie] = [:]) throws {
        let named = assets.keys.sorted().map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { \(named) }, "tracks": [ \(tracks) ], "outputs": [{ "preset": "lossless" }] }
            """
        var known: [String: CompilerAsset] = [:]
        var movies: [ContentDigest: TestMovie] = [:]
        for (name, movie) in assets {
            let digest = ContentDigest(of: try Data(contentsOf: URL(fileURLWithPath: movie.path)))
            known[name] = CompilerAsset(digest: digest, facts: movie.facts)
            movies[digest] = movie
        }
        let read = EditReader.read(text)
        let result = EditCompiler.compile(try #require(read.document, "\(read.findings)"), assets: known)
        composition = try #require(result.composition, "\(result.findings)")
        self.movies = movies
    }

    private func compositor(
        _ task: PictureTask,
        bytes: (any ByteSource) -> any ByteSource = { $0 }
    ) throws -> Compositor {
        let sources = try task.assets.map { digest in
            let source = try #require(movies[digest]).source()
            return RenderSource(bytes: bytes(source.bytes), facts: source.facts, indexes: source.indexes)
        }
        return try Compositor(task: task, sources: sources)
    }

    private func tasks(_ count: Int) throws -> [PictureTask] {
        let facts = movies.mapValues(\.facts)
        return try Planner.plan(composition, output: 0, facts: facts, segmentCount: count).segments.map(\.task)
    }

    func compositor() throws -> Compositor { try compositor(tasks(1)[0]) }

    /// It reads the sources through what `bytes` makes of them.
    func compositor(bytes: (any ByteSource) -> any ByteSource) throws -> Compositor {
        try compositor(tasks(1)[0], bytes: bytes)
    }

    /// Luma of one frame at places of it.
    func luma(_ frame: Int64, _ places: (x: Int, y: Int)...) throws -> [Int] {
        let samples = try compositor().picture(at: frame).samples(0)
        return places.map { Int(samples[320 * $0.y + $0.x]) }
    }

    /// Digests of all frames, made in `segments` pieces.
    func frames(segments: Int) throws -> [ContentDigest] {
        try tasks(segments).flatMap { task in
            let compositor = try compositor(task)
            return try (0..<task.frameCount).map { try compositor.picture(at: $0).digest() }
        }
    }
}
