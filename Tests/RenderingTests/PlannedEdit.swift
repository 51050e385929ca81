import CompositionModel
import EditLanguage
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// An edit's text compiled and planned against real movies, and the frames that its tasks make.
struct PlannedEdit {
    let composition: Composition
    private let movies: [ContentDigest: TestMovie]

    /// - Parameters:
    ///   - movies: by the name that the edit gives them.
    ///   - nested: texts of edits among the assets, which use the same movies.
    ///   - preset: in place of the edit's outputs; nil keeps those.
    ///   - range: start and duration on the timeline; nil is all.
    ///   - copies: whether untouched coded pictures are copied.
    init(
        _ text: String,
        _ movies: [String: TestMovie],
        nested: [String: String] = [:],
        preset: String? = "lossless",
        range: [String]? = nil,
        copies: Bool = false
    ) throws {
        let assets = movies.mapValues {
            CompilerAsset(digest: ContentDigest(of: Data($0.path.utf8)), facts: $0.facts)
        }
        let read = EditReader.read(text)
        let document = try #require(read.document, "\(read.findings)")
        let edits = nested.mapValues { NestedEdit(file: "nested.json", read: EditReader.read($0), assets: assets) }
        let result = EditCompiler.compile(
            document,
            assets: assets,
            nested: edits,
            options: CompileOptions(preset: preset, range: range, copies: copies)
        )
        composition = try #require(result.composition, "\(result.findings)")
        self.movies = Dictionary(
            movies.values.map { (ContentDigest(of: Data($0.path.utf8)), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// - Parameters:
    ///   - segmentCount: nil leaves it to the plan.
    ///   - range: frames of the timeline; nil is all.
    func plan(_ segmentCount: Int?, range: FrameRange? = nil) throws -> RenderPlan {
        var composition = composition
        if let range { composition.outputs[0].range = range }
        return try Planner.plan(composition, output: 0, facts: movies.mapValues(\.facts), segmentCount: segmentCount)
    }

    func sources(of assets: [ContentDigest]) throws -> [RenderSource] {
        try assets.map { try #require(movies[$0]).source() }
    }

    func measures(_ what: SoundMeasure, _ count: Int) throws -> [PlannedMeasure] {
        try Planner.measures(
            composition,
            output: 0,
            facts: movies.mapValues(\.facts),
            order: MeasureOrder(what),
            segmentCount: count
        )
    }

    /// Every frame's samples, rendered in so many segments.
    func frames(_ segmentCount: Int = 1) throws -> [[UInt8]] {
        try plan(segmentCount).segments.flatMap { segment in
            let sources = try segment.task.assets.map { try #require(movies[$0]).source() }
            let compositor = try Compositor(task: segment.task, sources: sources)
            return try (0..<segment.task.frameCount).map { try compositor.picture(at: $0).allSamples }
        }
    }

    /// The first frame that differs from the first frames, over 1, 2 and 7 segments; nil when all agree.
    func firstDifference() throws -> (segments: Int, frame: Int)? {
        let whole = try frames()
        for count in [2, 7] {
            let parts = try frames(count)
            if parts.count != whole.count { return (count, -1) }
            if let frame = whole.indices.first(where: { parts[$0] != whole[$0] }) { return (count, frame) }
        }
        return nil
    }

    /// The mixed sound as 24-bit steps, interleaved.
    /// - Parameter range: frames of the timeline; nil is all.
    func sound(of range: FrameRange? = nil, in folder: TemporaryFolder) throws -> [Int32] {
        try rendered(try #require(plan(1, range: range).sound), in: folder).steps
    }

    /// What a task of its sound is rendered to, one packet behind the other.
    func bytes(of task: SoundTask, in folder: TemporaryFolder) throws -> Data { try rendered(task, in: folder).bytes }

    /// The sources of a task, each with a count of what is read of it.
    func countedSources(of task: SoundTask) throws -> [(source: RenderSource, bytes: CountingSource)] {
        try task.assets.map { digest in
            let movie = try #require(movies[digest])
            let bytes = CountingSource(try FileByteSource(path: movie.path))
            return (RenderSource(bytes: bytes, facts: movie.facts, indexes: movie.indexes), bytes)
        }
    }

    func rendered(_ task: SoundTask, in folder: TemporaryFolder) throws -> RenderedSound {
        try RenderedSound(task, sources: try countedSources(of: task).map(\.source), in: folder)
    }
}

extension RenderPlan {
    /// The file that `tasks` of the sound are joined to, one behind the other, as this program decodes it: one array a
    /// channel.
    func decodedSound(of edit: PlannedEdit, _ tasks: [SoundTask], in folder: TemporaryFolder) throws -> [[Float]] {
        let paths = try tasks.map { try edit.rendered($0, in: folder).path }
        let movie = folder.path("\(tasks.count).mp4")
        var stitch = stitchTask()
        stitch.soundPartCounts = tasks.count > 1 ? tasks.map(\.sampleCount) : nil
        _ = try Stitcher.stitch(stitch, parts: [], sounds: paths, to: movie) { _ in }
        let facts = try #require(try AssetProbe.probe(FileByteSource(path: movie)).facts.defaultAudio)
        let reader = try SoundReader(source: FileByteSource(path: movie), stream: facts)
        var channels = [[Float]](repeating: [], count: facts.channels)
        while let block = try reader.next() {
            for channel in channels.indices { channels[channel] += block.channels[channel] }
        }
        return channels
    }
}
